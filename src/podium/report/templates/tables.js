// Tables that sort, filter and turn leaves. Every row comes from the page as it is; nothing is computed or formatted.

const LEAF = 50;
const PAGED_FROM = 200;

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Text that was compressed and written in base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

const collator = new Intl.Collator("en", { numeric: true });
const compare = (a, b) => (typeof a === "string" ? collator.compare(a, b) : a - b);

class TableView {
  constructor(holder) {
    this.holder = holder;
    this.body = holder.querySelector("tbody");
    this.heads = [...holder.querySelectorAll("thead th")];
    const rest = holder.querySelector("template[data-packed]");
    this.rows = [...this.body.rows];
    this.found = this.rows;
    this.sorted = null;
    this.leaf = 0;
    this.heads.forEach((head, index) => this.makeSortable(head, index));
    this.makeTools();
    this.show();
    if (rest) this.unpack(rest);
  }

  // The rows that wait packed in the page; until they are there, the first ones are.
  async unpack(rest) {
    const holder = document.createElement("template");
    holder.innerHTML = await unpacked(rest.content.textContent);
    this.rows.push(...holder.content.querySelectorAll("tr"));
    rest.remove();
    this.holder.querySelector(".cut")?.remove();
    this.tools.hidden = false;
    this.restart();
  }

  makeSortable(head, index) {
    const button = make("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      this.sorted = { index, direction: head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending" };
      this.restart();
    });
  }

  makeTools() {
    this.filter = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    this.marked = make("input", { type: "checkbox" });
    this.count = make("span", { class: "count", role: "status", "aria-live": "polite" });
    this.back = make("button", { type: "button", class: "plain" }, "Previous");
    this.next = make("button", { type: "button", class: "plain" }, "Next");
    this.filter.addEventListener("input", () => this.restart());
    this.marked.addEventListener("change", () => this.restart());
    this.back.addEventListener("click", () => this.turn(-1));
    this.next.addEventListener("click", () => this.turn(1));
    const word = this.holder.dataset.marked;
    this.tools = make("div", { class: "tools" }, make("label", {}, "Filter ", this.filter),
      ...(word ? [make("label", {}, this.marked, ` only those ${word}`)] : []), this.count, this.back, this.next);
    this.tools.hidden = this.rows.length < 10;
    this.holder.prepend(this.tools);
    this.printed = make("p", { class: "note onpaper" });
    this.holder.querySelector(".scroll").after(this.printed);
  }

  turn(step) {
    this.leaf += step;
    this.show();
    this.holder.querySelector(".scroll").scrollTop = 0;
  }

  // The rows that hold every word of the filter, in the order asked for; what is missing comes last, either way.
  restart() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.rows.filter((row) => (!this.marked.checked || row.classList.contains("marked"))
      && words.every((word) => this.namesIn(row).includes(word)));
    if (this.sorted) {
      const { index, direction } = this.sorted;
      const sign = direction === "ascending" ? 1 : -1;
      const keyed = this.found.map((row) => ({ row, value: this.valueOf(row.cells[index], this.heads[index]) }));
      keyed.sort((a, b) => (a.value === null) - (b.value === null) || sign * compare(a.value, b.value));
      this.found = keyed.map(({ row }) => row);
    }
    this.leaf = 0;
    this.show();
  }

  // What the filter looks at: names and words, not the numbers.
  namesIn(row) {
    return [...row.querySelectorAll("bdi")].map((name) => name.textContent).join(" ").toLowerCase();
  }

  // What a cell is sorted by: the number that it says it stands for, the number that it shows, or its text.
  valueOf(cell, head) {
    if (!head.classList.contains("n")) return cell.textContent.trim();
    const value = Number(cell.dataset.v ?? cell.textContent.replace("−", "-"));
    return Number.isNaN(value) ? null : value;
  }

  show() {
    const paged = this.found.length > PAGED_FROM;
    const from = paged ? this.leaf * LEAF : 0;
    const shown = paged ? this.found.slice(from, from + LEAF) : this.found;
    this.body.replaceChildren(...shown);
    this.heads.forEach((head, index) =>
      head.setAttribute("aria-sort", this.sorted?.index === index ? this.sorted.direction : "none"));
    this.back.hidden = this.next.hidden = !paged;
    this.back.disabled = from === 0;
    this.next.disabled = from + LEAF >= this.found.length;
    const written = (count) => count.toLocaleString("en");
    const place = paged ? `${written(from + 1)}–${written(from + shown.length)} of ` : "";
    const total = this.found.length === this.rows.length ? "" : ` (of ${written(this.rows.length)})`;
    this.count.textContent = `${place}${written(this.found.length)} row${this.found.length === 1 ? "" : "s"}${total}`;
    this.printed.textContent = paged || total ? `Printed: ${this.count.textContent}.` : "";
    document.dispatchEvent(new Event("shown"));
  }
}

for (const holder of document.querySelectorAll(".table")) new TableView(holder);
