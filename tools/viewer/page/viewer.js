// SPDX-License-Identifier: MIT
// Takes files, has the program make their report, and shows it in a frame.

const ELF = [0x7f, 0x45, 0x4c, 0x46];
const byId = (id) => document.getElementById(id);
const text = (bytes) => new TextDecoder().decode(bytes);
const chosen = { dumps: [], programs: [] }; // each a name and its bytes

let compiled; // the module, a promise

// The program as it was built: its bytes are text in an element of the page.
function program() {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(byId("program").textContent), (letter) => letter.charCodeAt(0)));
  return compiled;
}

// Run a command line over files (bytes by name): its status, what it wrote and what it said.
async function ask(files, ...words) {
  const answer = (await new Program(files).start(await program())).run(...words);
  return { ...answer, out: text(answer.out) };
}

// ---- the report ----

function say(sentences) {
  byId("said").textContent = sentences.trim();
  byId("said").hidden = !sentences.trim();
}

// The frame has no address of its own that could tell what is chosen in it; files are dropped on it too.
function show(page) {
  const frame = byId("report");
  frame.onload = () => {
    frame.contentWindow.history.replaceState = () => {};
    takeDrops(frame.contentDocument);
  };
  frame.srcdoc = page;
  frame.hidden = !page;
  byId("hint").hidden = Boolean(page);
}

async function report() {
  await leaveBoard();
  const { dumps, programs } = chosen, files = Object.fromEntries([...dumps, ...programs]);
  if (!dumps.length) return;
  byId("shown").textContent = "Reading...";
  await new Promise((done) => { setTimeout(done); }); // so that this is shown
  try {
    const symbols = programs.flatMap(([name]) => ["--symbols", name]);
    const { out, said } = await ask(files, "report", "-o", "-", ...symbols, ...dumps.map(([name]) => name));
    say(said);
    show(out);
    byId("shown").textContent = [...dumps, ...programs].map(([name]) => name).join(", ") +
      (programs.length ? "" : " (its ELF files give names: open or drop them too)");
  } catch (error) {
    say(`The program cannot run here: ${error.message}`);
    show("");
    byId("shown").textContent = "";
  }
}

// ---- files ----

// Two files of one name are two: the second is in a folder of its own, which reports do not show.
function keep(list, name, bytes) {
  const names = [...chosen.dumps, ...chosen.programs].map(([one]) => one);
  let path = name.replace(/^-/, "_");
  for (let n = 2; names.includes(path); n++) path = `${n}/${name}`;
  list.push([path, bytes]);
}

// Programs stay for the dumps that come after them, and dumps for programs.
async function take(files) {
  const read = await Promise.all([...files].map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
  const isProgram = ([, bytes]) => ELF.every((byte, i) => bytes[i] === byte);
  if (!read.every(isProgram)) chosen.dumps = [];
  for (const one of read.filter(isProgram)) {
    chosen.programs = chosen.programs.filter(([name]) => name !== one[0]);
    keep(chosen.programs, ...one);
  }
  for (const one of read.filter((file) => !isProgram(file))) keep(chosen.dumps, ...one);
  if (!chosen.dumps.length) byId("shown").textContent = `${chosen.programs.map(([name]) => name).join(", ")}: for names; now drop the dump of a run`;
  await report();
}

function takeDrops(place) {
  for (const kind of ["dragover", "dragleave", "drop"])
    place.addEventListener(kind, (event) => {
      event.preventDefault();
      document.body.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files);
    });
}

byId("files").addEventListener("change", async (event) => {
  await take(event.target.files);
  event.target.value = ""; // the same file may be chosen again
});
takeDrops(document);
