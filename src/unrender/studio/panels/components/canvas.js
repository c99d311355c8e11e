// A picture, outlines above it, and what the pointer does: hover, click, shift-click, drag.
// Every component that shows nodes hears of the one under the pointer by the event "node-hover", and a canvas that
// shows a film hears of the frame that is played by the event "film-frame".
const TRAIL = 40;  // frames back to which tracks are drawn
export default {
  template: `
    <div class="canvas" ref="frame" tabindex="-1">
      <div class="sheet" v-if="src" :style="{ width: shown.width + 'px', height: shown.height + 'px' }">
        <img :src="playing.src || src" alt="" draggable="false" @load="loaded('src')">
        <img v-if="over" :src="newer || playing.over || over" alt="" draggable="false" class="over" @load="loaded('over')"
             :style="{ opacity: blend, mixBlendMode: difference ? 'difference' : 'normal' }">
        <svg ref="svg" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="name"
             @pointerdown="down" @pointermove="move" @pointerup="up" @pointerleave="leave">
          <rect class="ground" x="0" y="0" :width="width" :height="height" />
          <g v-for="trail in trails" :style="{ '--hue': trail.hue }" :class="['trail', { on: trail.on }]" :data-track="trail.number">
            <polyline v-for="points in trail.pieces" :points="points" /><circle v-if="trail.at" :cx="trail.at[0]" :cy="trail.at[1]" :r="3 / scale" />
          </g>
          <path v-for="node in leaves" :key="node.id" :d="node.path" :data-node="node.id"
                :data-symbol="node.symbol" :class="style(node)" :stroke="top(node).colour" />
          <path v-for="node in wholes" :key="node.id" :d="node.path" :data-whole="node.id"
                :class="['box', ...style(node)]" :stroke="node.colour" />
        </svg>
        <div v-for="node in labelled" :key="node.id" class="tag" :style="place(node)">{{ node.symbol }}</div>
        <div v-if="drag" class="region" :style="regionStyle"></div>
        <div v-if="tip" class="tip" :style="tipStyle">
          <b>{{ tip.symbol }}</b><span v-for="line in tip.lines">{{ line }}</span>
        </div>
      </div>
      <slot v-else></slot>
    </div>`,
  props: {
    name: String, src: String, over: String, width: Number, height: Number, nodes: Array, selected: Array,
    parts: Array, quiet: Boolean, film: String, at: Number, made: Boolean, marking: Boolean, difference: Boolean,
    blend: { type: Number, default: 1 },
  },
  data: () => ({ shown: { width: 1, height: 1 }, newer: null, hovered: null, tip: null, pointer: [0, 0], start: null, drag: null,
    moment: null, playing: { src: null, over: null } }),
  computed: {
    leaves() {
      // what is hollow must not hide what lies within it from the pointer
      const order = (node) => (node.hollow ? -10000 : 0) + node.depth;
      return this.drawn.filter((node) => node.leaf).sort((a, b) => order(a) - order(b));
    },
    current() { return this.film && this.moment && this.moment.data ? this.moment : null; },
    drawn() {  // the nodes are of one frame, and not of what was filmed where that is made up
      return (this.current && this.current.frame !== this.at) || (this.film === "frames" && this.made) ? [] : this.nodes;
    },
    trails() {
      if (!this.current) return [];
      const { data, frame, selected } = this.current, filmed = this.film === "frames" && data.was.length;
      const last = this.film === "frames" ? Math.min(frame, data.filmed - 1) : frame;
      return (filmed ? data.was : data.tracks).map((track) => {
        const pieces = [[]];
        for (const point of track.points.slice(Math.max(0, last - TRAIL), last + 1)) {
          if (point) pieces[pieces.length - 1].push(point.join(","));
          else if (pieces[pieces.length - 1].length) pieces.push([]);
        }
        return { number: track.number, hue: track.hue, on: track.number === selected, at: track.points[last],
                 pieces: pieces.filter((own) => own.length > 1).map((own) => own.join(" ")) };
      });
    },
    wholes() { return this.drawn.filter((node) => !node.leaf && (!this.quiet || this.selected.includes(node.id))); },
    labelled() { return this.quiet ? [] : this.drawn.filter((node) => !node.leaf && node.parent === null); },
    scale() { return this.shown.width / (this.width || 1); },
    regionStyle() {
      const [x0, y0, x1, y1] = this.drag;
      return { left: Math.min(x0, x1) + "px", top: Math.min(y0, y1) + "px",
               width: Math.abs(x1 - x0) + "px", height: Math.abs(y1 - y0) + "px" };
    },
    tipStyle() {
      const [x, y] = this.pointer, right = x > this.shown.width * 0.6, low = y > this.shown.height * 0.6;
      return { left: x + (right ? -12 : 14) + "px", top: y + (low ? -8 : 14) + "px",
               transform: `translate(${right ? "-100%" : "0"}, ${low ? "-100%" : "0"})` };
    },
  },
  mounted() {
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.$refs.frame);
    this.hear = (event) => { this.hovered = event.detail; };
    window.addEventListener("node-hover", this.hear);
    this.loading = { src: {}, over: {} };
    this.follow = (event) => { this.moment = event.detail; this.play(); };
    window.addEventListener("film-frame", this.follow);
    this.fit();
  },
  unmounted() {
    this.observer.disconnect();
    window.removeEventListener("node-hover", this.hear);
    window.removeEventListener("film-frame", this.follow);
  },
  watch: { over() { this.newer = null; this.play(); }, film() { this.play(); }, at() { this.play(); }, width() { this.fit(); }, height() { this.fit(); }, src() { this.tip = null; this.fit(); } },
  methods: {
    fit() {
      const frame = this.$refs.frame;
      if (!frame || !this.width) return;
      const scale = Math.min((frame.clientWidth - 16) / this.width, (frame.clientHeight - 16) / this.height);
      this.shown = { width: Math.max(1, this.width * scale), height: Math.max(1, this.height * scale) };
    },
    loaded(which) { this.$refs.frame.dataset[which] = this[which]; },
    play() {  // at rest the pictures of the server are shown, in between those of the film
      if (!this.current || this.current.frame === this.at) { this.loading.src.wanted = this.loading.over.wanted = null; this.playing = { src: null, over: null }; return; }
      const { data, frame } = this.current;
      this.fetch("src", `/studio/${data.id}/frames/${Math.min(frame, data.filmed - 1)}`);
      if (this.over) this.fetch("over", `/studio/${data.id}/drawn/${data.version}/${frame}?v=${data.changes}`);
    },
    fetch(which, url) {  // one at a time: a frame that comes too late is left out
      const own = this.loading[which];
      own.wanted = url;
      if (own.busy) return;
      own.busy = true;
      const image = new Image();
      image.onload = image.onerror = () => {
        own.busy = false;
        if (!own.wanted) return;
        if (image.naturalWidth) this.playing = { ...this.playing, [which]: url };
        if (own.wanted !== url) this.fetch(which, own.wanted);
      };
      image.src = url;
    },
    redraw(url) { this.newer = url; },  // ahead of the nodes, which take longer
    place(node) {
      const y = Math.max(22, node.top * this.scale);
      return { left: node.at[0] * this.scale + "px", top: y + "px", background: node.colour };
    },
    chain(node) {  // from the top of its tree down to the node
      const found = [];
      for (let own = node; own; own = own.parent === null ? null : this.nodes[own.parent]) found.unshift(own);
      return found;
    },
    top(node) { return this.chain(node)[0]; },
    within(node, ids) { return this.chain(node).some((own) => ids.includes(own.id)); },
    style(node) {
      const hot = this.hovered !== null && this.within(node, [this.hovered]);
      return ["shape", { selected: this.within(node, this.selected), part: this.within(node, this.parts), hot,
                         quiet: this.quiet, fresh: node.fresh }];
    },
    target(event) {
      const found = event.target.dataset ? event.target.dataset.node : undefined;
      return found === undefined ? null : this.nodes[Number(found)];
    },
    local(event) {
      const box = this.$refs.svg.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    },
    hover(node) { window.dispatchEvent(new CustomEvent("node-hover", { detail: node ? node.id : null })); },
    meant(leaf) {  // the top; one level further down where that is selected already
      const chain = this.chain(leaf);
      const depth = chain.findIndex((node) => this.selected.length === 1 && node.id === this.selected[0]);
      return chain[Math.min(depth + 1, chain.length - 1)];
    },
    down(event) {
      if (event.button !== 0) return;
      this.start = this.local(event);
      this.$refs.svg.setPointerCapture(event.pointerId);
      this.pressed = this.target(event);
      this.tip = null;
    },
    move(event) {
      this.pointer = this.local(event);
      if (this.start) {
        const [x, y] = this.start;
        if (this.drag || Math.hypot(this.pointer[0] - x, this.pointer[1] - y) > 5) this.drag = [x, y, ...this.pointer];
        return;
      }
      const leaf = this.target(event);
      const node = leaf ? this.top(leaf) : null;
      this.tip = leaf ? (this.within(leaf, this.selected) ? leaf : node) : null;
      this.hover(this.tip);
    },
    up(event) {
      if (!this.start) return;
      const add = event.shiftKey || this.marking;
      if (this.drag) {
        const [x0, y0, x1, y1] = this.drag.map((value) => value / this.scale);
        const inside = ([x, y]) => x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
        const ids = this.nodes.filter((node) => node.parent === null && inside(node.at)).map((node) => node.id);
        this.$emit("choose", { ids, add: event.shiftKey });
      } else {
        const leaf = this.pressed;
        const ids = leaf ? [(event.shiftKey || this.marking ? this.top(leaf) : this.meant(leaf)).id] : [];
        if (ids.length || !add) this.$emit("choose", { ids, add });
      }
      this.start = this.drag = null;
    },
    leave() { if (!this.start) { this.tip = null; this.hover(null); } },
  },
};
