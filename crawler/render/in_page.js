// Runs in a world of its own, whose functions the page cannot change.

const MORE = new RegExp(
  "^(?:(?:load|show|view|see)\\s+(?:more|all)\\b.*|more(?:\\s+(?:posts|results|articles|items|stories|news|comments))?|" +
    "(?:点击|點擊)?(?:加载|加載|载入|載入|查看|显示|顯示|浏览|瀏覽|阅读|閱讀|展开|展開)(?:更多|全部|全文).*|(?:更多|展开|展開))\\W*$",
  "i",
);
const BUTTONS = "button, [role=button], a:not([href]), a[href=''], a[href^='#'], a[href^='javascript:']";
const LONGEST = 40; // characters on a button; chosen, not measured
const AT_ONCE = 3; // buttons; chosen, not measured
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const LEFT_OUT = /^(?:script|style|noscript|template|svg|canvas)$/;

/** Scroll to the end, and click what shows more; how much the page holds now. Never in a form, which may send something. */
globalThis.showMore = () => {
  window.scrollTo(0, document.documentElement.scrollHeight);
  const says = (one) => (one.textContent || one.getAttribute("aria-label") || "").trim();
  const isMore = (one) => !one.disabled && says(one).length <= LONGEST && MORE.test(says(one)) && !one.closest("form");
  [...document.querySelectorAll(BUTTONS)].filter(isMore).slice(0, AT_ONCE).forEach((one) => one.click());
  return document.getElementsByTagName("*").length + document.documentElement.textContent.length;
};

/** Wait until the page was drawn twice. */
globalThis.drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** The page as HTML: shadow roots in place, addresses of links resolved, without scripts. "" if it is longer than `most`. */
globalThis.serialised = (most) => {
  const escaped = (text) => text.replace(/[&<>"\u00a0]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const parts = [];
  const stack = [document.documentElement];
  let length = 0;
  const put = (text) => {
    parts.push(text);
    length += text.length;
  };
  while (stack.length && length <= most) {
    const node = stack.pop();
    if (typeof node === "string") put(node);
    else if (node.nodeType === Node.TEXT_NODE) put(escaped(node.data));
    else if (node.nodeType === Node.ELEMENT_NODE) {
      const name = node.localName;
      const isData = name === "script" && node.type === "application/ld+json";
      if (isData) put(`<script type="application/ld+json">${node.textContent.replace(/<\/script/gi, "")}</script>`);
      if (LEFT_OUT.test(name)) continue;
      const href = typeof node.href === "string" ? node.href : "";
      const values = [...node.attributes].map(({ name, value }) => ` ${name}="${escaped((name === "href" && href) || value)}"`);
      put(`<${name}${values.join("")}>`);
      if (VOID.test(name)) continue;
      stack.push(`</${name}>`);
      const slotted = name === "slot" ? node.assignedNodes() : [];
      const inside = node.shadowRoot ? node.shadowRoot.childNodes : slotted.length ? slotted : node.childNodes;
      for (let at = inside.length - 1; at >= 0; at--) stack.push(inside[at]);
    }
  }
  return length <= most ? parts.join("") : "";
};
