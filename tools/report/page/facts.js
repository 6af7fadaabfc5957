// SPDX-License-Identifier: MIT
// What was measured, whether it may be believed, and what else the run tells.

const VERDICTS = {
  good: "Yes: every check of the run passed.",
  note: "Yes, with the notes below.",
  warning: "With care: read the warnings below.",
  bad: "No: something is wrong with this run, see below.",
};
const ROWS_MOST = 200; // of a list that grows with the run
const LEVEL_ORDER = ["bad", "warning", "note", "good"];

function drawTrust() {
  const trust = data.run.trust;
  const findings = LEVEL_ORDER.flatMap((level) => trust.findings.filter((one) => one.level === level));
  show("trust", el("p", { class: `verdict ${trust.verdict}` }, VERDICTS[trust.verdict]),
    el("ul", null, findings.map((one) => el("li", { class: one.level }, el("span", { class: "level" }, one.level), el("span", null, one.text)))));
}

function drawHead() {
  const run = data.run, stat = run.stat, policy = stat.policy;
  const together = (names) => [...new Set(names)].join(" and ");
  const title = together(data.all.runs.map((one) => one.title || one.file)), files = together(data.all.runs.map((one) => one.file));
  const words = [files === title ? null : files, stat.epoch.machine, stat.window.seconds === null ? null : `${fixed(stat.window.seconds, 3)} s`, `${count(stat.samples)} samples`,
    policy && policy.mean ? `${fixed(1 / policy.mean, 1)} Hz by ${policy.source}, interval=${policy.name}` : null,
    stat.epoch.of > 1 ? `epoch ${stat.epoch.number} of ${stat.epoch.of}` : null].filter(Boolean);
  byId("title").textContent = title;
  document.title = `${files === title ? title : `${title} (${files})`} - cpuprobe report`;
  byId("meaning").textContent = stat.verdict ? (partOf(run) ? `Of the whole run: ${stat.verdict}` : stat.verdict) : "";
  byId("facts").textContent = words.join(" \u00b7 ");
  show("runs", data.all.runs.length < 2 ? [] : data.all.runs.map((one, number) => el("button", { type: "button", id: `run-${number}`, "aria-pressed": String(state.run === number),
    onclick: () => { chooseRun(number); byId(`run-${number}`).focus(); } }, `Show ${"AB"[number]}: ${one.file}`)));
  byId("foot").textContent = `Made by ${data.all.tool}.`;
}

function table(caption, heads, rows) {
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, el("h3", null, caption),
    el("table", null, el("thead", null, el("tr", null, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", null, rows.map((row) => el("tr", null, row.map((cell) => cell.localName === "td" ? cell : el("td", null, cell)))))));
}

function latenessTable(stat) {
  const most = Math.max(...stat.lateness.map((row) => row.ticks));
  return table("Late ticks, by how late they were", ["From, us", "Ticks", "Stretches a second that last so long", "Ticks as bars"], stat.lateness.filter((row) => row.ticks).map((row) =>
    [row.low.toPrecision(3), count(row.ticks), row.per_second === null ? "n.a." : String(Number(row.per_second.toPrecision(3))), el("td", { class: "bar" }, shareBar([["masked", row.ticks]], { low: null, high: null }, most))]));
}

function firstOf(caption, list) {
  return list.length > ROWS_MOST ? `${caption}, the first ${ROWS_MOST} of ${list.length}` : caption;
}

function facts(pairs) {
  return el("dl", null, pairs.filter(([, value]) => value !== null && value !== undefined).flatMap(([name, value]) => [el("dt", null, name), el("dd", null, String(value))]));
}

function eventsTable(events) {
  const rows = Object.entries(events.classes).sort((a, b) => b[1] - a[1]).map(([name, number]) => [name, count(number)]);
  return [table("Events by class", ["Class", "Events"], rows), el("p", null, `${events.recorded} recorded, ${events.overwritten} replaced by later ones, ${events.lost} lost.`)];
}

function statDetails(stat) {
  const text = el("pre", { tabindex: 0 });
  const details = el("details", { id: "all-numbers" }, el("summary", null, "All numbers, as cpuprobe stat --json prints them"), text);
  details.addEventListener("toggle", () => { if (details.open && !text.firstChild) text.textContent = JSON.stringify(stat, null, 1); });
  return details;
}

function surveyDetails(survey) {
  byId("survey").hidden = !survey;
  if (!survey) return [];
  const digits = (x) => x === null ? "-" : String(Number(x.toPrecision(4)));
  return [el("h2", { id: "survey-head" }, "The survey of this machine"), el("ul", null, survey.verdict.map((one) => el("li", null, one))),
    survey.lengths.length ? table("Stolen time, by length", ["From, us", "Gaps", "Time, us"], survey.lengths.map((one) => [count(one.us), count(one.count), digits(one.time_us)])) : null,
    table("Clocks against each other, ppm", ["Clock", "Against", "From", "To"], survey.apart.map((one) => [one.clock, one.against, digits(one.ppm.low), digits(one.ppm.high)])),
    table("Costs, us", ["What", "Median", "99.9 %", "Worst"], survey.times.map((one) => [one.name, digits(one.median_us), digits(one.most_us), digits(one.worst_us)]))];
}

function drawFacts() {
  const run = data.run, stat = run.stat;
  show("survey", surveyDetails(run.survey));
  show("run",
    facts([["words", stat.words], ["build", stat.epoch.build], ["door", run.health.some(([name]) => name === "door") ? null : stat.epoch.door], ["ended", stat.epoch.reason], ["snapshots", stat.epoch.snapshots],
      ["clock", stat.clock_hz && `${stat.clock_hz} Hz`], ["transitions", stat.transitions], ["resolution", stat.resolution && `${fixed(stat.resolution, 3)} % of the time`],
      ...run.health]),
    stat.lateness.some((row) => row.ticks) ? latenessTable(stat) : null,
    stat.alias && stat.alias.cells.length ? table("Two sources of ticks, the cells that differ most", ["Task", "Mode", "%", "%", "z"], stat.alias.cells.map((cell) => [cell.name, cell.mode, percent(cell.percent[0]), percent(cell.percent[1]), percent(cell.z)])) : null,
    stat.events ? eventsTable(stat.events) : null,
    run.classes ? table("Classes of states", ["Class", "%", "Seconds", "Changes into it"], run.classes.map((one) => [one.name, percent(one.percent), fixed(one.seconds, 6), count(one.changes)])) : null,
    stat.faults.length ? table("Tasks that a fault ended", ["Task", "Mode", "At", "Cause"], stat.faults.map((fault) => [fault.name, fault.mode, fault.pc, fault.cause])) : null,
    stat.reports.length ? table(firstOf("Numbers that tasks reported", stat.reports), ["Task", "Value"], stat.reports.slice(0, ROWS_MOST).map((one) => [one.name, count(one.value)])) : null,
    statDetails(stat));
}
