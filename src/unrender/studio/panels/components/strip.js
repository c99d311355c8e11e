// The pictures on the desk with their states; the one that is shown is kept in sight.
export default {
  template: `
    <ul class="strip" aria-label="pictures">
      <li v-for="item in items" :key="item.id" class="slot">
        <button type="button" :data-picture="item.id" :data-state="item.state" :aria-current="item.id === current"
                :class="['thumb', { on: item.id === current }]" :aria-label="item.name + ': ' + item.state"
                :title="item.name + ': ' + item.state" @click="$emit('turn', item.id)">
          <img v-if="item.src" :src="item.src" alt="" draggable="false"><span v-else class="blank"></span>
          <i :class="['dot', item.mark]"></i><span class="caption">{{ item.name }}</span>
        </button>
        <button type="button" class="remove" :aria-label="'remove ' + item.name" title="remove from the desk"
                @click="$emit('remove', item.id)">×</button>
      </li>
    </ul>`,
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
