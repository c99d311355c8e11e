// The parse-trees as lines; the one under the pointer is lit in every canvas, and the other way round.
export default {
  template: `
    <div class="tree" role="tree" aria-label="parse-tree">
      <div v-for="node in nodes" :key="node.id" role="treeitem" :data-line="node.id"
           :aria-selected="selected.includes(node.id)" :style="{ paddingLeft: 8 + 18 * level(node) + 'px' }"
           :class="['line', { selected: selected.includes(node.id), part: parts.includes(node.id), hot: hovered === node.id }]"
           @pointerenter="hover(node.id)" @pointerleave="hover(null)"
           @click="$emit('choose', { ids: [node.id], add: $event.shiftKey })">
        <i :style="{ background: node.colour }"></i><b>{{ node.symbol }}</b>
        <span class="where">{{ node.at[0].toFixed(0) }}, {{ node.at[1].toFixed(0) }}</span>
        <span class="p"><u :style="{ width: 100 * node.p + '%', background: node.colour }"></u></span>
        <span class="value">{{ node.p.toFixed(2) }}</span>
      </div>
      <div v-if="!nodes.length" class="hint">Nothing is seen yet.</div>
    </div>`,
  props: { nodes: Array, selected: Array, parts: Array },
  data: () => ({ hovered: null }),
  mounted() {
    this.hear = (event) => { this.hovered = event.detail; };
    window.addEventListener("node-hover", this.hear);
  },
  unmounted() { window.removeEventListener("node-hover", this.hear); },
  watch: {
    selected(ids) {
      this.$nextTick(() => {
        const line = ids.length && this.$el.querySelector(`[data-line="${ids[ids.length - 1]}"]`);
        if (line) line.scrollIntoView({ block: "nearest" });
      });
    },
  },
  methods: {
    level(node) { return node.parent === null ? 0 : 1 + this.level(this.nodes[node.parent]); },
    hover(id) { window.dispatchEvent(new CustomEvent("node-hover", { detail: id })); },
  },
};
