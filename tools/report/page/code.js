// SPDX-License-Identifier: MIT
// The samples by code: an icicle or flame view of task, mode, function and line, and the flat profile by function.

const LEVELS = ["all samples", "task", "mode", "function", "line"];
const LEAST_WIDTH = 0.001; // of the view: a narrower node is not drawn
const FUNCTIONS_FIRST = 20;
const PLACES_FIRST = 3; // of a function: tasks and modes that it ran in

// The arrays of the data as objects, with their children and their place in the whole.
function readNodes(list) {
  const nodes = list.map(([name, parent, level, hits, share, low, high, known], id) => ({ id, name, parent, level, hits, percent: share, low, high, known, children: [] }));
  for (const node of nodes.slice(1)) nodes[node.parent].children.push(node);
  for (const node of nodes) {
    node.children.sort((a, b) => b.hits - a.hits || a.id - b.id);
    const above = nodes[node.parent];
    node.task = node.level > 1 ? above.task : node.name;
    node.depth = node.level ? above.depth + 1 : 0;
    node.mode = node.level > 2 ? above.mode : node.level === 2 ? node.name : "";
  }
  return nodes;
}

// Those of the chosen part of the time, under the same numbers.
function nodesOf(run) {
  const part = partOf(run);
  return part ? part.nodes : wholeNodes(run);
}

function wholeNodes(run) {
  run.nodes = run.nodes || (run.code.nodes ? readNodes(run.code.nodes) : []);
  return run.nodes;
}

// The names from the whole down to a node, and the node of such names, or the last that is there.
function nodePath(nodes, id) {
  const path = [];
  for (let node = nodes[id]; node && node.level; node = nodes[node.parent]) path.unshift(node.name);
  return path;
}

function nodeAt(nodes, path) {
  let node = nodes[0];
  for (const name of path) {
    const next = node && node.children.find((child) => child.name === name);
    if (!next) break;
    node = next;
  }
  return node ? node.id : 0;
}

// The nodes of the tree view: by call path where the run has callers, with a level for each.  Of a part of the time no
// callers are known: the image counts call stacks over the run.
function treeOf(run) {
  if (partOf(run)) return nodesOf(run);
  run.tree = run.tree || (run.code.calls ? readNodes(run.code.calls) : nodesOf(run));
  return run.tree;
}

// The node of a function in the tree; of several call paths the one with the most samples.
function inTree(node) {
  const alike = treeOf(data.run).filter((one) => one.level === node.level && one.name === node.name && one.task === node.task && one.mode === node.mode);
  return alike.reduce((most, one) => (one.hits > most.hits ? one : most), alike[0] || treeOf(data.run)[0]);
}

// The tasks of which a function or line matches the text; kept until the text changes.
function tasksFound() {
  const run = data.run;
  if (run.foundFor !== state.text) {
    run.foundFor = state.text;
    run.found = new Set(nodesOf(run).filter((node) => node.level > 2 && matches(node.name)).map((node) => node.task));
  }
  return run.found;
}

function nodeShown(node) {
  return (!state.task || !node.level || node.task === state.task) && (!state.mode || node.level < 2 || node.mode === state.mode);
}

// ---- a tree as a drawing ----

// A view has its box, its nodes, the chosen one, whether a node is shown, its label, all words of it, its look; `set`
// takes the number of the node that is chosen.

// Where a node and what is below it are drawn: parts of the width of the chosen node.
function placeNodes(view) {
  const placed = [], nodes = view.nodes(), root = nodes[view.chosen()];
  const place = (node, from, width, depth) => {
    if (width < LEAST_WIDTH) return;
    placed.push({ node, from, width, depth });
    let at = from;
    for (const child of node.children.filter(view.shown)) {
      const part = node.hits ? (width * child.hits) / node.hits : 0;
      place(child, at, part, depth + 1);
      at += part;
    }
  };
  for (let above = root, path = []; ; above = nodes[above.parent]) {
    path.unshift(above);
    if (!above.level) {
      path.slice(0, -1).forEach((node, depth) => placed.push({ node, from: 0, width: 1, depth }));
      place(root, 0, 1, path.length - 1);
      return placed;
    }
  }
}

