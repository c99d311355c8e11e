// A film: play, scrub, and a timeline of verbs and contacts on which a stretch can be marked. It keeps the clock;
// canvases and plots hear of every frame by the event "film-frame", so that nothing waits for the server.
export default {
  template: `
    <section class="film" aria-label="film" v-show="data">
      <div class="transport">
        <button type="button" class="play" :aria-label="playing ? 'pause' : 'play'" :title="(playing ? 'pause' : 'play') + ' (p)'"
                @click="toggle"><i class="material-icons" aria-hidden="true">{{ playing ? "pause" : "play_arrow" }}</i></button>
        <div class="track-area">
          <div v-if="data && data.seen < frames" class="ahead" :style="span(data.seen - 0.5, frames - 1)"><span v-if="lanes.length">would happen</span></div>
          <input type="range" class="range scrub" aria-label="frame" min="0" :max="Math.max(frames - 1, 1)" step="1" :value="frame"
                 :aria-valuetext="told" @input="scrub" @change="settle">
          <div class="ruler" title="drag to mark a stretch, then name what is done in it ( [ and ] )" @pointerdown="down"
               @pointermove="move" @pointerup="up" @pointercancel="start = null">
            <span v-for="tick in ticks" class="tick" :style="{ left: place(tick.frame) }">{{ tick.text }}</span>
            <div v-if="data && data.asked && !stretch" class="stretch asked" :style="span(...data.asked)"></div>
            <div v-if="stretch" class="stretch" :style="span(...stretch)"></div>
          </div>
          <div v-for="lane in lanes" :key="lane.name" class="lane" role="group" :aria-label="lane.name">
            <button v-for="bar in lane.bars" type="button" :class="['bar', lane.kind, { on: bar.track === selected }]"
                    :style="{ ...span(bar.start, bar.end), '--hue': hue(bar.track) }" :aria-label="bar.label + ', ' + when(bar)"
                    :title="bar.label + ', ' + when(bar)" @click="visit(bar)"><span>{{ bar.text }}</span></button>
          </div>
          <div class="playhead" :style="{ left: place(frame) }" aria-hidden="true"></div>
        </div>
        <output class="clock" aria-live="off">{{ told }}</output>
      </div>
    </section>`,
  props: { data: Object, at: Number, selected: Number, stretch: Array },
  data: () => ({ frame: 0, playing: false, start: null }),
  computed: {
    frames() { return this.data ? this.data.times.length : 1; },
    told() {
      if (!this.data) return "";
      const part = this.frame >= this.data.seen ? ", would happen" : "";
      return `${(this.data.times[this.frame] || 0).toFixed(2)} s, frame ${this.frame + 1} of ${this.frames}${part}`;
    },
    lanes() {
      const found = new Map();
      for (const bar of this.data ? this.data.verbs : []) {
        const name = "verbs of " + (this.data.tracks.find((own) => own.number === bar.track) || { name: "it" }).name;
        if (!found.has(name)) found.set(name, { name, kind: "verb", bars: [] });
        found.get(name).bars.push(bar);
      }
      const contacts = this.data && this.data.contacts.length ? [{ name: "contacts", kind: "contact", bars: this.data.contacts }] : [];
      return [...found.values(), ...contacts];
    },
    ticks() {
      if (!this.data || this.frames < 2) return [];
      const times = this.data.times, total = times[this.frames - 1];
      const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300].find((own) => total / own <= 8) || 600;
      const found = [];
      for (let k = 0; k * step <= total - step * 0.3; k++) {
        const after = times.findIndex((time) => time >= k * step - 1e-6);
        found.push({ frame: after, text: +(k * step).toFixed(1) + (k ? "" : " s") });
      }
      return found;
    },
  },
  mounted() {
    this.answer = () => this.tell();
    window.addEventListener("film-wanted", this.answer);
    this.tell();
  },
  unmounted() { window.removeEventListener("film-wanted", this.answer); this.stop(); },
  watch: {
    at(now) { if (!this.playing) { this.frame = now; this.tell(); } },
    data(now, before) {
      if (!now || !before || now.id !== before.id || now.version !== before.version) { this.stop(); this.frame = this.at; }
      this.frame = Math.min(this.frame, this.frames - 1);
      this.tell();
    },
    selected() { this.tell(); },
  },
  methods: {
    hue(number) { return (this.data.tracks.find((own) => own.number === number) || { hue: 200 }).hue; },
    place(frame) { return `calc(8px + (100% - 16px) * ${Math.max(0, Math.min(1, frame / Math.max(1, this.frames - 1)))})`; },
    span(from, to) {
      const share = (frame) => Math.max(0, Math.min(1, frame / Math.max(1, this.frames - 1)));
      return { left: this.place(from), width: `max(7px, calc((100% - 16px) * ${share(to) - share(from)}))` };
    },
    seconds(frame) { return this.data.times[Math.max(0, Math.min(this.frames - 1, Math.round(frame)))]; },
    when(bar) {
      const [from, to] = [this.seconds(bar.start), this.seconds(bar.end)].map((own) => own.toFixed(2));
      return from === to ? `at ${from} s` : `from ${from} to ${to} s`;
    },
    tell() {
      const detail = { data: this.data || null, frame: this.frame, selected: this.selected, playing: this.playing };
      window.dispatchEvent(new CustomEvent("film-frame", { detail }));
    },
    go(frame) {
      const next = Math.max(0, Math.min(this.frames - 1, Math.round(frame)));
      if (next !== this.frame) { this.frame = next; this.tell(); }
    },
    scrub(event) { this.stop(); this.go(Number(event.target.value)); this.soon(); },
    settle() { clearTimeout(this.waiting); this.$emit("turn", this.frame); },
    soon() { clearTimeout(this.waiting); this.waiting = setTimeout(() => this.settle(), 160); },
    visit(bar) { this.stop(); this.go(bar.start); this.settle(); this.$emit("pick", bar.track); },
    step(by) { if (this.data) { this.stop(); this.go(this.frame + by); this.soon(); } },
    toggle() {
      if (!this.data) return;
      if (this.playing) { this.stop(); this.settle(); return; }
      if (this.frame >= this.frames - 1) this.frame = 0;
      this.playing = true;
      const begin = performance.now() / 1000 - this.data.times[this.frame];
      const next = () => {
        if (!this.playing) return;
        const now = performance.now() / 1000 - begin, times = this.data.times;
        let frame = this.frame;
        while (frame < times.length - 1 && times[frame + 1] <= now) frame++;
        this.go(frame);
        if (frame >= times.length - 1) { this.stop(); this.settle(); return; }
        this.request = requestAnimationFrame(next);
      };
      this.request = requestAnimationFrame(next);
    },
    replay() {  // from the beginning, once the film that was made is here
      if (this.data && !this.playing) { this.frame = 0; this.toggle(); }
    },
    stop() { this.playing = false; cancelAnimationFrame(this.request); },
    mark(which) {  // with the keyboard: a stretch begins or ends at the frame that is shown
      if (!this.data) return;
      const [from, to] = this.stretch || (which === "start" ? [this.frame, this.data.filmed - 1] : [0, this.frame]);
      this.send(which === "start" ? [this.frame, Math.max(to, this.frame)] : [Math.min(from, this.frame), this.frame]);
    },
    send([from, to]) {
      const last = this.data.filmed - 1;
      this.$emit("mark", [Math.min(from, last), Math.min(to, last)]);
    },
    under(event) {
      const box = event.currentTarget.getBoundingClientRect();
      return Math.round((event.clientX - box.left - 8) / (box.width - 16) * (this.frames - 1));
    },
    down(event) {
      if (event.button !== 0 || !this.data) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.start = this.under(event);
      this.moved = false;
      this.stop();
      this.go(this.start);
    },
    move(event) {
      if (this.start === null) return;
      const here = Math.max(0, Math.min(this.frames - 1, this.under(event)));
      this.moved = this.moved || here !== this.start;
      this.go(here);
    },
    up(event) {
      if (this.start === null) return;
      const here = Math.max(0, Math.min(this.frames - 1, this.under(event)));
      const [from, to] = [Math.max(0, Math.min(this.start, here)), Math.max(this.start, here)];
      this.start = null;
      if (this.moved && to > from) this.send([from, to]);
      else this.$emit("mark", null);
      this.settle();
    },
  },
};
