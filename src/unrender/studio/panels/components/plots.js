// Where the selected track is and how fast it moves, over time; a line follows the frame that is shown.
const WIDE = 300, TALL = 62;
export default {
  template: `
    <div class="plots" v-if="own">
      <figure v-for="plot in plots" :key="plot.name">
        <figcaption><b>{{ plot.name }}</b> <span v-for="line in plot.lines" :class="['key', line.kind]">{{ line.name }}
          <em>{{ line.now }}</em></span></figcaption>
        <svg :viewBox="'0 0 ${WIDE} ${TALL}'" preserveAspectRatio="none" role="img" :aria-label="plot.label">
          <rect v-if="ahead < ${WIDE}" class="beyond" :x="ahead" y="0" :width="${WIDE} - ahead" height="${TALL}" />
          <polyline v-for="line in plot.old" :points="line" class="old" />
          <template v-for="line in plot.lines"><polyline v-for="points in line.pieces" :points="points" :class="['curve', line.kind]" /></template>
          <line class="now" :x1="now" :x2="now" y1="0" y2="${TALL}" />
        </svg>
      </figure>
    </div>`,
  data: () => ({ moment: null }),
  mounted() {
    this.hear = (event) => { this.moment = event.detail; };
    window.addEventListener("film-frame", this.hear);
    window.dispatchEvent(new CustomEvent("film-wanted"));
  },
  unmounted() { window.removeEventListener("film-frame", this.hear); },
  computed: {
    shown() { return this.moment && this.moment.data; },
    own() { return this.shown && [...this.shown.tracks, ...this.shown.was].find((track) => track.number === this.moment.selected); },
    was() { return this.shown && this.shown.was.find((track) => track.number === this.moment.selected); },
    end() { return Math.max(1e-6, this.shown.times[this.shown.times.length - 1]); },
    now() { return this.shown.times[this.moment.frame] / this.end * WIDE; },
    ahead() { return this.shown.seen < this.shown.times.length ? this.shown.times[this.shown.seen - 1] / this.end * WIDE : WIDE; },
    plots() {
      const get = (track) => ({
        x: track.points.map((point) => point && point[0]), y: track.points.map((point) => point && point[1]), speed: track.speed });
      const own = get(this.own), was = this.was ? get(this.was) : null;
      return [this.plot("position", "px", own, was, ["x", "y"]), this.plot("speed", "px/s", own, was, ["speed"])];
    },
  },
  methods: {
    plot(name, unit, own, was, kinds) {
      const all = kinds.flatMap((kind) => [...own[kind], ...(was ? was[kind] : [])]).filter((value) => value !== null);
      const low = name === "speed" ? 0 : Math.min(...all), high = Math.max(...all, low + 1);
      const lines = kinds.map((kind) => {
        const value = own[kind][this.moment.frame];
        return { kind, name: kind === "speed" ? "" : kind, now: value === null || value === undefined ? "" : `${value.toFixed(0)} ${unit}`,
                 pieces: this.pieces(own[kind], low, high) };
      });
      const span = (kind) => {
        const seen = own[kind].filter((value) => value !== null);
        return seen.length ? `${kind} from ${Math.min(...seen).toFixed(0)} to ${Math.max(...seen).toFixed(0)} ${unit}` : "";
      };
      return { name, lines, old: was ? kinds.flatMap((kind) => this.pieces(was[kind], low, high)) : [],
               label: `${name} of ${this.own.name}: ${kinds.map(span).join(", ")}` };
    },
    pieces(values, low, high) {  // apart where it was out of sight
      const found = [[]];
      values.forEach((value, frame) => {
        if (value === null || frame >= this.shown.times.length) { if (found[found.length - 1].length) found.push([]); return; }
        const y = TALL - 4 - (value - low) / (high - low) * (TALL - 8);
        found[found.length - 1].push(`${(this.shown.times[frame] / this.end * WIDE).toFixed(1)},${y.toFixed(1)}`);
      });
      return found.filter((piece) => piece.length).map((piece) => piece.join(" "));
    },
  },
};
