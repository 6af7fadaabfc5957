// SPDX-License-Identifier: MIT
// Time lines: a row a task, in the colours of its modes; zoom and pan by keys, buttons, wheel and drag.

const LANE_STATES = [...MODES, "unknown", "masked", "monitor", "missing", "class"];
const LEAST_COLUMNS = 8; // at the closest
const LANE_BINS = 360; // at most: a narrower column has few samples, and its height is noise

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
function laneDrawing(shares, view, full) {
  const base = new Array(view.bins).fill(0);
  const drawing = svg("svg", { viewBox: `0 0 ${view.bins} 24`, preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const [name, share] of shares) {
    let path = "";
    for (let bin = 0; bin < view.bins; bin++) {
      if (!share[bin]) continue;
      const height = Math.min(23 - base[bin], Math.max(0.8, (22 * share[bin]) / full));
      if (height <= 0) continue;
      path += `M${bin} ${(24 - base[bin] - height).toFixed(1)}h1v${height.toFixed(1)}h-1z`;
      base[bin] += height;
    }
    drawing.append(svg("path", { class: name, d: path }));
  }
  return drawing;
}

function laneSummary(lanes, row, view) {
  const words = Object.keys(row.states).map((name) => {
    const share = laneShare(lanes, row.states[name], view.from, view.to);
    return `${name} ${percent(share === null ? null : 100 * share)} %`;
  });
  return `${row.name}: ${words.join(", ")}`;
}

function laneRow(lanes, { row, shares }, view, full) {
  const summary = laneSummary(lanes, row, view);
  const name = row.name.startsWith("(")
    ? el("span", { class: "quiet", title: summary }, row.name)
    : el("button", { type: "button", "aria-pressed": String(state.task === row.name), "aria-label": `${summary}; filter by this task`, title: summary,
      onclick: () => chooseTask(state.task === row.name ? null : row.name) }, row.name);
  return el("div", { class: laneIsDim(row) ? "lane dim" : "lane" }, name, laneDrawing(shares, view, full));
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

function moveView(from, width) {
  const least = Math.min(1, LEAST_COLUMNS / data.run.lanes.columns);
  const wide = Math.min(1, Math.max(least, width));
  state.from = Math.min(1 - wide, Math.max(0, from));
  state.to = state.from + wide;
  drawLaneRows();
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
};

function laneKey(event) {
  const action = LANE_ACTIONS[event.key === "=" ? "+" : event.key];
  if (!action || event.target.id !== "lane-box") return;
  event.preventDefault();
  action[1]();
}

function laneWheel(event) {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return; // the page scrolls
  event.preventDefault();
  const box = byId("lane-box").lastElementChild.lastElementChild.getBoundingClientRect();
  zoomView(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
}

function laneDrag(event) {
  if (event.button || event.target.closest("button")) return;
  const width = byId("lane-box").lastElementChild.lastElementChild.getBoundingClientRect().width;
  const start = { x: event.clientX, from: state.from, span: state.to - state.from };
  const move = (to) => moveView(start.from - (start.span * (to.clientX - start.x)) / width, start.span);
  const end = () => { window.removeEventListener("pointermove", move); window.removeEventListener("pointerup", end); window.removeEventListener("pointercancel", end); };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}

function drawLaneRows() {
  const lanes = data.run.lanes, view = laneView(lanes);
  const drawn = lanes.rows.map((row) => ({ row, shares: laneShares(lanes, row, view) })), full = laneFull(drawn, view);
  keepPlace();
  byId("lane-box").replaceChildren(timeAxis(lanes), ...drawn.map((one) => laneRow(lanes, one, view, full)));
  byId("lane-full").textContent = `A column shows the shares of its ${lanes.source === "samples" ? "samples" : "time"}; a row is as high as ${100 * full} %.`;
  byId("lane-where").textContent = `${seconds(timeAt(lanes, state.from), 0.001)} to ${seconds(timeAt(lanes, state.to), 0.001)} s`;
}

function drawLanes() {
  const lanes = data.run.lanes;
  if (!lanes.source) {
    show("lanes", el("p", null, `There are no time lines: ${lanes.reason}.`));
    return;
  }
  lanes.totals = lanes.totals || columnTotals(lanes);
  const used = LANE_STATES.filter((name) => lanes.rows.some((row) => row.states[name]));
  show("lanes", el("p", { class: "legend" }, used.map((name) => swatch(name, name === "masked" ? "interrupts off, late" : name))),
    el("div", { class: "tools" }, Object.entries(LANE_ACTIONS).map(([key, [words, action]]) =>
      el("button", { type: "button", onclick: action, "aria-keyshortcuts": key }, words)), el("output", { id: "lane-where" })),
    el("div", { id: "lane-box", tabindex: 0, role: "group", onkeydown: laneKey, onpointerdown: laneDrag,
      "aria-label": "Time lines: plus and minus zoom, arrows move, Home shows all" }),
    el("p", { class: "quiet", id: "lane-full" }));
  byId("lane-box").addEventListener("wheel", laneWheel, { passive: false });
  drawLaneRows();
}
