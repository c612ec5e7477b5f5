// Runs in the page's own world before its scripts. Dialogs would wait for an answer; closed shadow roots could not be read.
window.alert = window.print = () => undefined;
window.confirm = () => false;
window.prompt = () => null;
{
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    return attach.call(this, { ...options, mode: "open" });
  };
}
