// SPDX-License-Identifier: MIT
// What the reader chooses, and the drawing of all parts after it.

function drawFiltered() {
  drawTable();
  if (data.run.lanes.source) drawLaneRows();
  if (!data.run.code.reason) drawTree();
  drawFunctions();
  drawCompare();
  drawChosen();
}

function drawChosen() {
  const chosen = byId("chosen");
  chosen.hidden = !state.task;
  chosen.textContent = state.task ? `Task ${state.task} \u00d7` : "";
  chosen.setAttribute("aria-label", state.task ? `Filtered by task ${state.task}; show all tasks` : "");
  const tasks = data.run.stat.tasks.filter((row) => shownByText(row.name)).length;
  byId("found").textContent = state.text ? `${tasks} of ${data.run.stat.tasks.length} rows` : "";
}

// A button that has the focus is drawn again: the new one gets it, which in the tree may have another share.
function keepFocus(draw) {
  const active = document.activeElement, section = active && active.closest("section"), label = active && active.textContent;
  const path = section && active.dataset.node && nodePath(treeOf(data.run), active.dataset.node);
  draw();
  if (!section || active.isConnected) return;
  const again = path ? byId("tree").querySelector(`[data-node="${nodeAt(treeOf(data.run), path)}"]`)
    : [...section.querySelectorAll("button")].find((button) => button.textContent === label);
  if (again) again.focus();
}

function chooseTask(task) {
  const nodes = treeOf(data.run), node = task && nodes.find((one) => one.level === 1 && one.name === task);
  state.task = task;
  state.node = node ? node.id : 0;
  keepFocus(drawFiltered);
}

function chooseRun(number) {
  state.run = Math.min(number, data.all.runs.length - 1);
  data.run = data.all.runs[state.run];
  if (!treeOf(data.run)[state.node]) state.node = 0;
  drawHead();
  drawTrust();
  drawFacts();
  drawLanes();
  drawCode();
  drawFiltered();
}

function take(all) {
  data.all = all;
  chooseRun(state.run);
}

// Newer data has other numbers for the same nodes: the chosen one is found by the names above it.
function takeNewer(all) {
  const path = nodePath(treeOf(data.run), state.node);
  const nodes = treeOf(all.runs[Math.min(state.run, all.runs.length - 1)]);
  state.node = nodeAt(nodes, path);
  keepFocus(() => take(all));
}

function begin() {
  byId("mode").append(el("option", { value: "" }, "all"), ...MODES.map((mode) => el("option", { value: mode }, mode)));
  byId("mode").addEventListener("change", (event) => { state.mode = event.target.value; drawFiltered(); });
  byId("search").addEventListener("input", (event) => { state.text = event.target.value.trim(); drawFiltered(); });
  byId("chosen").addEventListener("click", () => { chooseTask(null); byId("search").focus(); });
  new ResizeObserver(() => { document.documentElement.style.scrollPaddingTop = `${byId("filter").offsetHeight + 4}px`; }).observe(byId("filter"));
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  take(JSON.parse(byId("data").textContent));
}

// Where the page comes from a server it is told what is new.
function follow(path) {
  new EventSource(path).addEventListener("message", (event) => takeNewer(JSON.parse(event.data)));
}

begin();
if (document.documentElement.dataset.live) follow(document.documentElement.dataset.live);
