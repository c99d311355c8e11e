// Keys of the whole page, but not while somebody types, moves a slider, or reads a dialog or a menu.
const TYPING = "input:not([type=checkbox]), textarea, select, .q-menu, .q-dialog";
export default {
  template: "<span hidden></span>",
  props: { names: Array },
  mounted() {
    this.hear = (event) => {
      const within = (what) => event.target.closest && event.target.closest(what);
      const typing = within(TYPING) || (within(".q-slider") && event.key.startsWith("Arrow"));
      if (event.key === "Escape" && typing) event.target.blur();
      if (typing || document.querySelector(".q-dialog, .q-menu")) return;
      const name = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key;
      if (event.ctrlKey || event.altKey || event.metaKey || !this.names.includes(name)) return;
      event.preventDefault();
      this.$emit("pressed", name);
    };
    window.addEventListener("keydown", this.hear);
  },
  unmounted() { window.removeEventListener("keydown", this.hear); },
};
