// Sphinx's own scores; among pages that fit equally well those for readers stand before lists of functions and developers' pages.
const FOLDERS = { papers: 4, methods: 3, commands: 3, howto: 1, internals: -1, reference: -2 };
var Scorer = {
  score: ([page, , , , score]) => score + (FOLDERS[page.split("/")[0]] || 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
