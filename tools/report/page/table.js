// SPDX-License-Identifier: MIT
// The table of `cpuprobe stat`, its intervals drawn; a click on a task filters the page.

function guiltyTask(stat) {
  const busy = stat.tasks.filter((row) => row.task && row.name !== "PROBE" && row.total.percent);
  return busy.reduce((most, row) => (!most || row.total.percent > most.total.percent ? row : most), null);
}

// No interval of another task overlaps its own.
function standsOut(stat, most) {
  return most.total.low !== null && stat.tasks.every((row) => row === most || !row.task || row.total.high < most.total.low);
}

function cellOf(row) {
  return state.mode ? row[state.mode] : row.total;
}

function errorOf(share) {
  return share.exact === null || share.percent === null ? null : share.percent - share.exact;
}

const COLUMNS = [
  { key: "name", words: "Task", value: (row) => row.name },
  { key: "total", words: "Share", value: (row) => cellOf(row).percent },
  { key: "error", words: "Error", value: (row) => errorOf(cellOf(row)) },
  ...MODES.map((mode) => ({ key: mode, words: mode, value: (row) => row[mode].percent })),
];

function sortedTasks(stat) {
  const value = COLUMNS.find((column) => column.key === state.sort).value;
  const order = (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return (x === null) - (y === null);
    return (x < y ? -1 : x > y ? 1 : 0) * (state.down ? -1 : 1) || (a.name < b.name ? -1 : 1);
  };
  return [...stat.tasks].sort(order);
}

function sortBy(key) {
  state.down = state.sort === key ? !state.down : key !== "name";
  state.sort = key;
  drawTable();
  byId(`sort-${key}`).focus();
}

function headCell(key, words, className) {
  const sorted = state.sort === key;
  return el("th", { scope: "col", class: className, "aria-sort": sorted ? (state.down ? "descending" : "ascending") : null },
    el("button", { type: "button", id: `sort-${key}`, onclick: () => sortBy(key) }, words + (sorted ? (state.down ? " \u25be" : " \u25b4") : "")));
}

function tableHead() {
  return el("thead", null, el("tr", null, headCell("name", "Task"),
    el("th", { scope: "col", class: "left" }, "Share and 95 % interval"), headCell("total", "%"),
    el("th", { scope: "col", class: "wide" }, "95 %"), el("th", { scope: "col", class: "wide" }, "Exact"), headCell("error", "Error", "wide"),
    MODES.map((mode) => headCell(mode, mode, "wide"))));
}

// A row that is no task, as IDLE and MASKED, filters too; LOST has nothing to show.
function taskButton(row) {
  return el("button", {
    type: "button", "aria-pressed": String(state.task === row.name), "data-task": row.name,
    onclick: () => chooseTask(state.task === row.name ? null : row.name),
  }, row.name);
}

function partsOf(row) {
  if (state.mode) return [[state.mode, row[state.mode].percent || 0]];
  const parts = MODES.filter((mode) => row[mode].percent).map((mode) => [mode, row[mode].percent]);
  return parts.length ? parts : [["masked", row.total.percent || 0]];
}

function tableRow(row, most, guilty) {
  const share = cellOf(row);
  const dim = (state.task && state.task !== row.name) || !shownByText(row.name);
  const name = el("th", { scope: "row", class: "left" }, taskButton(row), row === guilty && standsOut(shownTable(), row) ? el("span", { class: "tag" }, "most time") : null);
  return el("tr", { class: [row === guilty && "guilty", dim && "dim", state.task === row.name && "chosen"].filter(Boolean).join(" ") || null },
    name, el("td", { class: "bar" }, shareBar(partsOf(row), share, most)),
    el("td", { "data-number": "percent" }, percent(share.percent)), el("td", { class: "wide" }, range(share.low, share.high)),
    el("td", { class: "wide" }, percent(share.exact)), el("td", { class: "wide" }, signed(errorOf(share))),
    MODES.map((mode) => el("td", { class: "wide", "data-number": mode }, row[mode].percent === null ? "" : percent(row[mode].percent))));
}

// A task is found by its own name or by that of any of its functions.
function shownByText(task) {
  return !state.text || matches(task) || tasksFound().has(task);
}

function tableLegend() {
  const stat = shownTable();
  const none = stat.interval_reason ? `no intervals: ${stat.interval_reason}` : null;
  return [...MODES.filter((mode) => stat.tasks.some((row) => row[mode].percent)).map((mode) => swatch(mode, mode)),
    swatch("masked", "late ticks"), none ? el("span", null, none) : markSwatch("M1 6H21M1 2V10M21 2V10", "whisker", "interval of 95 %"),
    partOf(data.run) ? el("span", null, "exact times are known for the whole run only") : markSwatch("M11 0V4M11 8V12", "exact", "measured exactly")];
}

function drawTable() {
  const shown = shownTable(), rows = sortedTasks(shown);
  const most = Math.max(1e-9, ...rows.map((row) => Math.max(cellOf(row).percent || 0, cellOf(row).high || 0, cellOf(row).exact || 0)));
  const guilty = guiltyTask(shown);
  keepPlace();
  show("table-legend", tableLegend());
  show("table", el("table", { id: "tasks" }, el("caption", { class: "quiet" },
    `${count(shown.samples)} samples${ofTime()}; a bar of full width is ${percent(most, 1)} %.`), tableHead(),
  el("tbody", null, rows.map((row) => tableRow(row, most, guilty)))));
}
