// SPDX-License-Identifier: MIT
// What each task did with its time, from events: it ran, was ready while others ran, slept.

const WAIT_STATES = ["ran", "ready", "slept", "absent", "unknown"]; // in the order of the data

// The columns of the events that the chosen time has the most of, and their begin and end; null: it has none.
function waitColumns(run) {
  const { begin, end, columns } = run.waits, width = (end - begin) / columns, part = partOf(run);
  const [low, high] = part ? part.seconds : [begin, end];
  if (low >= end || high <= begin) return null;
  const from = Math.max(0, Math.min(columns - 1, Math.round((low - begin) / width)));
  const to = Math.max(from + 1, Math.min(columns, Math.round((high - begin) / width)));
  return { from, to, seconds: [begin + from * width, begin + to * width] };
}

// The shares of a row's states, percent of the time of its tasks.
function waitShares(row, numbers, columns) {
  const whole = 1e6 * (columns.seconds[1] - columns.seconds[0]) * row.tasks, shares = {};
  let rest = 100;
  WAIT_STATES.forEach((name, place) => {
    let sum = 0;
    for (let at = 0; at < numbers[place].length && numbers[place][at] < columns.to; at += 2)
      sum += numbers[place][at] < columns.from ? 0 : numbers[place][at + 1];
    shares[name] = (100 * sum) / whole;
    rest -= shares[name];
  });
  return { ...shares, [row.rest]: Math.max(0, rest) };
}

function waitsShown(run, columns) {
  run.waitNumbers = run.waitNumbers || run.waits.rows.map((row) => row.times.map((text) => readColumns(text, 2)));
  return run.waits.rows.map((row, number) => ({ row, shares: waitShares(row, run.waitNumbers[number], columns) }))
    .sort((a, b) => b.shares.ready - a.shares.ready || (a.row.name < b.row.name ? -1 : 1));
}

function waitRow({ row, shares }, used) {
  const dim = (state.task && state.task !== row.name) || !shownByText(row.name);
  return el("tr", { class: [dim && "dim", state.task === row.name && "chosen"].filter(Boolean).join(" ") || null },
    el("th", { scope: "row", class: "left" }, row.name),
    el("td", { class: "bar" }, shareBar(used.map((name) => [name, shares[name]]), { low: null, high: null }, 100)),
    used.map((name) => el("td", { class: ["ran", "ready"].includes(name) ? null : "wide", "data-wait": name }, percent(shares[name]))));
}

function drawWaits() {
  const waits = data.run.waits;
  byId("waits-section").hidden = !waits;
  if (!waits) return;
  const columns = waitColumns(data.run);
  if (!columns) {
    show("waits", el("p", null, `There are events from ${rangeWords([waits.begin, waits.end])} only: of the chosen time they tell nothing.`));
    return;
  }
  const rows = waitsShown(data.run, columns), used = WAIT_STATES.filter((name) => rows.some(({ shares }) => shares[name] >= 0.005));
  show("waits", el("p", { class: "legend" }, used.map((name) => swatch(name, name === "ready" ? "ready, while others ran" : name))),
    el("table", { id: "wait-table" }, el("caption", { class: "quiet" }, `Percent of the time of each task from ${rangeWords(columns.seconds)}`
      + (partOf(data.run) ? `, in columns of ${seconds((waits.end - waits.begin) / waits.columns, 0.001)} s` : "")
      + (waits.left_out ? `; ${waits.left_out} rows are left out.` : ".")),
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Task"), el("th", { scope: "col", class: "left" }, "Time"),
      used.map((name) => el("th", { scope: "col", class: ["ran", "ready"].includes(name) ? null : "wide" }, `${name} %`)))),
    el("tbody", null, rows.map((one) => waitRow(one, used)))));
}
