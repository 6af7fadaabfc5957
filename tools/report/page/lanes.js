// SPDX-License-Identifier: MIT
// Time lines: a row a task, in the colours of its modes; zoom and pan by keys, buttons, wheel and drag.

const LANE_STATES = [...MODES, "unknown", "masked", "monitor", "missing", "class"];
const LEAST_COLUMNS = 8; // at the closest
const LANE_BINS = 360; // at most: a narrower column has few samples, and its height is noise

const laneState = { lanes: null, lines: [], drawn: [], view: null, full: 1 }; // what was drawn last

function columnTotals(lanes) {
  const totals = new Array(lanes.columns).fill(0);
  for (const row of lanes.rows)
    for (const values of Object.values(row.states)) values.forEach((value, column) => { totals[column] += value; });
  return totals;
}

// The share of a state in columns [from, to), 0 .. 1; null: nothing is known there.
function laneShare(lanes, values, from, to) {
  let sum = 0, whole = 0;
  for (let column = from; column < to; column++) {
    sum += values[column];
    whole += lanes.source === "samples" ? lanes.totals[column] : 1000;
  }
  return whole ? sum / whole : null;
}

function laneView(lanes) {
  const from = Math.floor(state.from * lanes.columns), to = Math.max(from + 1, Math.ceil(state.to * lanes.columns));
  const bins = Math.min(to - from, LANE_BINS);
  return { from, to, bins, edge: (bin) => from + Math.floor(((to - from) * bin) / bins) };
}

function laneIsDim(row) {
  return (state.task && state.task !== row.name) || !shownByText(row.name);
}

// The states of a row that are shown, each with its share of every column.
function laneShares(lanes, row, view) {
  return LANE_STATES.filter((one) => row.states[one] && (!state.mode || one === state.mode))
    .map((name) => [name, Array.from({ length: view.bins }, (_, bin) => laneShare(lanes, row.states[name], view.edge(bin), view.edge(bin + 1)))]);
}

// The share that is as high as a row: the next of 1, 2, 5, ... percent above the greatest one of the rows that are not dim.
function laneFull(drawn, view) {
  let most = 0;
  for (const { row, shares } of drawn.filter((one) => !laneIsDim(one.row)))
    for (let bin = 0; bin < view.bins; bin++) most = Math.max(most, shares.reduce((sum, [, share]) => sum + share[bin], 0));
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((full) => most <= full) || 1;
}

// The states of a row one on the other, each a path of its columns.
function laneDrawing(row) {
  return svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" },
    LANE_STATES.filter((name) => row.states[name]).map((name) => svg("path", { class: name, "data-state": name })));
}

function drawLane(drawing, shares, view, full) {
  const base = new Array(view.bins).fill(0), paths = {};
  for (const [name, share] of shares) {
    let path = "";
    for (let bin = 0; bin < view.bins; bin++) {
      if (!share[bin]) continue;
      const height = Math.min(23 - base[bin], Math.max(0.8, (22 * share[bin]) / full));
      if (height <= 0) continue;
      path += `M${bin} ${(24 - base[bin] - height).toFixed(1)}h1v${height.toFixed(1)}h-1z`;
      base[bin] += height;
    }
    paths[name] = path;
  }
  setOnce(drawing, "viewBox", `0 0 ${view.bins} 24`);
  for (const path of drawing.children) setOnce(path, "d", paths[path.dataset.state] || "");
}

function laneSummary(lanes, row, view) {
  const words = Object.keys(row.states).map((name) => {
    const share = laneShare(lanes, row.states[name], view.from, view.to);
    return `${name} ${percent(share === null ? null : 100 * share)} %`;
  });
  return `${row.name}: ${words.join(", ")}`;
}

function laneRow(row) {
  const name = row.name.startsWith("(") ? el("span", { class: "quiet" }, row.name)
    : el("button", { type: "button", onclick: () => chooseTask(state.task === row.name ? null : row.name) }, row.name);
  return el("div", { class: "lane" }, name, laneDrawing(row));
}

