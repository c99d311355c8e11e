// A slider: the browser's own, which readers of the screen know by its name, its value and its keys.
export default {
  template: `<input type="range" class="range" :min="low" :max="high" :step="step" :value="value" :aria-label="label"
    @input="move" @change="settle">`,
  props: { label: String, low: Number, high: Number, step: Number, value: Number, every: Number },
  methods: {
    move(event) {  // at most once in `every` ms, and the latest in the end
      this.latest = Number(event.target.value);
      if (this.waiting) return;
      this.$emit("move", this.latest);
      this.waiting = setTimeout(() => {
        const newer = this.latest;
        this.waiting = null;
        if (newer !== this.sent) this.$emit("move", newer);
        this.sent = newer;
      }, this.every);
      this.sent = this.latest;
    },
    settle(event) {
      clearTimeout(this.waiting);
      this.waiting = null;
      this.sent = Number(event.target.value);
      this.$emit("settle", this.sent);
    },
  },
  unmounted() { clearTimeout(this.waiting); },
};
