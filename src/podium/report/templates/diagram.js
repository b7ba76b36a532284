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
  return bars.map(([first, last]) => {
    let lane = ends.findIndex((end) => end < first);
    if (lane < 0) lane = ends.length;
    ends[lane] = last;
    return lane;
  });
}

function shortened(name, most) {
  return [...name].length > most ? [...name].slice(0, most - 1).join("") + "…" : name;
}

function rankDiagram(items, bars, title) {
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
  bars.forEach(([first, last], index) => {
    const y = top + 10 + 10 * lane[index];
    const bar = draw("line", {
      x1: x(items[first].rank) - 4, x2: x(items[last].rank) + 4, y1: y, y2: y, class: "bar",
    });
    bar.append(draw("title", {}, items.slice(first, last + 1).map((item) => item.name).join(", ")));
    svg.append(bar);
  });
  return svg;
}
