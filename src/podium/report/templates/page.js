// The page: tables, highlighting, copying, and the choice that ranking, diagram and pairs follow.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("podium-data").textContent);
const page = JSON.parse(byId("podium-page").textContent);
const views = {};
for (const holder of document.querySelectorAll(".table")) views[holder.dataset.block] = new TableView(holder);

// Highlighting: whoever is pointed at, or has the focus, or was pinned by a click, is lit everywhere.
let pinned = "";
let lit = "";
function light(key) {
  lit = key;
  for (const node of document.querySelectorAll(".lit")) node.classList.remove("lit");
  for (const node of document.querySelectorAll("svg.lighting")) node.classList.remove("lighting");
  if (!key) return;
  for (const node of document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)) {
    node.classList.add("lit");
    if (node.ownerSVGElement) node.ownerSVGElement.classList.add("lighting");
  }
}
const keyAt = (target) => (target.closest ? target.closest("[data-key]")?.dataset.key : "") || pinned;
document.addEventListener("mouseover", (event) => { const key = keyAt(event.target); if (key !== lit) light(key); });
document.addEventListener("focusin", (event) => { const key = keyAt(event.target); if (key !== lit) light(key); });
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-key]");
  if (!button) return;
  pinned = pinned === button.dataset.key ? "" : button.dataset.key;
  for (const other of document.querySelectorAll("button[data-key]"))
    other.setAttribute("aria-pressed", String(other.dataset.key === pinned));
  light(pinned || button.dataset.key);
});

function nameButton(key) {
  const pressed = String(key === pinned);
  return make("button", { type: "button", "data-key": key, "aria-pressed": pressed, title: "highlight everywhere" }, make("bdi", {}, key));
}

// Copying.
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
  byId("copied").textContent = done ? "Copied." : "The browser did not let the page copy.";
  const label = button.textContent;
  button.textContent = done ? "Copied" : "Not copied";
  setTimeout(() => { button.textContent = label; byId("copied").textContent = ""; }, 1600);
}
function copyButton(label, text) {
  const button = make("button", { type: "button", class: "plain" }, label);
  button.addEventListener("click", () => copy(text, button));
  return button;
}
const verdict = document.querySelector("ul.verdict");
if (verdict) {
  const sentences = [...verdict.children].map((item) => item.textContent).join(" ");
  verdict.after(make("div", { class: "copy" }, copyButton("Copy the verdict", sentences)));
}
for (const [key, text] of Object.entries(page.latex || {})) {
  const block = key === "methods" ? byId("methods-text") : document.querySelector(`[data-block="${CSS.escape(key)}"]`);
  if (block) block.after(make("div", { class: "copy", "data-copies": key }, copyButton("Copy LaTeX", text)));
}

// The pairs, from the data: every row is made when it is shown.
function pairRow(index, adjusted, alpha) {
  const pairs = data.pairs;
  const [a, b] = [page.labels[pairs.a[index]], page.labels[pairs.b[index]]];
  const values = page.columns.pairs.map(({ key }) => {
    if (key === "a") return a;
    if (key === "b") return b;
    if (key === "adjusted") return adjusted;
    if (key === "interval") return pairs.low[index] === null ? null : (pairs.low[index] + pairs.high[index]) / 2;
    if (key === "record") return pairs.wins[index] - pairs.losses[index];
    return pairs[key][index];
  });
  const cell = ({ key, kind, digits }, place) => {
    if (key === "a") return nameCell("th", a, { scope: "row" });
    if (key === "b") return nameCell("td", b);
    if (key === "interval") return numberCell(intervalText(pairs.low[index], pairs.high[index], digits));
    if (key === "record") return numberCell(`${pairs.wins[index]}/${pairs.ties[index]}/${pairs.losses[index]}`);
    return make("td", { class: `n ${key}` }, numberText(values[place], kind, digits));
  };
  const told = adjusted !== null && adjusted <= alpha;
  return {
    values, told, text: `${a} ${b}`.toLowerCase(),
    make: () => make("tr", { class: told ? "told" : "" }, ...page.columns.pairs.map(cell)),
  };
}

function rankingRow(item, reported) {
  const columns = page.columns.ranking;
  const told = {
    algorithm: item.name, mean_rank: item.rank, groups: item.letters.join(item.letters.some((l) => l.length > 1) ? " " : ""),
    rank_interval: item.low === null ? null : (item.low + item.high) / 2, record: item.wins - item.losses,
  };
  const values = columns.map(({ key }) => (key in told ? told[key] : reported[key] ?? null));
  const cell = ({ key, kind, digits }, place) => {
    if (key === "algorithm") return make("th", { scope: "row" }, nameButton(item.name));
    if (key === "groups") return make("td", {}, told.groups);
    if (key === "rank_interval") return numberCell(intervalText(item.low, item.high, 0));
    if (key === "record") return numberCell(`${item.wins}/${item.tests - item.wins - item.losses}/${item.losses}`);
    return numberCell(numberText(values[place], kind, digits));
  };
  return { values, text: item.name.toLowerCase(), make: () => make("tr", {}, ...columns.map(cell)) };
}

