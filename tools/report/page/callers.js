// SPDX-License-Identifier: MIT
// Who called the chosen function, and what it called, from the call paths of the tree.

const OUTERMOST = "nobody: it is the outermost", OWN = "its own code";

// The call paths that have samples of their own: the functions from the outermost on.
function stacksOf(run) {
  if (run.stacks) return run.stacks;
  const tree = treeOf(run), paths = [];
  run.stacks = [];
  for (const node of tree) {
    paths[node.id] = node.level === 3 ? [...paths[node.parent], node.name] : node.level ? paths[node.parent] : [];
    const own = node.hits - node.children.reduce((sum, child) => sum + child.hits, 0);
    if (own > 0 && paths[node.id].length) run.stacks.push({ task: node.task, mode: node.mode, path: paths[node.id], own });
  }
  return run.stacks;
}

// A stack counts once for each other function beside this one in it, however often a recursion has both.
function besideOf(stacks, name, step) {
  const found = new Map();
  for (const { path, own } of stacks) {
    const beside = new Set(path.flatMap((one, place) => (one === name ? [path[place + step] || (step < 0 ? OUTERMOST : OWN)] : [])));
    for (const other of beside) found.set(other, (found.get(other) || 0) + own);
  }
  return [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

function chooseFunction(name) {
  const alike = treeOf(data.run).filter((node) => node.level === 3 && node.name === name && nodeShown(node));
  if (alike.length) chooseNode(alike.reduce((most, one) => (one.hits > most.hits ? one : most)).id);
}

function besideTable(words, rows, all) {
  return el("div", null, el("h4", null, words), el("table", null, el("thead", null, el("tr", null, ["Function", "%", "Samples"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", null, rows.map(([name, hits]) => el("tr", null, el("th", { scope: "row", class: "left long" },
      [OUTERMOST, OWN].includes(name) ? name : el("button", { type: "button", onclick: () => chooseFunction(name), title: "Show it in the tree" }, name)),
    el("td", null, percent((100 * hits) / all)), el("td", { "data-beside": name }, count(hits)))))));
}

// The function of the chosen node; null: it is none.
function chosenFunction() {
  let node = treeOf(data.run)[state.node];
  while (node.level > 3) node = treeOf(data.run)[node.parent];
  return node.level === 3 ? node : null;
}

function callersOf(node) {
  if (!data.run.code.calls) return [el("p", { class: "quiet" }, "Its callers are not known: the run has no call stacks (stack=).")];
  if (partOf(data.run)) return [el("p", { class: "quiet" }, "Its callers are known for the whole run only.")];
  const stacks = stacksOf(data.run).filter((one) => nodeShown({ ...one, level: 3 }) && one.path.includes(node.name));
  const hits = stacks.reduce((sum, { own }) => sum + own, 0), all = data.run.code.samples;
  return [el("p", null, `${hits} samples in it or in what it called, ${percent((100 * hits) / all)} % of all; a recursion counts once.`),
    el("div", { class: "beside" }, besideTable("Called by", besideOf(stacks, node.name, -1), all), besideTable("Calls", besideOf(stacks, node.name, 1), all))];
}

function drawCallers() {
  const node = chosenFunction();
  show("callers", node ? [el("h3", null, `Callers and callees of ${node.name}`), ...callersOf(node)] : []);
}
