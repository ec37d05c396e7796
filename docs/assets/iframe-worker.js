// Search in pages that are opened from a folder (file://), where browsers start no workers: a hidden frame
// does a worker's work. MkDocs' plugin `offline` would load such a script from elsewhere.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentDocument;
      const prepared = `
        var postMessage = (data) => parent.dispatchEvent(new MessageEvent("message", {data, source: window}));
        var importScripts = (...places) => places.reduce((before, place) => before.then(() => new Promise(
          (done, failed) => {
            const one = document.createElement("script");
            one.src = place; one.onload = done; one.onerror = failed;
            document.body.append(one);
          })), Promise.resolve());`;
      this.ready = new Promise((done) => { this.frame.onload = done; });
      window.addEventListener("message", (event) => {
        if (event.source !== this.frame.contentWindow) return;
        const told = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(told);
        if (this.onmessage) this.onmessage(told);
      });
      inside.open();
      inside.write(`<html><body><script>${prepared}<\/script><script src="${address}"><\/script></body></html>`);
      inside.close();
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
