// SPDX-License-Identifier: MIT
// Reads a board's line by Web Serial, has the program make the page of what came, and sends what it writes.

const BAUDS = [9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1500000];
const BAUD = 115200; // the image's own
const TURN = 100; // ms between two looks at the program, where nothing comes
const PAGE = 1000; // ms from one page to the next, at least
const AGAIN = 1000; // ms after which a line that ended is opened again
const ROOM = 1 << 16; // bytes that the browser keeps before it is asked

let board = null; // that is connected

class Board {
  constructor(port, baudRate) {
    this.port = port;
    this.how = { baudRate, bufferSize: ROOM };
    this.writing = Promise.resolve();
    this.line = new Line((bytes) => { this.writing = this.writing.then(() => this.put(bytes)).catch(() => this.line.ended = true); });
    this.next = 0; // when a page may be made
    this.shown = false;
  }

  async put(bytes) {
    const writer = this.port.writable.getWriter();
    await writer.write(bytes).finally(() => writer.releaseLock());
  }

  async begin() {
    await this.port.open(this.how);
    this.program = await new Program({ line: this.line }).start(await program());
    this.calls = this.program.exports;
    this.calls.viewer_live_begin();
    this.timer = setInterval(() => this.turn(), TURN);
    this.serve();
  }

  // As `serve` does: a line that ended is opened again, for as long as that takes.
  async serve() {
    while (!this.left) {
      await this.read();
      this.line.ended = true;
      await this.port.close().catch(() => {});
      while (this.line.ended && !this.left) {
        await new Promise((done) => { setTimeout(done, AGAIN); });
        if (!this.left) await this.port.open(this.how).then(() => { this.line.ended = false; }, () => {});
      }
    }
  }

  // Where the browser reports an error of the line it goes on with a new stream; where the device is gone there is none.
  async read() {
    while (this.port.readable && !this.left) {
      this.reader = this.port.readable.getReader();
      try {
        for (let got; !(got = await this.reader.read()).done && !this.left;) {
          this.line.receive(got.value);
          this.turn();
        }
        if (!this.left) break;
      } catch { /* a break or a wrong bit: the decoder tells of what is missing */
      } finally {
        this.reader.releaseLock();
      }
    }
  }

  // ---- the program ----

  turn() {
    if (this.left) return;
    try {
      do this.calls.viewer_live_turn(); while (this.line.waits());
      if (performance.now() >= this.next && this.calls.viewer_live_changed()) this.show();
      this.tell();
    } catch (error) {
      leaveBoard();
      say(`${text(this.program.said.take())}The program has ended: ${error.message}`);
    }
  }

  // A page that takes long to make comes less often.
  show() {
    const begun = performance.now(), { takeNewer } = byId("report").contentWindow;
    if (this.shown && !takeNewer) return; // it is not loaded yet
    if (!this.calls.viewer_live_page(this.shown ? 0 : 1)) return;
    const made = text(this.program.out.take());
    if (this.shown) takeNewer(JSON.parse(made));
    else show(made);
    this.shown = true;
    this.next = begun + Math.max(PAGE, 4 * (performance.now() - begun));
  }

  tell() {
    this.calls.viewer_live_tell();
    const [state, answer, ...code] = text(this.program.out.take()).trimEnd().split("\n");
    const put = (id, words) => { if (byId(id).textContent !== words) byId(id).textContent = words; };
    put("state", state);
    put("answer", answer || "");
    put("code-lines", code.join("\n"));
    byId("code-lines").hidden = !code.length;
  }

  // As at the keyboard of `top`: a task is chosen by the filter.
  ask(key, word) {
    const end = key === "x" && !byId("code-lines").hidden ? "xd" : key; // the code is shown no more
    const keys = key === "z" ? `/${word}\r${key}` : ":rSp".includes(key) ? `${key}${word}\r` : end;
    for (const one of keys) this.calls.viewer_live_key(one.charCodeAt(0));
    this.turn();
  }

  async leave() {
    this.left = true;
    clearInterval(this.timer);
    await this.reader?.cancel().catch(() => {});
    await this.writing;
    await this.port.close().catch(() => {});
  }
}

// ---- the page ----

function showConnected(is) {
  byId("connect").textContent = is ? "Disconnect" : "Connect a board";
  byId("rate").hidden = is;
  byId("talk").hidden = !is;
}

async function leaveBoard() {
  const was = board;
  board = null;
  showConnected(false);
  await was?.leave();
}

async function connect() {
  try {
    const one = new Board(await navigator.serial.requestPort(), Number(byId("baud").value));
    say("");
    show("");
    byId("shown").textContent = "";
    await one.begin();
    board = one;
    showConnected(true);
  } catch (error) {
    if (error.name !== "NotFoundError") say(`The line cannot be opened: ${error.message}`); // that: nobody was chosen
  }
}

if (navigator.serial) {
  byId("baud").append(...BAUDS.map((baud) => new Option(baud, baud, baud === BAUD, baud === BAUD)));
  byId("connect").addEventListener("click", () => (board ? leaveBoard() : connect()));
  byId("talk").addEventListener("submit", (event) => {
    event.preventDefault();
    board?.ask(byId("ask").value, byId("word").value);
  });
} else {
  byId("no-line").hidden = false;
}
byId("connect").hidden = byId("rate").hidden = !navigator.serial;
