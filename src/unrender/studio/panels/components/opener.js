// Files from a chooser, a folder, a drop or the clipboard, sent to the desk one after the other.
export default {
  template: `
    <div class="opener">
      <input ref="files" type="file" multiple hidden data-open="files" @change="chosen">
      <input ref="folder" type="file" webkitdirectory hidden data-open="folder" @change="chosen">
      <div v-if="over" class="drop">Drop pictures and videos here</div>
    </div>`,
  props: { largest: Number },
  data: () => ({ over: false }),
  mounted() {
    this.handlers = {
      dragover: (event) => { event.preventDefault(); this.over = true; },
      dragleave: (event) => { if (!event.relatedTarget) this.over = false; },
      drop: async (event) => {
        event.preventDefault();
        this.over = false;
        const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
        const files = [...event.dataTransfer.files];
        this.send(entries.some((entry) => entry && entry.isDirectory) ? await this.walk(entries) : files);
      },
      paste: (event) => {
        const files = [...(event.clipboardData ? event.clipboardData.files : [])];
        if (files.length) { event.preventDefault(); this.send(files); }
      },
    };
    for (const [name, handler] of Object.entries(this.handlers)) window.addEventListener(name, handler);
  },
  unmounted() {
    for (const [name, handler] of Object.entries(this.handlers)) window.removeEventListener(name, handler);
  },
  methods: {
    choose(which) { this.$refs[which].click(); },
    chosen(event) {
      this.send([...event.target.files].filter((file) => !file.name.startsWith(".")));
      event.target.value = "";
    },
    async walk(entries) {
      const found = [];
      for (const entry of entries) {
        if (!entry || entry.name.startsWith(".")) continue;
        if (entry.isFile) found.push(await new Promise((done, fail) => entry.file(done, fail)));
        else {
          const reader = entry.createReader();
          for (;;) {
            const some = await new Promise((done, fail) => reader.readEntries(done, fail));
            if (!some.length) break;
            found.push(...(await this.walk(some)));
          }
        }
      }
      return found;
    },
    async send(files) {
      const ids = [];
      for (const file of files) {
        if (file.size > this.largest) {
          this.$emit("refused", `"${file.name}" has more than ${this.largest >> 20} MB; that is too large.`);
          continue;
        }
        try {
          const reply = await fetch("/api/pictures?name=" + encodeURIComponent(file.name), { method: "POST", body: file });
          const told = await reply.json();
          if (reply.ok) ids.push(told.id);
          else this.$emit("refused", told.detail);
        } catch (error) {
          this.$emit("refused", `"${file.name}" could not be sent to the studio.`);
        }
        if (ids.length === 1 && file !== files[files.length - 1]) this.$emit("opened", [ids[0]]);
      }
      if (ids.length) this.$emit("opened", ids);
    },
  },
};
