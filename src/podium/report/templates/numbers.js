// What is recomputed in the page: corrections, ranks, groups. Pure functions of arrays.

function inOrder(pvalues, rule) {
  const order = pvalues.map((_, i) => i).sort((i, j) => pvalues[i] - pvalues[j]);
  const made = rule(order.map((i) => pvalues[i]), pvalues.length);
  const adjusted = new Array(pvalues.length);
  order.forEach((place, i) => { adjusted[place] = Math.min(1, made[i]); });
  return adjusted;
}

function stepDown(sorted, factor) {
  let highest = 0;
  return sorted.map((p, i) => (highest = Math.max(highest, factor(i) * p)));
}

function stepUp(sorted, factor) {
  const made = new Array(sorted.length);
  let lowest = 1;
  for (let i = sorted.length - 1; i >= 0; i--) made[i] = lowest = Math.min(lowest, factor(i) * sorted[i]);
  return made;
}

// How many of the k(k-1)/2 hypotheses of equality can be true at once (Shaffer, 1986): S(k) is the union over j
// of C(j, 2) + S(k - j).
const possibleCounts = [[0], [0]];
function truths(k) {
  for (let n = possibleCounts.length; n <= k; n++) {
    const possible = new Uint8Array((n * (n - 1)) / 2 + 1);
    for (let j = 1; j <= n; j++) for (const rest of possibleCounts[n - j]) possible[(j * (j - 1)) / 2 + rest] = 1;
    const found = [];
    possible.forEach((yes, count) => { if (yes) found.push(count); });
    possibleCounts.push(found);
  }
  return possibleCounts[k];
}

function shafferFactors(k, m) {
  const possible = truths(k);
  const factors = new Array(m);
  let place = 0;
  for (let left = 1; left <= m; left++) {
    while (place + 1 < possible.length && possible[place + 1] <= left) place++;
    factors[m - left] = possible[place];
  }
  return factors;
}

const CORRECTIONS = {
  holm: (p) => inOrder(p, (sorted, m) => stepDown(sorted, (i) => m - i)),
  shaffer: (p, k) => inOrder(p, (sorted, m) => {
    const factors = shafferFactors(k, m);
    return stepDown(sorted, (i) => factors[i]);
  }),
  hochberg: (p) => inOrder(p, (sorted, m) => stepUp(sorted, (i) => m - i)),
  bonferroni: (p) => p.map((value) => Math.min(1, value * p.length)),
  benjamini_hochberg: (p) => inOrder(p, (sorted, m) => stepUp(sorted, (i) => m / (i + 1))),
  none: (p) => p.slice(),
};

// Mean ranks (1 is best, ties share) of the chosen columns over the rows where all of them have a score.
function meanRanks(values, chosen, higherIsBetter) {
  const sums = new Float64Array(chosen.length);
  let rows = 0;
  for (const row of values) {
    if (chosen.some((j) => row[j] === null)) continue;
    rows++;
    // Scores that differ by float noise only are tied.
    const scores = chosen.map((j) => Number((higherIsBetter ? -row[j] : row[j]).toPrecision(12)));
    const order = scores.map((_, i) => i).sort((i, j) => scores[i] - scores[j]);
    for (let start = 0; start < order.length;) {
      let end = start;
      while (end + 1 < order.length && scores[order[end + 1]] === scores[order[start]]) end++;
      for (let i = start; i <= end; i++) sums[order[i]] += (start + end) / 2 + 1;
      start = end + 1;
    }
  }
  return { ranks: Array.from(sums, (sum) => (rows ? sum / rows : NaN)), rows };
}

// The largest sets of places in which no pair is told apart, each in order: split every set that holds a pair told
// apart, and drop sets inside others (insert and absorb, Piepho 2004). Null where there are more than `most`.
function groups(count, told, most) {
  let sets = [(1n << BigInt(count)) - 1n];
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      if (!told(i, j)) continue;
      const [one, other] = [1n << BigInt(i), 1n << BigInt(j)];
      const both = one | other;
      const kept = sets.filter((set) => (set & both) !== both);
      const halves = sets.filter((set) => (set & both) === both).flatMap((set) => [set & ~one, set & ~other]);
      for (const half of halves) if (!kept.some((set) => (set & half) === half)) kept.push(half);
      // A half that came first may lie inside one that came later.
      sets = kept.filter((set, place) => !kept.some((wider, at) => at !== place && (wider & set) === set));
      if (sets.length > most) return null;
    }
  }
  const members = sets.map((set) => Array.from({ length: count }, (_, i) => i).filter((i) => (set >> BigInt(i)) & 1n));
  return members.sort((a, b) => { // in the order of their first different member
    const place = a.findIndex((member, at) => member !== b[at]);
    return place < 0 ? 0 : a[place] - (b[place] ?? -1);
  });
}

// Maximal runs of neighbours in which no pair is told apart: at most as many as there are algorithms.
function runs(count, told) {
  const found = [];
  let reach = -1;
  for (let first = 0; first < count; first++) {
    let last = first;
    grow: while (last + 1 < count) {
      for (let i = first; i <= last; i++) if (told(i, last + 1)) break grow;
      last++;
    }
    if (last > reach) found.push(Array.from({ length: last - first + 1 }, (_, i) => first + i));
    reach = Math.max(reach, last);
  }
  return found;
}

function letter(index) {
  return (index >= 26 ? letter(Math.floor(index / 26) - 1) : "") + String.fromCharCode(97 + (index % 26));
}

function median(values) {
  const sorted = values.slice().sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (!sorted.length) return null;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function mean(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}

const MISSING = "–";
function numberText(value, kind, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return MISSING;
  if (typeof value === "string") return value;
  if (kind === "count") return String(value);
  if (kind === "pvalue") {
    if (value < 0.0001) return "<0.0001";
    return value.toFixed(value < 0.01 ? 4 : 3);
  }
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

function intervalText(low, high, digits) {
  if (low === null && high === null) return MISSING;
  return `[${numberText(low, "number", digits)}, ${numberText(high, "number", digits)}]`;
}
