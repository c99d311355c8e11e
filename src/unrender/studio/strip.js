// The pictures on the desk with their states; the one that is shown is kept in sight.
export default {
  template: `
    <div class="strip" role="listbox" aria-label="pictures">
      <button v-for="item in items" :key="item.id" role="option" :data-picture="item.id" :data-state="item.state"
              :aria-selected="item.id === current" :class="['thumb', { on: item.id === current }]"
              :title="item.name + ': ' + item.state" @click="$emit('turn', item.id)">
        <img v-if="item.src" :src="item.src" alt="" draggable="false"><span v-else class="blank"></span>
        <i :class="['dot', item.mark]"></i><span class="caption">{{ item.name }}</span>
      </button>
    </div>`,
  props: { items: Array, current: String },
  watch: {
    current() {
      this.$nextTick(() => {
        const on = this.$el.querySelector(".on");
        if (on) on.scrollIntoView({ block: "nearest", inline: "nearest" });
      });
    },
  },
};