// Arrow keys go to the parent, the first child, and the neighbours that are drawn; Enter zooms, Backspace zooms out.
function treeKey(view, event) {
  const at = Number(event.target.dataset.node), nodes = view.nodes(), node = nodes[at];
  const drawn = (id) => byId(view.box).querySelector(`[data-node="${id}"]`);
  const beside = nodes[node.parent].children.filter((child) => drawn(child.id));
  const into = node.children.find((child) => drawn(child.id)), place = beside.indexOf(node);
  const goes = {
    ArrowRight: beside[place + 1], ArrowLeft: beside[place - 1], Home: nodes[0],
    [state.flame ? "ArrowUp" : "ArrowDown"]: into, [state.flame ? "ArrowDown" : "ArrowUp"]: nodes[node.parent],
  };
  if (event.key === "Backspace" || event.key === "Escape") view.set(nodes[view.chosen()].parent);
  else if (goes[event.key]) focusNode(view, drawn(goes[event.key].id));
  else if (!(event.key in goes)) return;
  event.preventDefault();
}

function focusNode(view, button) {
  byId(view.box).querySelectorAll("[tabindex='0']").forEach((other) => other.setAttribute("tabindex", "-1"));
  button.setAttribute("tabindex", "0");
  button.focus();
}

function tell(view, node) {
  byId(`${view.box}-where`).textContent = view.words(node);
}

function treeButton(view, { node, from, width, depth }, deepest) {
  const row = state.flame ? deepest - depth : depth, chosen = node.id === view.chosen(), words = view.words(node);
  const button = el("button", { type: "button", role: "treeitem", "aria-level": node.depth + 1, "aria-selected": String(chosen),
    "aria-expanded": node.children.length ? "true" : null, "aria-label": words, title: words, class: view.look(node),
    tabindex: chosen ? 0 : -1, "data-node": node.id, onclick: () => view.set(node.id), onfocus: () => tell(view, node),
    onpointerenter: () => tell(view, node) }, width > 0.012 ? view.label(node) : "");
  button.style.left = `${100 * from}%`;
  button.style.width = `${100 * width}%`;
  button.style.top = `${22 * row}px`;
  return button;
}

function treeBox(view, words) {
  return [el("p", { id: `${view.box}-where`, "aria-live": "polite" }),
    el("div", { id: view.box, class: "tree", role: "tree", "aria-label": `${words}: arrows move, Enter zooms in, Backspace out`, onkeydown: (event) => treeKey(view, event) })];
}

function drawNodes(view) {
  const nodes = view.nodes(), deepest = nodes.reduce((most, node) => Math.max(most, node.depth), 0), tree = byId(view.box);
  tree.style.height = `${22 * (deepest + 1)}px`;
  tree.replaceChildren(...placeNodes(view).map((one) => treeButton(view, one, deepest)));
  tell(view, nodes[view.chosen()]);
}

// All trees stand on their roots, or hang from them.
function turnButton(id) {
  const turn = () => {
    state.flame = !state.flame;
    drawCode();
    drawCompare();
    byId(id).focus();
  };
  return el("button", { type: "button", id, "aria-pressed": String(state.flame), onclick: turn }, "Flame view");
}

function focusChosen(view) {
  byId(view.box).querySelector(`[data-node="${view.chosen()}"]`).focus();
}

// ---- the tree of a run ----

function nodeLabel(node) {
  return `${node.name} ${percent(node.percent)} %`;
}

function nodeWords(node) {
  const kind = node.level ? `, ${LEVELS[node.level]}` : "";
  return `${nodeLabel(node)}${kind} (95 %: ${range(node.low, node.high)}), ${node.hits} samples`;
}

// Whether the search finds it, and whether it is a function or line that it does not find.
function foundClass(node) {
  const found = state.text && node.level && matches(node.name);
  return found ? "hit" : state.text && node.level > 2 ? "dim" : null;
}

function nodeClass(node) {
  const late = node.task === "MASKED" || node.task === "STOLEN";
  return [node.level < 2 ? "neutral" : late ? "masked" : node.mode, node.level > 2 && !node.known && "nameless", foundClass(node)].filter(Boolean).join(" ");
}

function chooseNode(id) {
  state.node = id;
  drawTree();
  focusChosen(codeView);
}

const codeView = { box: "tree", nodes: () => treeOf(data.run), chosen: () => state.node, set: chooseNode, shown: nodeShown, label: nodeLabel, words: nodeWords, look: nodeClass };

function drawTree() {
  keepPlace();
  drawNodes(codeView);
  drawCallers();
  drawListing();
}

