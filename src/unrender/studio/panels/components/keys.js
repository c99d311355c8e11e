// Keys of the whole page, but not while somebody types, moves a slider, or reads a dialog or a menu.
const TYPING = "input:not([type=checkbox]):not([type=range]):not([type=color]), textarea, select, .q-menu, .q-dialog";
export default {
  template: "<span hidden></span>",
  props: { names: Array },
  mounted() {
    this.hear = (event) => {
      const within = (what) => event.target.closest && event.target.closest(what);
      const arrow = event.key.startsWith("Arrow");
      const typing = within(TYPING) || (arrow && within("input[type=range], [role=radiogroup]"));
      if (event.key === "Escape" && typing) event.target.blur();
      if (typing || event.altKey || document.querySelector(".q-dialog, .q-menu")) return;
      const control = event.ctrlKey || event.metaKey;
      const name = (control ? "Ctrl+" : "") + (event.shiftKey && (arrow || control) ? "Shift+" : "")
        + (control ? event.key.toLowerCase() : event.key);
      if (!this.names.includes(name)) return;
      event.preventDefault();
      this.$emit("pressed", name);
    };
    window.addEventListener("keydown", this.hear);
    // while a dialog is open, the page behind it is out of reach; then the focus goes back to where it was
    const page = document.querySelector(".studio");
    this.observer = new MutationObserver(() => {
      const open = document.querySelector(".q-dialog") !== null;
      if (open === page.inert) return;
      page.inert = open;
      if (!open && this.before && document.activeElement === document.body) this.before.focus();
    });
    for (const name of ["keyup", "click"])
      page.addEventListener(name, (event) => { this.before = event.target.closest("button, a, input, [tabindex]"); });
    this.observer.observe(document.body, { childList: true, subtree: false });
  },
  unmounted() {
    window.removeEventListener("keydown", this.hear);
    this.observer.disconnect();
  },
};
