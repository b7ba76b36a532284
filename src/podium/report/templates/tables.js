// Tables that sort, filter and turn leaves. A view holds rows: { values, text, make() } and shows some of them.

const LEAF = 50;

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const collator = new Intl.Collator("en", { numeric: true });
function compare(a, b) {
  if (typeof a === "string" || typeof b === "string") return collator.compare(a, b);
  return a - b;
}

class TableView {
  constructor(holder) {
    this.holder = holder;
    this.table = holder.querySelector("table");
    this.body = this.table.tBodies[0];
    this.heads = [...this.table.tHead.rows[0].cells];
    this.rows = [...this.body.rows].map((row) => this.rowOf(row));
    this.given = this.rows;
    this.words = [];
    this.sorted = null;
    this.leaf = 0;
    this.heads.forEach((head, index) => this.makeSortable(head, index));
    this.makeTools();
  }

  rowOf(row) {
    const values = [...row.cells].map((cell, index) => {
      if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
      const text = cell.textContent.trim();
      if (!this.heads[index].classList.contains("n")) return text;
      const value = Number(text.replace("−", "-"));
      return text === MISSING || Number.isNaN(value) ? null : value;
    });
    return { values, text: row.textContent.toLowerCase(), make: () => row };
  }

  makeSortable(head, index) {
    const button = make("button", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "ascending";
      this.sort(index, up ? "descending" : "ascending");
    });
  }

  makeTools() {
    this.find = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    this.find.addEventListener("input", () => {
      this.words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.leaf = 0;
      this.show();
    });
    this.count = make("span", { class: "count", role: "status", "aria-live": "polite" });
    this.back = make("button", { type: "button", class: "plain" }, "Previous");
    this.next = make("button", { type: "button", class: "plain" }, "Next");
    this.back.addEventListener("click", () => this.turn(-1));
    this.next.addEventListener("click", () => this.turn(1));
    this.tools = make("div", { class: "tools" }, make("label", {}, "Filter ", this.find), this.count, this.back, this.next);
    this.holder.prepend(this.tools);
    this.show();
  }

  turn(step) {
    this.leaf += step;
    this.show();
    this.holder.querySelector(".scroll").scrollTop = 0;
  }

  sort(index, direction) {
    this.sorted = { index, direction };
    this.leaf = 0;
    this.show();
  }

  setRows(rows) {
    this.rows = rows;
    this.leaf = 0;
    this.show();
  }

  matching() {
    const found = this.words.length
      ? this.rows.filter((row) => this.words.every((word) => row.text.includes(word)))
      : this.rows.slice();
    if (!this.sorted) return found;
    const { index, direction } = this.sorted;
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = found.map((row, place) => ({ row, place, value: row.values[index] }));
    keyed.sort((a, b) => {
      const aGone = a.value === null, bGone = b.value === null;
      if (aGone || bGone) return aGone - bGone || a.place - b.place; // what is missing comes last, either way
      return sign * compare(a.value, b.value) || a.place - b.place;
    });
    return keyed.map((item) => item.row);
  }

  show() {
    const found = this.matching();
    const leaves = Math.max(1, Math.ceil(found.length / LEAF));
    this.leaf = Math.min(Math.max(this.leaf, 0), leaves - 1);
    const paged = found.length > 4 * LEAF;
    const shown = paged ? found.slice(this.leaf * LEAF, (this.leaf + 1) * LEAF) : found;
    this.body.replaceChildren(...shown.map((row) => row.make()));
    this.heads.forEach((head, index) =>
      head.setAttribute("aria-sort", this.sorted && this.sorted.index === index ? this.sorted.direction : "none"));
    this.back.hidden = this.next.hidden = !paged;
    this.back.disabled = this.leaf === 0;
    this.next.disabled = this.leaf === leaves - 1;
    const from = this.leaf * LEAF + 1;
    const place = paged ? `${from}–${from + shown.length - 1} of ` : "";
    const total = found.length === this.rows.length ? "" : ` (of ${this.rows.length})`;
    this.count.textContent = `${place}${found.length} row${found.length === 1 ? "" : "s"}${total}`;
    this.tools.hidden = this.rows.length < 6 && !this.words.length;
    if (this.whenShown) this.whenShown();
  }
}

function nameCell(tag, key, attributes = {}) {
  return make(tag, attributes, make("bdi", { "data-key": key }, key));
}

function numberCell(text) {
  return make("td", { class: "n" }, text);
}
