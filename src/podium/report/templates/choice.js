// A choice of algorithms and of a control, and what follows from it: computed from the scores and p-values within.

const MOST_FOR_GROUPS = 40;
const MOST_GROUPS = 200;

class Comparison {
  constructor(data, page) {
    this.data = data;
    this.labels = page.labels;
    this.count = this.labels.length;
    this.pairs = data.pairs;
    this.place = new Map();
    this.pairs.a.forEach((a, i) => {
      this.place.set(a * this.count + this.pairs.b[i], i);
      this.place.set(this.pairs.b[i] * this.count + a, i);
    });
    const names = new Map(data.table.algorithms.map((name, i) => [name, i]));
    this.ranking = data.ranking.map((row) => ({ ...row, index: names.get(row.algorithm) }));
    const asked = data.choices.find((choice) => choice.question === "correction")?.answer;
    this.correctionName = asked ?? "its own";
    this.reported = {
      chosen: this.ranking.map((row) => row.index),
      control: data.facts.control === null || data.facts.control === undefined ? -1 : names.get(data.facts.control),
      correction: asked in CORRECTIONS ? asked : "",
      alpha: data.alpha,
    };
  }

  pair(i, j) { return this.place.get(i * this.count + j); }

  // Those who can be the control: every pair with them has a p-value.
  controls() {
    const all = this.reported.chosen;
    return all.filter((i) => all.every((j) => i === j || this.hasPvalue(i, j)));
  }

  hasPvalue(i, j) {
    const pair = this.pair(i, j);
    return pair !== undefined && this.pairs.pvalue[pair] !== null;
  }

  isReported(choice) {
    const same = ["control", "correction", "alpha"].every((name) => choice[name] === this.reported[name]);
    return same && choice.chosen.length === this.reported.chosen.length;
  }

  family(choice) {
    const found = [];
    const { chosen, control } = choice;
    if (control >= 0) {
      for (const i of chosen) if (i !== control) found.push(this.pair(control, i));
    } else {
      for (let i = 0; i < chosen.length; i++)
        for (let j = i + 1; j < chosen.length; j++) found.push(this.pair(chosen[i], chosen[j]));
    }
    return found.filter((pair) => pair !== undefined && this.pairs.pvalue[pair] !== null);
  }

  // Everything that follows from a choice.
  follow(choice) {
    const family = this.family(choice);
    const name = this.correctionOf(choice);
    const adjusted = CORRECTIONS[name](family.map((pair) => this.pairs.pvalue[pair]), choice.chosen.length);
    const byPair = new Map(family.map((pair, i) => [pair, adjusted[i]]));
    const higher = this.data.table.metric.direction === "higher";
    const { ranks, rows } = meanRanks(this.data.table.values, choice.chosen, higher);
    const order = choice.chosen.map((index, i) => ({ index, name: this.labels[index], rank: ranks[i] }));
    order.sort((a, b) => a.rank - b.rank);
    const told = (i, j) => {
      const value = byPair.get(this.pair(order[i].index, order[j].index));
      return value !== undefined && value <= choice.alpha;
    };
    const sets = choice.control >= 0 || order.length > MOST_FOR_GROUPS ? null : groups(order.length, told, MOST_GROUPS);
    const asRuns = choice.control < 0 && sets === null;
    const bars = asRuns ? runs(order.length, told) : sets ?? [];
    this.addCounts(order, byPair, choice);
    bars.forEach((members, bar) => members.forEach((place) => order[place].letters.push(letter(bar))));
    const toldApart = adjusted.filter((value) => value <= choice.alpha).length;
    const drawn = bars.filter((members) => members.length > 1);
    return { order, bars: drawn, asRuns, byPair, rows, correction: name, toldApart };
  }

  correctionOf(choice) {
    const name = choice.correction || "holm";
    return name === "shaffer" && choice.control >= 0 ? "holm" : name;
  }

  // Wins and losses against the others at the level, and with all pairs the simultaneous interval of the rank.
  addCounts(order, byPair, choice) {
    const at = new Map(order.map((item) => [item.index, Object.assign(item, { wins: 0, losses: 0, tests: 0, letters: [] })]));
    for (const [pair, value] of byPair) {
      const a = at.get(this.pairs.a[pair]), b = at.get(this.pairs.b[pair]);
      a.tests++;
      b.tests++;
      if (value > choice.alpha) continue;
      const [winner, loser] = this.firstIsBetter(pair, a, b) ? [a, b] : [b, a];
      winner.wins++;
      loser.losses++;
    }
    for (const item of order) {
      item.low = choice.control >= 0 ? null : 1 + item.losses;
      item.high = choice.control >= 0 ? null : order.length - item.wins;
    }
  }

  firstIsBetter(pair, a, b) {
    const effect = this.pairs.effect[pair]; // the first less the second, in the metric's own units
    if (effect) return effect > 0 === (this.data.table.metric.direction === "higher");
    const { wins, losses } = this.pairs;
    return wins && wins[pair] !== losses[pair] ? wins[pair] > losses[pair] : a.rank < b.rank;
  }
}