// What has changed of a row that is drawn.
function updateLane(lanes, { row, shares, line }, view, full) {
  const [name, drawing] = line.children, summary = laneSummary(lanes, row, view);
  setOnce(line, "class", laneIsDim(row) ? "lane dim" : "lane");
  setOnce(name, "title", summary);
  if (name.localName === "button") {
    setOnce(name, "aria-pressed", String(state.task === row.name));
    setOnce(name, "aria-label", `${summary}; filter by this task`);
  }
  drawLane(drawing, shares, view, full);
}

function timeAt(lanes, part) {
  return lanes.begin + (lanes.end - lanes.begin) * part;
}

// The svg is not stretched as the lanes are, so that its text keeps its shape: x in percent.
function timeAxis(lanes) {
  const low = timeAt(lanes, state.from), high = timeAt(lanes, state.to);
  const { step, values } = ticks(low, high, window.innerWidth < 700 ? 4 : 9);
  const axis = svg("svg", { "aria-hidden": "true" });
  for (const value of values) {
    const x = (100 * (value - low)) / (high - low);
    axis.append(svg("line", { class: "axis", x1: `${x}%`, x2: `${x}%`, y1: 15, y2: 20 }),
      svg("text", { x: `${x}%`, y: 12, "text-anchor": x < 4 ? "start" : x > 96 ? "end" : "middle" }, seconds(value, step)));
  }
  return el("div", { class: "lane head" }, el("span", { class: "quiet" }, "seconds"), axis);
}

// The part of the view that a range of seconds takes, 0 .. 1.
function partOfView(lanes, time) {
  const low = timeAt(lanes, state.from), high = timeAt(lanes, state.to);
  return Math.min(1, Math.max(0, (time - low) / (high - low)));
}

// What is beside the chosen part of the time is covered.
function drawRangeMark(lanes, range) {
  const [before, after] = byId("lane-range").lastElementChild.children;
  const [from, to] = range ? range.map((time) => partOfView(lanes, time)) : [0, 1];
  byId("lane-range").hidden = !range;
  before.style.width = `${100 * from}%`;
  after.style.left = `${100 * to}%`;
  after.style.width = `${100 * (1 - to)}%`;
}

function moveView(from, width) {
  const least = Math.min(1, LEAST_COLUMNS / data.run.lanes.columns);
  const wide = Math.min(1, Math.max(least, width));
  state.from = Math.min(1 - wide, Math.max(0, from));
  state.to = state.from + wide;
  drawLaneRows();
}

// What is shown is chosen.
function chooseView() {
  const lanes = data.run.lanes;
  chooseRange([timeAt(lanes, state.from), timeAt(lanes, state.to)]);
}

function zoomView(factor, at = 0.5) {
  const width = state.to - state.from;
  moveView(state.from + width * at * (1 - factor), width * factor);
}

const LANE_ACTIONS = {
  "+": ["Zoom in", () => zoomView(0.5)],
  "-": ["Zoom out", () => zoomView(2)],
  ArrowLeft: ["Earlier", () => moveView(state.from - (state.to - state.from) / 4, state.to - state.from)],
  ArrowRight: ["Later", () => moveView(state.from + (state.to - state.from) / 4, state.to - state.from)],
  Home: ["All", () => moveView(0, 1)],
  Enter: ["Only this time", chooseView],
  Escape: ["All of the time", () => chooseRange(null)],
};

function laneKey(event) {
  const action = LANE_ACTIONS[event.key === "=" ? "+" : event.key];
  if (data.run.range.reason && ["Enter", "Escape"].includes(event.key)) return;
  if (!action || event.target.id !== "lane-box") return;
  event.preventDefault();
  action[1]();
}

// Where the columns are on the screen.
function laneBox() {
  return byId("lane-box").querySelector(".lane.head svg").getBoundingClientRect();
}

