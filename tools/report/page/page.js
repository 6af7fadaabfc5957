// SPDX-License-Identifier: MIT
// What the reader chooses, and the drawing of all parts after it.

// ---- the address ----

const PLACE_LAST = 300; // ms without a change before the address tells it: browsers refuse many changes a second
const address = { timer: 0, text: "" };

// What is chosen, as the part of the address behind '#'; what is as it opens is left out.  "-" of a sort: the least first.
function placeText() {
  const short = (part) => String(Number(part.toFixed(6)));
  const place = new URLSearchParams(Object.entries({
    run: state.run || null, task: state.task, mode: state.mode, search: state.text, flame: state.flame ? 1 : null,
    sort: state.sort === "total" && state.down ? null : `${state.down ? "" : "-"}${state.sort}`,
    time: state.from > 0 || state.to < 1 ? `${short(state.from)}-${short(state.to)}` : null,
    range: state.range && state.range.map(short).join("-"),
  }).filter(([, value]) => value));
  for (const name of nodePath(treeOf(data.run), state.node)) place.append("code", name);
  for (const name of hasDifferences() ? nodePath(differenceNodes(), compared.node) : []) place.append("both", name);
  return String(place);
}

function keepPlace() {
  clearTimeout(address.timer);
  address.timer = setTimeout(() => {
    const text = placeText();
    if (text === address.text) return;
    address.text = text;
    history.replaceState(null, "", `${location.pathname}${location.search}${text ? `#${text}` : ""}`);
  }, PLACE_LAST);
}

// Anybody may have written an address: what is not in the run is as if nothing were chosen.
function takePlace() {
  const place = new URLSearchParams(location.hash.slice(1)), told = (name) => place.get(name) || "";
  const [from, to] = told("time").split("-").map(Number), sort = told("sort").replace(/^-/, "");
  const inside = from >= 0 && from < to && to <= 1, run = told("run") === "1" && data.all.runs.length > 1 ? 1 : 0;
  const { tasks } = data.all.runs[run].stat, columns = rangeColumns(data.all.runs[run], told("range").split("-").map(Number));
  state.range = columns && columns.seconds;
  Object.assign(state, {
    run, task: tasks.some((row) => row.name === told("task")) ? told("task") : null, mode: MODES.includes(told("mode")) ? told("mode") : "",
    text: told("search"), flame: place.has("flame"), from: inside ? from : 0, to: inside ? to : 1,
    sort: COLUMNS.some((column) => column.key === sort) ? sort : "total", down: !told("sort").startsWith("-"),
    node: nodeAt(treeOf(data.all.runs[run]), place.getAll("code")),
  });
  compared.node = hasDifferences() ? nodeAt(differenceNodes(), place.getAll("both")) : 0;
  byId("mode").value = state.mode;
  byId("search").value = state.text;
  address.text = location.hash.slice(1);
}

// ---- drawing ----

function drawFiltered() {
  drawTable();
  if (data.run.lanes.source) drawLaneRows();
  if (!data.run.code.reason) drawTree();
  drawFunctions();
  drawWaits();
  drawCompare();
  drawChosen();
}

// What a part of the time changes.
function drawRanged() {
  drawHead();
  drawCode();
  drawFiltered();
}

function drawChosen() {
  const chosen = byId("chosen");
  chosen.hidden = !state.task;
  chosen.textContent = state.task ? `Task ${state.task} \u00d7` : "";
  chosen.setAttribute("aria-label", state.task ? `Filtered by task ${state.task}; show all tasks` : "");
  const part = partOf(data.run);
  byId("range").hidden = !part;
  byId("range").textContent = part ? `${rangeWords(part.seconds)} \u00d7` : "";
  byId("range").setAttribute("aria-label", part ? `${rangeWords(part.seconds)}; show all of the time` : "");
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
  byId("range").addEventListener("click", () => { chooseRange(null); byId("search").focus(); });
  window.addEventListener("keydown", rangeKey);
  window.addEventListener("beforeprint", () => drawStaleLanes(true));
  new ResizeObserver(() => { document.documentElement.style.scrollPaddingTop = `${byId("filter").offsetHeight + 4}px`; }).observe(byId("filter"));
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  data.all = JSON.parse(byId("data").textContent);
  takePlace();
  take(data.all);
  // A link within the page, as to its main part, chooses nothing.
  window.addEventListener("hashchange", () => { if (location.hash.includes("=") || !location.hash) { takePlace(); take(data.all); } });
}

// Where the page comes from a server it is told what is new.
function follow(path) {
  new EventSource(path).addEventListener("message", (event) => takeNewer(JSON.parse(event.data)));
}

begin();
if (document.documentElement.dataset.live) follow(document.documentElement.dataset.live);
