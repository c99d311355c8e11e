// The parse-trees as lines; the one under the pointer is lit in every canvas, and the other way round.
export default {
  template: `
    <div class="tree" role="tree" aria-label="parse-tree" aria-multiselectable="true">
      <div v-for="node in nodes" :key="node.id" role="treeitem" :data-line="node.id" :aria-level="1 + level(node)"
           :aria-selected="selected.includes(node.id)" :tabindex="node.id === reached ? 0 : -1"
           :style="{ paddingLeft: 8 + 18 * level(node) + 'px' }"
           :class="['line', { selected: selected.includes(node.id), part: parts.includes(node.id), hot: hovered === node.id }]"
           @pointerenter="hover(node.id)" @pointerleave="hover(null)" @keydown.enter="choose(node, $event)"
           @keydown.space.prevent="choose(node, $event)" @click="choose(node, $event)">
        <i :style="{ background: node.colour }"></i><b>{{ node.symbol }}</b>
        <span class="where">{{ node.at[0].toFixed(0) }}, {{ node.at[1].toFixed(0) }}</span>
        <span class="p"><u :style="{ width: 100 * node.p + '%', background: node.colour }"></u></span>
        <span class="value">{{ node.p.toFixed(2) }}</span>
      </div>
      <div v-if="!nodes.length" role="treeitem" aria-selected="false" class="hint">Nothing is seen yet.</div>
    </div>`,
  props: { nodes: Array, selected: Array, parts: Array },
  data: () => ({ hovered: null }),
  computed: {
    reached() { return this.selected.length ? this.selected[this.selected.length - 1] : 0; },  // by the tab key
  },
  mounted() {
    this.hear = (event) => { this.hovered = event.detail; };
    window.addEventListener("node-hover", this.hear);
  },
  unmounted() { window.removeEventListener("node-hover", this.hear); },
  watch: {
    selected(ids) {
      this.$nextTick(() => {
        const line = ids.length && this.$el.querySelector(`[data-line="${ids[ids.length - 1]}"]`);
        if (!line) return;
        const tree = this.$el;  // which scrolls alone, and never the page with it
        const low = line.offsetTop + line.offsetHeight - tree.clientHeight;
        tree.scrollTop = Math.min(line.offsetTop, Math.max(low, tree.scrollTop));
        if (tree.contains(document.activeElement)) line.focus({ preventScroll: true });
      });
    },
  },
  methods: {
    level(node) { return node.parent === null ? 0 : 1 + this.level(this.nodes[node.parent]); },
    hover(id) { window.dispatchEvent(new CustomEvent("node-hover", { detail: id })); },
    choose(node, event) { this.$emit("choose", { ids: [node.id], add: event.shiftKey }); },
  },
};