if (page.columns) {
  const model = new Comparison(data, page);
  const choice = { ...model.reported };
  const onlyTold = make("input", { type: "checkbox" });
  for (const row of views.ranking.rows) {
    const name = row.make().cells[0].querySelector("[data-key]");
    if (name) name.replaceWith(nameButton(name.dataset.key));
  }
  views.ranking.holder.querySelector(".scroll").removeAttribute("tabindex"); // its buttons take the focus
  for (const view of Object.values(views)) view.whenShown = () => { if (lit) light(lit); };
  views.pairs.holder.querySelector(".cut")?.remove();
  views.pairs.tools.querySelector("label").after(make("label", {}, onlyTold, " only those told apart"));
  onlyTold.addEventListener("change", () => showPairs());

  let adjustedByPair = new Map(data.pairs.adjusted.map((value, index) => [index, value]));
  function showPairs() {
    const rows = [...adjustedByPair].map(([index, value]) => pairRow(index, value, choice.alpha));
    const kept = onlyTold.checked ? rows.filter((row) => row.told) : rows;
    const p = page.columns.pairs.findIndex(({ key }) => key === "adjusted");
    const raw = page.columns.pairs.findIndex(({ key }) => key === "pvalue");
    const last = (value) => (value === null ? 2 : value);
    kept.sort((x, y) => last(x.values[p]) - last(y.values[p]) || last(x.values[raw]) - last(y.values[raw]));
    views.pairs.setRows(kept);
  }
  showPairs();

  const diagram = document.querySelector('figure[data-block="diagram"]')
    || views.ranking.holder.parentNode.appendChild(make("figure", { "data-block": "diagram", class: "made" }, make("figcaption")));
  const live = make("div", { class: "live scroll", tabindex: "0", role: "group", "aria-label": "Diagram of the choice" });
  live.hidden = true;
  diagram.prepend(live);
  const caption = diagram.querySelector("figcaption");
  const reportedCaption = caption.textContent;

  function words(followed) {
    const size = choice.chosen.length, tests = followed.byPair.size;
    const what = choice.control >= 0 ? `each against ${page.labels[choice.control]}` : "all pairs";
    const names = { holm: "Holm", shaffer: "Shaffer", hochberg: "Hochberg", bonferroni: "Bonferroni", benjamini_hochberg: "Benjamini-Hochberg", none: "no correction" };
    const other = model.reported.correction === followed.correction ? "" : " (the report has another correction)";
    return `Recomputed in this page: ${size} of ${model.count} algorithms, ${what} (${tests} tests), ${names[followed.correction]}${other}, `
      + `level ${choice.alpha}: ${followed.toldApart} told apart. Mean ranks over the ${followed.rows} datasets on which all of them have a score. `
      + (followed.asRuns ? "Groups are runs of neighbours by mean rank without a pair told apart. " : "")
      + "The verdict, the remarks, the methods, the scores and the other figures are still those of the report.";
  }

  function follow() {
    const reported = model.isReported(choice);
    const enough = choice.chosen.length >= 2;
    byId("choose-reset").hidden = reported;
    document.body.classList.toggle("recomputed", !reported && enough);
    for (const key of ["ranking", "diagram", "pairs"])
      for (const node of document.querySelectorAll(`[data-copies="${key}"]`)) node.hidden = !reported;
    const drawn = diagram.querySelector(".scroll:not(.live)");
    if (drawn) drawn.hidden = !reported && enough;
    live.hidden = reported || !enough;
    if (diagram.classList.contains("made")) diagram.hidden = live.hidden;
    if (!enough) { byId("recomputed").textContent = "Choose at least two algorithms."; return; }
    if (reported) {
      byId("recomputed").textContent = "";
      caption.textContent = reportedCaption;
      views.ranking.setRows(views.ranking.given);
      adjustedByPair = new Map(data.pairs.adjusted.map((value, index) => [index, value]));
      showPairs();
      return;
    }
    const followed = model.follow(choice);
    const rowOf = new Map(model.ranking.map((row) => [row.index, row]));
    byId("recomputed").textContent = words(followed);
    views.ranking.setRows(followed.order.map((item) => rankingRow(item, rowOf.get(item.index))));
    adjustedByPair = followed.byPair;
    showPairs();
    live.replaceChildren(rankDiagram(followed.order, followed.bars, "Mean ranks and groups of the chosen algorithms"));
    caption.textContent = "Mean ranks of the chosen algorithms, recomputed in this page; a bar joins those that are not told apart.";
    if (choice.control >= 0) caption.textContent = "Mean ranks of the chosen algorithms, recomputed in this page.";
  }

  buildChoice(model, choice, follow);
  byId("choose").hidden = false;
  globalThis.podium = Object.freeze({ CORRECTIONS, meanRanks, groups, runs, model });
} else if (views.ranking) {
  globalThis.podium = Object.freeze({ CORRECTIONS });
}
