// Put into every page before its own scripts: notes who listens to what, keeps the page from leaving, and answers
// the prober (probe.py). Events are made by script: they reach what is invisible, too.
(() => {
  "use strict";
  if (window !== window.top || window.__focused) return;

  const MOST_ELEMENTS = 20000, MOST_FOUND = 5000, LONGEST = 2000, MOST_TEXT = 200;
  const SHORT = 1000; // ms: a timer that is longer is not waited for
  const HOVER = ["pointerover", "pointerenter", "mouseover", "mouseenter", "pointermove", "mousemove"];
  const CLICK = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "touchstart", "touchend"];
  const WATCHED = new Set([...HOVER, ...CLICK, "change", "input", "focusin"]);
  const later = window.setTimeout.bind(window), forget = window.clearTimeout.bind(window);
  const listen = EventTarget.prototype.addEventListener;
  const sleep = (ms) => new Promise((done) => later(done, ms));

  // --- who listens -------------------------------------------------------------------------------------------

  const listening = new WeakMap();
  const roots = []; // shadow roots, closed ones too
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    const target = this ?? window;
    if (WATCHED.has(type)) {
      if (!listening.has(target)) listening.set(target, new Set());
      listening.get(target).add(type);
    }
    return listen.call(target, type, ...rest);
  };
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...given) {
    const root = attachShadow.apply(this, given);
    roots.push(root);
    watcher.observe(root, CHANGES);
    return root;
  };
  const hears = (node, types) =>
    types.some((type) => node["on" + type] || (listening.has(node) && listening.get(node).has(type)));
  const above = (el) => el.parentNode instanceof ShadowRoot ? el.parentNode.host : el.parentElement;

  function isDelegated(el, types) {
    for (let node = above(el); node; node = above(node)) if (hears(node, types)) return true;
    return [window, document, ...roots].some((node) => hears(node, types));
  }

  // --- the page stays: what would leave it is written down -------------------------------------------------------

  let trigger = { text: "", path: "" };
  let found = [];
  const known = new Set();

  function record(given, by = trigger) {
    let url;
    try {
      url = new URL(String(given), document.baseURI).href;
    } catch {
      return;
    }
    if (!/^https?:/.test(url) || url.length > LONGEST || known.has(url) || known.size >= MOST_FOUND) return;
    known.add(url);
    found.push({ url, text: by.text, path: by.path });
  }

  window.navigation?.addEventListener("navigate", (event) => {
    if (event.hashChange) return;
    const isForm = event.formData || event.sourceElement?.closest?.("form");
    if (event.navigationType !== "reload" && event.navigationType !== "traverse" && !isForm)
      record(event.destination.url);
    if (event.cancelable) event.preventDefault();
  });
  const elsewhere = {
    set href(url) { record(url); }, get href() { return "about:blank"; },
    assign: (url) => record(url), replace: (url) => record(url), reload() {},
  };
  window.open = (url) => {
    if (url) record(url);
    return {
      get location() { return elsewhere; }, set location(given) { record(given); },
      closed: false, opener: null, document: { write() {}, close() {}, open() {} }, focus() {}, blur() {}, close() {},
    };
  };
  window.alert = window.print = () => undefined;
  window.confirm = () => false;
  window.prompt = () => null;
  HTMLFormElement.prototype.submit = HTMLFormElement.prototype.requestSubmit = function () {};
  const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  listen.call(window, "submit", stop, true);
  listen.call(window, "beforeunload", (event) => event.stopImmediatePropagation(), true);

  // --- when it is quiet ------------------------------------------------------------------------------------------

  const CHANGES = { childList: true, subtree: true, attributes: true, characterData: true };
  let pending = 0, timers = 0, nested = 0, changes = 0, patience = 1000;
  const watcher = new MutationObserver(() => { changes += 1; });
  watcher.observe(document, CHANGES);

  function waitFor(owner, name) {
    const begin = owner[name];
    owner[name] = function (...given) {
      pending += 1;
      const done = () => { pending -= 1; }, answer = begin.apply(this ?? window, given);
      answer.then(done, done);
      return answer;
    };
  }
  waitFor(window, "fetch");
  for (const name of ["json", "text", "blob", "arrayBuffer"]) waitFor(Response.prototype, name);
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    pending += 1;
    listen.call(this, "loadend", () => { pending -= 1; }, { once: true });
    return send.apply(this, given);
  };
  const running = new Set();
  window.setTimeout = function (run, ms, ...given) {
    if (typeof run !== "function" || ms > SHORT || nested > 2) return later(run, ms, ...given);
    const depth = nested + 1;
    timers += 1;
    const id = later(() => {
      if (running.delete(id)) timers -= 1;
      nested = depth; // a timer that sets itself again and again is not waited for
      try { run(...given); } finally { nested = 0; }
    }, ms);
    running.add(id);
    return id;
  };
  window.clearTimeout = (id) => {
    if (running.delete(id)) timers -= 1;
    forget(id);
  };

  async function quiet(most, calm) {
    const end = performance.now() + most;
    patience = most / 3; // for what one action sets off
    for (let before = changes; performance.now() < end; before = changes) {
      await sleep(calm);
      if (changes === before && !pending && !timers && document.readyState === "complete") return;
    }
  }

  function drawn() {
    const frames = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return Promise.race([frames, sleep(patience)]);
  }

  async function settle() {
    const before = changes, end = performance.now() + patience;
    for (let idle = 0; idle < 2 && performance.now() < end; idle = pending || timers ? 0 : idle + 1) await sleep(2);
    return changes !== before;
  }

  // --- what there is to probe --------------------------------------------------------------------------------------

  function everything() {
    const all = [];
    const walk = (root) => {
      for (const el of root.querySelectorAll("*")) {
        if (all.length >= MOST_ELEMENTS) return;
        all.push(el);
        const shadow = el.shadowRoot || roots.find((one) => one.host === el);
        if (shadow) walk(shadow);
      }
    };
    walk(document);
    return all;
  }

  function pathOf(el) {
    const parts = [];
    for (let node = el; node instanceof Element; node = above(node)) {
      const family = node.parentNode ? [...node.parentNode.children].filter((one) => one.tagName === node.tagName) : [];
      const number = family.length > 1 ? `[${family.indexOf(node) + 1}]` : "";
      parts.unshift(node.tagName.toLowerCase() + number);
      if (node.parentNode instanceof ShadowRoot) parts.unshift("#shadow-root");
    }
    return ("/" + parts.join("/")).slice(0, 2 * LONGEST);
  }

  function textOf(el) {
    const text = el.textContent || el.getAttribute("aria-label") || el.title || el.alt || el.value || "";
    return String(text).replace(/\s+/g, " ").trim().slice(0, MOST_TEXT);
  }

  const hrefOf = (el) => (typeof el.href === "string" ? el.href : el.href?.baseVal || "");
  const isLink = (el) => /^(a|area)$/i.test(el.tagName) && /^https?:/.test(hrefOf(el)) &&
    !/^(#|javascript:)/i.test(el.getAttribute("href") || "#");
  const isInLink = (el) => { for (let n = el; n; n = above(n)) if (isLink(n)) return true; return false; };
  const NEVER = "html,head,head *,script,style,template,noscript,iframe,video,audio,form,label,textarea,select,optgroup," +
    "[contenteditable],input:not([type=button],[type=checkbox],[type=radio]),form button:not([type=button])";
  const PLAIN = "button,summary,[role=button],[role=link],[role=menuitem],[role=tab],[role=option],[aria-haspopup]," +
    "[aria-expanded],input[type=button],a:not([href]),a[href^='#'],a[href^='javascript:' i]";

  function rankOf(el) {
    if (el.tagName === "OPTION") {
      const select = el.closest("select");
      return select && !el.disabled && (hears(select, ["change", "input"]) || isDelegated(select, ["change"])) ? 1 : 0;
    }
    if (el.matches(NEVER)) return 0;
    if (isInLink(el)) return isLink(el) && hears(el, HOVER) ? 1 : 0;
    if (hears(el, [...HOVER, ...CLICK]) || el.matches(PLAIN)) return 1;
    const isPointer = getComputedStyle(el).cursor === "pointer";
    if (isPointer && (!above(el) || getComputedStyle(above(el)).cursor !== "pointer")) return 2;
    const isLeaf = !el.childElementCount && el.textContent.trim();
    return (isLeaf || Object.keys(el.dataset).length) && isDelegated(el, [...HOVER, ...CLICK]) ? 3 : 0;
  }

  const elements = new Map(); // by key
  const named = new WeakMap(); // an element keeps its path, wherever later ones push it

  function nameOf(el) {
    const text = textOf(el), known = named.get(el);
    if (known && known.text === text) return known;
    const path = known ? known.path : pathOf(el);
    const name = { path, text, key: `${path}|${text.slice(0, 60)}` };
    named.set(el, name);
    return name;
  }

  function actsOn(el) {
    if (el.tagName === "OPTION") return ["choose"];
    const acts = [];
    if (hears(el, HOVER) || isDelegated(el, HOVER)) acts.push("hover");
    const isHeard = hears(el, CLICK) || isDelegated(el, CLICK) || el.matches("summary,a[href^='javascript:' i],a[href^='#']");
    if (isHeard && !isInLink(el)) acts.push("click");
    return acts;
  }

  function list() {
    const ranked = [[], [], []];
    for (const el of everything()) {
      const rank = rankOf(el);
      const acts = rank ? actsOn(el) : [];
      if (!acts.length) continue;
      const name = nameOf(el);
      elements.set(name.key, el);
      ranked[rank - 1].push({ key: name.key, acts });
    }
    return ranked.flat();
  }

  function collect() {
    for (const el of everything()) if (isLink(el)) record(hrefOf(el), { text: textOf(el), path: pathOf(el) });
  }

  function state() {
    let hash = 2166136261;
    const seen = [...everything()].filter((el) => isLink(el) || rankOf(el)).map((el) => hrefOf(el) + textOf(el));
    for (const sign of seen.join("\n")) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619);
    return `${hash >>> 0}:${seen.length}`;
  }

  // --- what the prober asks for -----------------------------------------------------------------------------------

  function taken() {
    const some = found;
    found = [];
    return some;
  }

  function fire(el, types) {
    const box = el.getBoundingClientRect();
    for (const type of types) {
      const Kind = type.startsWith("pointer") ? PointerEvent : MouseEvent;
      const place = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, view: window };
      const bubbles = !type.endsWith("enter");
      el.dispatchEvent(new Kind(type, { ...place, bubbles, cancelable: true, composed: true, pointerType: "mouse" }));
    }
  }

  function choose(option) {
    const select = option.closest("select");
    select.value = option.value;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
  }

  function click(el) {
    fire(el, CLICK.slice(0, 4));
    if (typeof el.click === "function") el.click(); else fire(el, ["click"]);
  }

  async function act([key, kind]) {
    const el = elements.get(key);
    if (!el || !el.isConnected) return { missing: true, state: "", found: [] };
    trigger = { text: textOf(el), path: named.get(el).path };
    ({ hover: () => fire(el, HOVER), click: () => click(el), choose: () => choose(el) })[kind]();
    return outcome(await settle());
  }

  function outcome(changed) {
    if (changed) collect();
    return { missing: false, state: changed ? state() : "", found: taken() };
  }

  async function scroll() {
    const boxes = everything().filter((el) => el.clientHeight && el.scrollHeight > el.clientHeight + 1);
    const before = changes;
    for (const end of [0, 1]) { // up and down again: who waits for the end to come into sight must see it come
      for (const el of boxes) el.scrollTop = end * el.scrollHeight;
      window.scrollTo(0, end * document.documentElement.scrollHeight);
      await drawn();
    }
    await settle();
    return outcome(changes !== before);
  }

  function html(most) {
    const kind = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
    return (kind + document.documentElement.outerHTML).slice(0, most);
  }

  const links = () => { collect(); return taken(); };
  Object.defineProperty(window, "__focused", { value: Object.freeze({ quiet, html, list, act, scroll, links, state }) });
})();