function laneWheel(event) {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return; // the page scrolls
  event.preventDefault();
  const box = laneBox();
  zoomView(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
}

// Calls `move` with the event of each movement until the button is let go, then `end`.
function whileDown(move, end = () => {}) {
  const stop = (event) => {
    for (const [name, by] of Object.entries(listeners)) window.removeEventListener(name, by);
    if (event.type === "pointerup") end(event);
  };
  const listeners = { pointermove: move, pointerup: stop, pointercancel: stop };
  for (const [name, by] of Object.entries(listeners)) window.addEventListener(name, by);
}

// A drag moves what is shown; along the seconds, or with Shift, it chooses a part of the time.
function laneDrag(event) {
  if (event.button || event.target.closest("button")) return;
  if ((event.shiftKey || event.target.closest(".head")) && !data.run.range.reason) return dragRange(event);
  const { width } = laneBox(), start = { x: event.clientX, from: state.from, span: state.to - state.from };
  whileDown((to) => moveView(start.from - (start.span * (to.clientX - start.x)) / width, start.span));
}

function dragRange(event) {
  const lanes = data.run.lanes, box = laneBox();
  const time = ({ clientX }) => timeAt(lanes, state.from + (state.to - state.from) * Math.min(1, Math.max(0, (clientX - box.left) / box.width)));
  const start = time(event), range = (to) => [Math.min(start, time(to)), Math.max(start, time(to))];
  event.preventDefault();
  byId("lane-box").focus();
  whileDown((to) => drawRangeMark(lanes, range(to)), (to) => (range(to)[0] < range(to)[1] ? chooseRange(range(to)) : drawLaneRows()));
}

// Rows that are not on the screen are drawn when they come there, or are printed.
const laneSeen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) target.seen = isIntersecting;
  drawStaleLanes();
});

function drawStaleLanes(all = false) {
  const { lanes, drawn, view, full } = laneState;
  for (const one of drawn.filter(({ line }) => (all || line.seen) && line.stale)) {
    one.line.stale = false;
    updateLane(lanes, one, view, full);
  }
}

function drawLaneRows() {
  const lanes = data.run.lanes, view = laneView(lanes);
  const drawn = lanes.rows.map((row, number) => ({ row, shares: laneShares(lanes, row, view), line: laneState.lines[number] }));
  Object.assign(laneState, { lanes, drawn, view, full: laneFull(drawn, view) });
  keepPlace();
  byId("lane-box").firstElementChild.replaceWith(timeAxis(lanes));
  for (const { line } of drawn) line.stale = true;
  drawStaleLanes();
  drawRangeMark(lanes, partOf(data.run) && state.range);
  byId("lane-full").textContent = `A column shows the shares of its ${lanes.source === "samples" ? "samples" : "time"}; a row is as high as ${100 * laneState.full} %.`;
  byId("lane-where").textContent = rangeWords([timeAt(lanes, state.from), timeAt(lanes, state.to)]);
}

function drawLanes() {
  const lanes = data.run.lanes;
  laneSeen.disconnect();
  if (!lanes.source) {
    show("lanes", el("p", null, `There are no time lines: ${lanes.reason}.`));
    return;
  }
  lanes.totals = lanes.totals || columnTotals(lanes);
  const used = LANE_STATES.filter((name) => lanes.rows.some((row) => row.states[name])), none = data.run.range.reason;
  laneState.lines = lanes.rows.map(laneRow);
  const actions = Object.entries(LANE_ACTIONS).filter(([key]) => !none || !["Enter", "Escape"].includes(key));
  show("lanes", el("p", { class: "legend" }, used.map((name) => swatch(name, name === "masked" ? "interrupts off, late" : name))),
    el("div", { class: "tools" }, actions.map(([key, [words, action]]) =>
      el("button", { type: "button", onclick: action, "aria-keyshortcuts": key }, words)), el("output", { id: "lane-where" })),
    el("div", { id: "lane-box", tabindex: 0, role: "group", onkeydown: laneKey, onpointerdown: laneDrag,
      "aria-label": "Time lines: plus and minus zoom, arrows move, Home shows all, Enter chooses the time that is shown, Escape all of the time" },
    el("div"), laneState.lines, el("div", { id: "lane-range", class: "lane", hidden: true }, el("span"), el("div", null, el("i"), el("i")))),
    el("p", { class: "quiet", id: "lane-full" }),
    el("p", { class: "quiet" }, none ? `A part of the time cannot be chosen: ${none}.`
      : "A drag along the seconds, or with Shift, chooses a part of the time: table, code, functions and waits are then of that part."));
  byId("lane-box").addEventListener("wheel", laneWheel, { passive: false });
  laneState.lines.forEach((line) => { line.seen = true; laneSeen.observe(line); });
  drawLaneRows();
}
