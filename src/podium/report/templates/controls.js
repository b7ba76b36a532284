// The controls of the choice: checkboxes, the control, the correction, the level.

const CORRECTION_LABELS = {
  holm: "Holm", shaffer: "Shaffer", hochberg: "Hochberg", bonferroni: "Bonferroni",
  benjamini_hochberg: "Benjamini-Hochberg (false discovery rate)", none: "none",
};

function buildChoice(model, choice, follow) {
  const at = (id) => document.getElementById(id);
  const list = at("choose-list"), control = at("choose-control"), correction = at("choose-correction"), alpha = at("choose-alpha");
  const boxes = model.reported.chosen.map((index) => {
    const box = make("input", { type: "checkbox", value: String(index), checked: true });
    list.append(make("label", { "data-key": model.labels[index] }, box, make("bdi", {}, model.labels[index])));
    return box;
  });
  const controls = model.controls();
  if (controls.length === model.count) control.append(make("option", { value: "-1" }, "all pairs"));
  for (const index of controls) control.append(make("option", { value: String(index) }, `each against ${model.labels[index]}`));
  if (!model.reported.correction) correction.append(make("option", { value: "" }, `as in the report (${model.correctionName})`));
  for (const [name, label] of Object.entries(CORRECTION_LABELS)) correction.append(make("option", { value: name }, label));
  for (const level of [...new Set([0.1, 0.05, 0.01, 0.005, 0.001, model.data.alpha])].sort((a, b) => b - a))
    alpha.append(make("option", { value: String(level) }, String(level)));

  function show() {
    boxes.forEach((box) => { box.checked = choice.chosen.includes(Number(box.value)); });
    control.value = String(choice.control);
    correction.value = choice.correction;
    alpha.value = String(choice.alpha);
  }
  function change() {
    const picked = new Set(boxes.filter((box) => box.checked).map((box) => Number(box.value)));
    choice.control = Number(control.value);
    if (choice.control >= 0) picked.add(choice.control);
    choice.chosen = model.reported.chosen.filter((index) => picked.has(index));
    choice.correction = correction.value;
    choice.alpha = Number(alpha.value);
    show();
    follow();
  }
  for (const node of [list, control, correction, alpha]) node.addEventListener("change", change);
  const visibleBoxes = () => boxes.filter((box) => !box.parentNode.hidden);
  at("choose-all").addEventListener("click", () => { visibleBoxes().forEach((box) => { box.checked = true; }); change(); });
  at("choose-none").addEventListener("click", () => { visibleBoxes().forEach((box) => { box.checked = false; }); change(); });
  at("choose-find").addEventListener("input", (event) => {
    const asked = event.target.value.toLowerCase();
    for (const box of boxes) box.parentNode.hidden = !box.parentNode.textContent.toLowerCase().includes(asked);
  });
  at("choose-reset").addEventListener("click", () => {
    Object.assign(choice, model.reported);
    show();
    follow();
    document.querySelector("#choose summary").focus();
  });
  show();
}
