// SPDX-License-Identifier: MIT
// The code of the chosen function, by instruction and line, with the samples of each.

// The functions of the data that a node of the tree is: it, where it was compiled into others, what was compiled into it.
function listedOf(run, node) {
  const whole = wholeNodes(run), listings = run.listings.functions;
  return listings.filter(({ node: id }) => {
    const one = whole[id];
    return one.task === node.task && one.mode === node.mode && (one.name === node.name || one.name.startsWith(`${node.name} (in `) || one.name.endsWith(` (in ${node.name})`));
  });
}

// Whether an instruction is of the same line as the one before it, without a gap between them.
function goesOn(rows, place) {
  const [row, before] = [rows[place], rows[place - 1]];
  return place > 0 && place < rows.length && !row[5] && before[3] === row[3] && before[4] === row[4];
}

// Of a line: its file and number, its text where the file was there, and the samples of the instructions below it.
function sourceRow(run, rows, place) {
  const [, , , file, line] = rows[place];
  if (!file || goesOn(rows, place)) return null;
  const texts = run.sourceLines = run.sourceLines || new Map(run.listings.lines.map(([of, number, words]) => [`${of}:${number}`, words]));
  const text = texts.get(`${file - 1}:${line}`), name = run.listings.files[file - 1];
  let hits = rows[place][1];
  for (let at = place + 1; goesOn(rows, at); at++) hits += rows[at][1];
  return el("tr", { class: "source" }, el("td", null, hits ? count(hits) : ""), el("td", { class: "wide" }), el("th", { colspan: 2, scope: "rowgroup", class: "left" },
    line ? `${name}:${line}` : `${name}, of no line`, text ? el("code", null, text) : null));
}

function instructionRow([address, hits, text], most) {
  return el("tr", null, el("td", { "data-hits": address }, hits ? count(hits) : ""),
    el("td", { class: "bar wide" }, hits ? shareBar([["whole", hits]], { low: null, high: null }, most) : null),
    el("td", { class: "left" }, address), el("td", { class: "left" }, el("code", null, text)));
}

function listingTable(run, { node: id, rows }) {
  const node = wholeNodes(run)[id], most = Math.max(1, ...rows.map((row) => row[1])), left = node.hits - rows.reduce((sum, row) => sum + row[1], 0);
  const gap = () => el("tr", { class: "quiet" }, el("td", { colspan: 4, class: "left" }, "\u22ee"));
  const body = rows.flatMap((row, place) => [row[5] && place ? gap() : null, sourceRow(run, rows, place), instructionRow(row, most)]);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Code of ${node.name}` },
    el("table", { class: "listing" }, el("caption", { class: "quiet" }, `${node.name}, ${node.task} ${node.mode}: ${node.hits} samples`
      + (left ? `, ${left} of them at instructions that are left out.` : ".")),
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Samples"), el("th", { scope: "col", class: "left wide" }, "As bars"),
      el("th", { scope: "col", class: "left" }, "Address"), el("th", { scope: "col", class: "left" }, "Instruction"))), el("tbody", null, body)));
}

function drawListing() {
  const node = chosenFunction(), run = data.run;
  if (!node) return show("listing");
  const listed = listedOf(run, node), part = partOf(run);
  const none = "no file has it, or it has no samples of its own" + (run.listings.left_out ? `; there was no room for that of ${run.listings.left_out} functions` : "");
  show("listing", el("h3", null, `Code of ${node.name}`),
    part ? el("p", { class: "quiet" }, "Samples by instruction are known for the whole run only.")
      : listed.length ? listed.map((one) => listingTable(run, one)) : el("p", { class: "quiet" }, `Its code is not shown: ${none}.`));
}
