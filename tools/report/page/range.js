// SPDX-License-Identifier: MIT
// A part of the time as a filter: the counts of its columns, summed, and what the table and the tree are of them.

const NO_SHARE = { hits: null, percent: null, low: null, high: null, exact: null };

// ---- the counts of a node by column ----

const DIGITS = Object.fromEntries([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((digit, value) => [digit.charCodeAt(0), value]));

// The numbers of a text, `each` for each column that has any, the first of them its number.
function readColumns(text, each) {
  const numbers = [];
  let number = 0, shift = 1, column = -1;
  for (let at = 0; at < text.length; at++) {
    const digit = DIGITS[text.charCodeAt(at)];
    number += (digit & 31) * shift;
    shift *= 32;
    if (digit & 32) continue;
    if (numbers.length % each === 0) number = column += number + 1;
    numbers.push(number);
    number = 0;
    shift = 1;
  }
  return Float64Array.from(numbers);
}

// Of a column, its samples, its changes, and so on: the sums.
function countsWithin(counts, { from, to }) {
  let hits = 0, changes = 0;
  for (let at = 0; at < counts.length && counts[at] < to; at += 3) {
    if (counts[at] < from) continue;
    hits += counts[at + 1];
    changes += counts[at + 2];
  }
  return { hits, changes };
}

// ---- the part ----

function rangeEdge(range, column) {
  return Math.min(range.begin + column * range.width, range.end);
}

// The columns of some seconds, and their begin and end; null: the run tells nothing of them.
function rangeColumns(run, [begin, end]) {
  const range = run.range, all = range.reason ? 0 : range.samples.length;
  if (!all || !(begin < range.end && end > range.begin && begin < end)) return null;
  const from = Math.max(0, Math.min(all - 1, Math.round((begin - range.begin) / range.width)));
  const to = Math.max(from + 1, Math.min(all, Math.round((end - range.begin) / range.width)));
  return { from, to, seconds: [rangeEdge(range, from), rangeEdge(range, to)] };
}

function sumOf(values, { from, to }) {
  return values.slice(from, to).reduce((sum, value) => sum + value, 0);
}

// What the page shows of the chosen part of a run; null: of the whole run.
function partOf(run) {
  const columns = state.range && rangeColumns(run, state.range);
  if (!columns) return null;
  const key = `${columns.from}-${columns.to}`;
  if (!run.part || run.part.key !== key) run.part = makePart(run, columns, key);
  return run.part;
}

function makePart(run, columns, key) {
  const { range } = run, samples = sumOf(range.samples, columns), unknown = sumOf(range.unknown, columns);
  run.counts = run.counts || range.nodes.map((text) => readColumns(text, 3));
  const known = samples - unknown, share = (tally) => shareOf(range, { ...tally, samples }, unknown);
  const shares = [];
  run.code.nodes.forEach(([, parent, level, hits], id) => shares.push(level > 1 && hits === run.code.nodes[parent][3] ? shares[parent]
    : share(id ? countsWithin(run.counts[id], columns) : { hits: known, changes: 0 })));
  const list = run.code.nodes.map(([name, parent, level, , , , , file], id) => [name, parent, level, shares[id].hits, shares[id].percent, shares[id].low, shares[id].high, file]);
  const nodes = readNodes(list), ofTask = new Map(nodes.filter((node) => node.level === 1).map((node, place) => [range.tasks[place], node]));
  const none = share({ hits: 0, changes: 0 });
  // What the whole run has samples of, and the tree does not show, is not known.
  const cell = (whole, node) => whole.percent === null || (!node && whole.hits) ? NO_SHARE : node ? shares[node.id] : none;
  const tasks = run.stat.tasks.map((row) => {
    const node = ofTask.get(row.id), mode = (name) => node && node.children.find((child) => child.name === name);
    return { ...row, total: cell(row.total, node), ...Object.fromEntries(MODES.map((name) => [name, cell(row[name], mode(name))])) };
  });
  return { key, nodes, tasks, samples, seconds: columns.seconds, interval_reason: range.interval_reason };
}

// The table that is shown: its tasks, its samples, why it has no intervals.
function shownTable() {
  return partOf(data.run) || data.run.stat;
}

function rangeWords([begin, end]) {
  return `${seconds(begin, 0.001)} to ${seconds(end, 0.001)} s`;
}

// Of what time a part of the page is.
function ofTime() {
  const part = partOf(data.run);
  return part ? ` from ${rangeWords(part.seconds)}` : "";
}

// ---- choosing ----

// Some seconds of the run, or all of it: null.
function chooseRange(range) {
  const path = nodePath(treeOf(data.run), state.node), columns = range && rangeColumns(data.run, range);
  state.range = columns && columns.seconds;
  state.node = nodeAt(treeOf(data.run), path);
  keepFocus(drawRanged);
}

// Escape shows all of the time again, where it does nothing else.
function rangeKey(event) {
  if (event.key !== "Escape" || event.defaultPrevented || !state.range || (event.target.id === "search" && state.text)) return;
  chooseRange(null);
}
