// SPDX-License-Identifier: MIT
// Two runs row by row: the difference with its interval, and whether it is more than chance.

const COMPARE_FIRST = 25;
const compared = { what: "tasks", more: false, node: 0 };
const CHANGES = [10, 1]; // points from which on a colour is stronger

function judgement(row) {
  if (row.p === null) return "n.a.";
  if (!row.significant) return "may be chance";
  return row.difference > 0 ? "more in B" : "less in B";
}

function comparedRow(row, most) {
  return el("tr", { class: row.significant ? "guilty" : null }, el("th", { scope: "row", class: "left long" }, row.name),
    el("td", { class: "wide" }, percent(row.a.percent)), el("td", { class: "wide" }, percent(row.b.percent)), el("td", { class: "bar" }, differenceBar(row, most)),
    el("td", null, signed(row.difference)), el("td", { class: "wide" }, range(row.low, row.high)),
    el("td", { class: "wide" }, row.p === null ? "n.a." : row.p.toPrecision(2)), el("td", null, judgement(row)));
}

// A share says nothing of how long its run was.
function comparedTimes() {
  const [a, b] = data.all.runs.map((run) => run.stat.window.seconds);
  return a === null || b === null ? "" : `Shares are of each run's own time: ${fixed(a, 3)} s of A, ${fixed(b, 3)} s of B.  `;
}

function comparison(from) {
  const rows = from.rows.filter((row) => (!state.text || matches(row.name)) && (!state.task || row.name === state.task || row.name.startsWith(`${state.task} `)));
  const shown = compared.more ? rows : rows.slice(0, COMPARE_FIRST);
  const most = Math.max(1e-9, ...rows.map((row) => Math.max(Math.abs(row.difference), Math.abs(row.low || 0), Math.abs(row.high || 0))));
  const significant = from.rows.filter((row) => row.significant).length;
  return [el("p", null, (partOf(data.run) ? "Of the whole runs, whatever time is chosen.  " : "") + comparedTimes() + (from.reason ? `There is no test: ${from.reason}.` : `${significant} of ${from.rows.length + from.left_out} rows differ by more than chance. `
    + "If two runs do not differ, at most 5 comparisons in 100 show any such row; p is corrected for the number of rows (Holm).")),
  el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Differences" }, el("table", { id: "differences" },
    el("caption", { class: "quiet" }, `B less A in points; the drawing ends at ${percent(most)} points to both sides.`),
    el("thead", null, el("tr", null, ["Row", "A %", "B %", "B \u2212 A and 95 % interval", "Points", "95 %", "p", "Verdict"].map((head, place) =>
      el("th", { scope: "col", class: [1, 2, 5, 6].includes(place) ? "wide" : place === 3 ? "left" : null }, head)))),
    el("tbody", null, shown.map((row) => comparedRow(row, most))))),
  shown.length < rows.length ? el("button", { type: "button", onclick: () => { compared.more = true; drawCompare(); } }, `Show all ${rows.length}`) : null];
}

// ---- both runs as one tree ----

function hasDifferences() {
  return data.all.compare && data.all.compare.tree;
}

// Its nodes are as wide as the mean of both shares, so that what is in one run alone is seen too.
function differenceNodes() {
  const { compare } = data.all;
  if (compare.nodes) return compare.nodes;
  compare.nodes = readNodes(compare.tree.map(([name, parent, level, a, b]) => [name, parent, level, a + b, null, null, null, true]));
  compare.tree.forEach(([, , , a, b, difference, low, high, significant], id) => Object.assign(compare.nodes[id], { a, b, difference, low, high, significant }));
  return compare.nodes;
}

function differenceLabel(node) {
  return node.level ? `${node.name} ${signed(node.difference)}` : node.name;
}

function differenceWords(node) {
  const told = ` points (95 %: ${range(node.low, node.high)}), ${node.significant ? "more than chance" : "may be chance"}: ${percent(node.a)} % in A, ${percent(node.b)} % in B`;
  return differenceLabel(node) + (node.level ? told : "");
}

function differenceClass(node) {
  const strength = 1 + CHANGES.filter((points) => Math.abs(node.difference) >= points).length;
  return [node.significant ? `${node.difference > 0 ? "more" : "less"}${strength}` : "same", foundClass(node)].filter(Boolean).join(" ");
}

const differenceView = {
  box: "difference-tree", nodes: differenceNodes, chosen: () => compared.node, shown: nodeShown, words: differenceWords, look: differenceClass,
  label: differenceLabel,
  set: (id) => { compared.node = id; keepPlace(); drawNodes(differenceView); focusChosen(differenceView); },
};

function differenceTree() {
  if (!hasDifferences()) return [];
  return [el("h3", null, "Both runs as one tree"), el("div", { class: "tools" }, turnButton("turn-both")), el("p", { class: "legend" }, swatch("more3", "more in B"), swatch("less3", "less in B"), swatch("same", "may be chance")),
  el("p", { class: "quiet" }, `Stronger from ${CHANGES[1]} and from ${CHANGES[0]} points on; as wide as the mean of both shares.`),
  treeBox(differenceView, "Differences by task, mode and function")];
}

function drawCompare() {
  const compare = data.all.compare;
  byId("compare-section").hidden = !compare;
  if (!compare) return;
  const choose = (what) => { compared.what = what; compared.more = false; drawCompare(); byId(`compare-${what}`).focus(); };
  const from = compare[compared.what] || compare.tasks;
  show("compare", el("div", { class: "tools" }, ["tasks", "functions"].filter((what) => compare[what]).map((what) =>
    el("button", { type: "button", id: `compare-${what}`, "aria-pressed": String(compared.what === what), onclick: () => choose(what) }, `By ${what}`))), ...comparison(from), ...differenceTree().flat());
  if (hasDifferences()) drawNodes(differenceView);
}
