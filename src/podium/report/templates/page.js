// Highlighting: whoever is pointed at, or has the focus, or was pinned by a click, is lit everywhere.
let pinned = "";
let lit = "";
function light(key) {
  lit = key;
  for (const node of document.querySelectorAll(".lit, .lighting")) node.classList.remove("lit", "lighting");
  if (!key) return;
  for (const node of document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)) {
    node.classList.add("lit");
    node.ownerSVGElement?.classList.add("lighting");
  }
}
for (const name of ["mouseover", "focusin"])
  document.addEventListener(name, ({ target }) => {
    const named = target.closest?.("[data-key]");
    const key = named?.dataset.key || pinned;
    if (named?.tagName === "BDI" && named.textContent !== key) named.title = key; // a short label
    if (key !== lit) light(key);
  });

// In the ranking each name is a button that pins it.
function makeButtons() {
  for (const name of document.querySelectorAll("[data-block=ranking] tbody bdi[data-key]")) {
    const { key } = name.dataset;
    const button = make("button", { type: "button", "data-key": key, "aria-pressed": String(key === pinned), title: "highlight everywhere" });
    const written = make("bdi", {});
    written.append(...name.childNodes); // with the places where it may be broken
    button.append(written);
    name.closest(".scroll").removeAttribute("tabindex"); // the buttons take the focus
    name.replaceWith(button);
  }
}
document.addEventListener("click", ({ target }) => {
  const key = target.closest("button[data-key]")?.dataset.key;
  if (!key) return;
  pinned = pinned === key ? "" : key;
  for (const button of document.querySelectorAll("button[data-key]"))
    button.setAttribute("aria-pressed", String(button.dataset.key === pinned));
  light(pinned || key);
});
document.addEventListener("shown", () => { makeButtons(); light(lit); });
makeButtons();

// Copying.
const status = document.getElementById("copied");
async function copy(text, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { readonly: "" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = button.textContent;
  status.textContent = done ? "Copied." : "The browser did not let the page copy.";
  button.textContent = done ? "Copied" : "Not copied";
  setTimeout(() => { button.textContent = label; status.textContent = ""; }, 1600);
}
function offerCopy(block, label, text, key) {
  const button = make("button", { type: "button", class: "plain" }, label);
  button.addEventListener("click", () => copy(text, button));
  block.after(make("div", { class: "copy", "data-copies": key }, button));
}
const verdict = [...document.querySelectorAll("[data-verdict]")];
if (verdict.length) offerCopy(verdict.at(-1).closest("p, h1"), "Copy the verdict", verdict.map((item) => item.textContent).join(" ").replaceAll("\u00a0", " ").replaceAll("’s", "'s"), "verdict");

// A link to a folded section opens it; so does printing, for browsers whose style sheets cannot.
function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target && (target.querySelector(":scope > details") ?? target.closest("details")); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView?.();
}
addEventListener("hashchange", openTarget);
openTarget();
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => { for (const fold of opened) fold.open = false; });

// The contents show where the reader is.
const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    for (const [key, link] of links) key === target.id ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  }
}, { rootMargin: "-20% 0px -70% 0px" });
for (const section of document.querySelectorAll("main > section")) seen.observe(section);
document.documentElement.classList.add("ready");
