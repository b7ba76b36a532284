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
    const key = target.closest?.("[data-key]")?.dataset.key || pinned;
    if (key !== lit) light(key);
  });

// In the ranking each name is a button that pins it.
function makeButtons() {
  for (const name of document.querySelectorAll("[data-block=ranking] tbody bdi[data-key]")) {
    const { key } = name.dataset;
    const button = make("button", { type: "button", "data-key": key, "aria-pressed": String(key === pinned), title: "highlight everywhere" });
    button.append(make("bdi", {}, key));
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
const verdict = document.querySelector("ul.verdict");
if (verdict) offerCopy(verdict, "Copy the verdict", [...verdict.children].map((item) => item.textContent).join(" "), "verdict");
for (const [key, text] of Object.entries(JSON.parse(document.getElementById("podium-latex").textContent))) {
  const block = document.querySelector(`[data-block="${CSS.escape(key)}"]`);
  if (block) offerCopy(block, "Copy LaTeX", text, key);
}
document.documentElement.classList.add("ready");
