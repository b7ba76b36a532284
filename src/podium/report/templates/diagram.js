// The diagram of a choice: mean ranks on an axis, names at both sides, bars over those who are not told apart.

const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// Bars that overlap go to different lanes.
function lanes(bars) {
  const ends = [];
  return bars.map((members) => {
    const [first, last] = [members[0], members[members.length - 1]];
    let lane = ends.findIndex((end) => end < first);
    if (lane < 0) lane = ends.length;
    ends[lane] = last;
    return lane;
  });
}

// The stretches of neighbours that a group is made of, as [first, last] places.
function stretches(members) {
  const found = [];
  for (const place of members) {
    if (found.length && found[found.length - 1][1] === place - 1) found[found.length - 1][1] = place;
    else found.push([place, place]);
  }
  return found;
}

function listed(members, items) {
  const names = members.map((place) => items[place].name);
  return names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ");
}

function shortened(name, most) {
  return [...name].length > most ? [...name].slice(0, most - 1).join("") + "…" : name;
}

// Many algorithms, or many bars: one line for each, a dot at its mean rank, upright bars beside.
function rankList(items, bars, title) {
  const names = 230, width = 760, rowHeight = 17, top = 30;
  const lane = lanes(bars);
  const lanesWide = bars.length ? 7 * (Math.max(...lane) + 1) + 14 : 0;
  const height = top + items.length * rowHeight + 10;
  const first = Math.floor(items[0].rank), last = Math.ceil(items[items.length - 1].rank);
  const left = names + lanesWide;
  const x = (rank) => left + 10 + ((rank - first) / Math.max(last - first, 1)) * (width - left - 40);
  const y = (place) => top + (place + 0.5) * rowHeight;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  const step = Math.max(1, Math.ceil((last - first) / 8));
  for (let rank = first; rank <= last; rank += step) {
    svg.append(draw("line", { x1: x(rank), x2: x(rank), y1: top - 6, y2: height - 6, class: "grid" }));
    svg.append(draw("text", { x: x(rank), y: top - 12, class: "muted", "text-anchor": "middle" }, String(rank)));
  }
  items.forEach((item, place) => {
    const label = draw("text", { x: names - 8, y: y(place) + 4, "text-anchor": "end", "data-key": item.name }, shortened(item.name, 30));
    label.append(draw("title", {}, `${item.name}: mean rank ${item.rank.toFixed(3)}`));
    svg.append(label, draw("circle", { cx: x(item.rank), cy: y(place), r: 3.5, "data-key": item.name, class: "dot" }));
  });
  bars.forEach((members, index) => {
    const at = names + 7 * lane[index] + 6;
    for (const [from, to] of stretches(members)) {
      const bar = draw("line", { x1: at, x2: at, y1: y(from) - 4, y2: y(to) + 4, class: "bar thin" });
      bar.append(draw("title", {}, listed(members, items)));
      svg.append(bar);
    }
  });
  return svg;
}

function rankDiagram(items, bars, title) {
  if (items.length > 30 || bars.length > 12) return rankList(items, bars, title);
  const count = items.length, width = 760, side = 210, top = 40, rowHeight = 19;
  const lane = lanes(bars);
  const lanesHigh = bars.length ? 10 * (Math.max(...lane) + 1) + 12 : 6;
  const left = Math.ceil(count / 2);
  const height = top + lanesHigh + left * rowHeight + 12;
  const low = 1, high = Math.max(count, 2);
  const x = (rank) => side + ((rank - low) / (high - low)) * (width - 2 * side);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  svg.append(draw("line", { x1: x(low), x2: x(high), y1: top, y2: top }));
  const step = Math.max(1, Math.ceil((high - low) / 12));
  for (let rank = low; rank <= high; rank += step) {
    svg.append(draw("line", { x1: x(rank), x2: x(rank), y1: top - 5, y2: top }));
    svg.append(draw("text", { x: x(rank), y: top - 9, class: "muted", "text-anchor": "middle" }, String(rank)));
  }
  items.forEach((item, place) => {
    const onLeft = place < left;
    const row = onLeft ? place : count - 1 - place;
    const y = top + lanesHigh + row * rowHeight + 8;
    const edge = onLeft ? side - 8 : width - side + 8;
    svg.append(draw("polyline", {
      points: `${x(item.rank)},${top} ${x(item.rank)},${y} ${edge},${y}`, class: "leader", "data-key": item.name,
    }));
    const text = draw("text", {
      x: onLeft ? edge - 4 : edge + 4, y: y + 4, "text-anchor": onLeft ? "end" : "start", "data-key": item.name,
    }, `${shortened(item.name, 22)} ${item.rank.toFixed(2)}`);
    text.append(draw("title", {}, `${item.name}: mean rank ${item.rank.toFixed(3)}`));
    svg.append(text);
  });
  bars.forEach((members, index) => {
    const y = top + 10 + 10 * lane[index];
    const ends = [members[0], members[members.length - 1]].map((place) => x(items[place].rank));
    const parts = stretches(members);
    const group = draw("g", {});
    group.append(draw("title", {}, listed(members, items)));
    // A group that passes over others is dotted where it does.
    if (parts.length > 1) group.append(draw("line", { x1: ends[0], x2: ends[1], y1: y, y2: y, class: "bar passing" }));
    for (const [from, to] of parts)
      group.append(draw("line", { x1: x(items[from].rank) - 4, x2: x(items[to].rank) + 4, y1: y, y2: y, class: "bar" }));
    svg.append(group);
  });
  return svg;
}