function drawCode() {
  const code = data.run.code;
  if (code.reason) {
    show("code", el("p", null, `There is no profile by code: ${code.reason}.`));
    return;
  }
  show("code", el("div", { class: "tools" }, turnButton("turn"), el("button", { type: "button", onclick: () => chooseNode(0) }, "All samples")),
    treeBox(codeView, "Samples by task, mode, function and line"),
    el("p", { class: "quiet" }, `${partOf(data.run) ? `Samples${ofTime()}.  ` : ""}Hatched: no file names this code (report -s FILE).`
      + (partOf(data.run) && code.calls ? "  Call paths are known for the whole run only." : "")
      + (code.left_out ? ` ${code.left_out} nodes with the fewest samples are left out.` : "")),
    el("div", { id: "callers" }), el("div", { id: "listing" }));
  drawTree();
}

// ---- the flat profile ----

// The nodes of each name together, those with the most samples first.
function byName(nodes) {
  const groups = new Map();
  for (const node of nodes) groups.set(node.name, [...(groups.get(node.name) || []), node]);
  const hits = (places) => places.reduce((sum, node) => sum + node.hits, 0);
  return [...groups.values()].map((places) => ({ name: places[0].name, places, hits: hits(places) })).sort((a, b) => b.hits - a.hits || a.places[0].id - b.places[0].id);
}

function unfold(name) {
  state.unfolded.add(name);
  drawFunctions();
  document.querySelector(`#functions tbody[data-name="${CSS.escape(name)}"] button`).focus();
}

// What is left of a long list, in words: the shares of nodes that share no sample add up.
function foldedWords(left) {
  return `and ${left.length} more, ${percent(left.reduce((sum, node) => sum + node.percent, 0))} %`;
}

// The name once, and below each other the tasks and modes that it ran in.
function functionBody({ name, places }, most) {
  const shown = state.unfolded.has(name) || places.length <= PLACES_FIRST + 1 ? places : places.slice(0, PLACES_FIRST);
  const left = places.slice(shown.length);
  const head = el("th", { scope: "rowgroup", rowspan: shown.length, class: "left long" },
    el("button", { type: "button", onclick: () => chooseNode(inTree(places[0]).id), title: "Show it in the tree" }, name),
    left.length ? el("div", null, el("button", { type: "button", class: "quiet", onclick: () => unfold(name) }, foldedWords(left))) : null);
  return el("tbody", { "data-name": name }, shown.map((node, number) => functionRow(node, most, number ? null : head)));
}

function functionRow(node, most, head) {
  const share = { low: node.low, high: node.high };
  return el("tr", null, head, el("td", { class: "bar" }, shareBar([[node.task === "MASKED" || node.task === "STOLEN" ? "masked" : node.mode, node.percent]], share, most)),
    el("td", null, percent(node.percent)), el("td", { class: "wide" }, range(node.low, node.high)), el("td", { class: "left", "data-of": node.task }, node.task),
    el("td", { class: "left wide" }, node.mode), el("td", { class: "wide" }, count(node.hits)));
}

function drawFunctions() {
  const wanted = (node) => node.hits && nodeShown(node) && (!state.text || matches(node.name, node.task) || node.children.some((line) => matches(line.name)));
  const all = nodesOf(data.run).filter((node) => node.level === 3 && wanted(node)).sort((a, b) => b.hits - a.hits || a.id - b.id);
  const functions = byName(all), rows = state.more ? functions : functions.slice(0, FUNCTIONS_FIRST);
  const most = Math.max(1e-9, ...all.map((node) => Math.max(node.percent, node.high || 0)));
  if (!nodesOf(data.run).length) {
    show("functions", el("p", null, `There are none: ${data.run.code.reason}.`));
    return;
  }
  show("functions", el("table", null, el("caption", { class: "quiet" }, `${rows.length} of ${functions.length} functions, each by task and mode${ofTime()}; a bar of full width is ${percent(most, 1)} %.`),
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Function"), el("th", { scope: "col", class: "left" }, "Share of all samples"),
      el("th", { scope: "col" }, "%"), el("th", { scope: "col", class: "wide" }, "95 %"), el("th", { scope: "col", class: "left" }, "Task"),
      el("th", { scope: "col", class: "left wide" }, "Mode"), el("th", { scope: "col", class: "wide" }, "Samples"))),
    rows.map((one) => functionBody(one, most))),
  rows.length < functions.length ? el("button", { type: "button", onclick: () => { state.more = true; drawFunctions(); } }, `Show all ${functions.length}`) : null);
}
