// SPDX-License-Identifier: MIT
// What the program asks of a system (WASI, snapshot preview 1): words, a clock, and files, which are all in memory.

const WASI = { BADF: 8, EXIST: 20, INVAL: 28, NOENT: 44, AGAIN: 6 }; // errors
const KIND = { device: 2, folder: 3, file: 4 };
const ROOT = 3; // the descriptor of the folder with all files

class Ended extends Error {
  constructor(status) {
    super(`ended with ${status}`);
    this.status = status;
  }
}

// Bytes that grow.
class Memory {
  constructor(bytes = new Uint8Array(0)) {
    this.bytes = bytes;
    this.length = bytes.length;
  }

  read(at, to) {
    const some = this.bytes.subarray(at, Math.min(this.length, at + to.length));
    to.set(some);
    return some.length;
  }

  write(at, from) {
    if (at + from.length > this.bytes.length) {
      const larger = new Uint8Array(2 * (at + from.length));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(from, at);
    this.length = Math.max(this.length, at + from.length);
    return from.length;
  }

  take() {
    const all = this.bytes.slice(0, this.length);
    this.length = 0;
    return all;
  }
}

// A line that bytes come from and go to.  Who has it open gets all that comes from then on; it ends once.
class Line {
  constructor(send) {
    this.send = send;
    this.length = 0;
    this.ended = false;
    this.readers = new Set();
  }

  receive(bytes) {
    for (const one of this.readers) one.queue.push(bytes);
  }

  waits() { return [...this.readers].some((one) => one.queue.length); }

  // What the reader has not seen; below 0: nothing now.
  take(one, to) {
    const first = one.queue[0];
    if (!first) return this.ended ? 0 : -1;
    const some = first.subarray(0, to.length);
    to.set(some);
    if (some.length < first.length) one.queue[0] = first.subarray(some.length);
    else one.queue.shift();
    return some.length;
  }

  write(at, bytes) {
    this.send(bytes.slice()); // the program's memory changes
    return bytes.length;
  }
}

// One run of the program: its memory, its files by name, what it has open.
class Program {
  constructor(files = {}) {
    this.files = new Map(Object.entries(files).map(([name, file]) => [name, file instanceof Line ? file : new Memory(file)]));
    this.out = new Memory();
    this.said = new Memory();
    this.open = [{ file: new Memory(), at: 0 }, { file: this.out }, { file: this.said }, { folder: true }];
    this.words = [];
  }

  async start(module) {
    const calls = {};
    for (const name of Object.getOwnPropertyNames(Program.prototype))
      if (/^(args|clock|fd|path|poll|proc|random)_/.test(name)) calls[name] = this[name].bind(this);
    // What is not here is what nothing of the program needs.
    for (const call of WebAssembly.Module.imports(module)) calls[call.name] ??= () => WASI.INVAL;
    this.instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
    this.exports = this.instance.exports;
    this.exports._initialize();
    return this;
  }

  // Run a command line in a program that has just been started: its status, and what it wrote.
  run(...words) {
    this.words = ["cpuprobe", ...words].map((word) => new TextEncoder().encode(`${word}\0`));
    let status = 0;
    try {
      this.exports.viewer_run();
    } catch (end) {
      if (!(end instanceof Ended)) throw end;
      status = end.status;
    }
    return { status, out: this.out.take(), said: new TextDecoder().decode(this.said.take()) };
  }

  // ---- the program's memory ----

  get view() { return new DataView(this.exports.memory.buffer); }
  bytes(at, length) { return new Uint8Array(this.exports.memory.buffer, at, length); }
  text(at, length) { return new TextDecoder().decode(this.bytes(at, length)); }

  put32(at, value) {
    this.view.setUint32(at, value, true);
    return 0;
  }

  // Each piece of a list of buffers, until one is not filled; how many bytes that were.
  pieces(list, count, each) {
    let all = 0;
    for (let i = 0; i < count; i++) {
      const piece = this.bytes(this.view.getUint32(list + 8 * i, true), this.view.getUint32(list + 8 * i + 4, true));
      const some = each(piece);
      if (some > 0) all += some;
      if (some < piece.length) break;
    }
    return all;
  }

  // ---- words, time, chance, the end ----

  args_sizes_get(count, size) {
    this.put32(count, this.words.length);
    return this.put32(size, this.words.reduce((sum, word) => sum + word.length, 0));
  }

  args_get(list, to) {
    for (const word of this.words) {
      this.put32(list, to);
      this.bytes(to, word.length).set(word);
      list += 4;
      to += word.length;
    }
    return 0;
  }

  clock_time_get(which, precision, to) {
    const ms = which === 0 ? Date.now() : performance.now();
    this.view.setBigUint64(to, BigInt(Math.round(ms * 1e6)), true);
    return 0;
  }

  random_get(to, length) {
    crypto.getRandomValues(this.bytes(to, length));
    return 0;
  }

  // Nothing here waits: all that was asked for is ready.
  poll_oneoff(from, to, count, ready) {
    for (let i = 0; i < count; i++) {
      this.bytes(to + 32 * i, 32).fill(0);
      this.bytes(to + 32 * i, 8).set(this.bytes(from + 48 * i, 8));
      this.view.setUint8(to + 32 * i + 10, this.view.getUint8(from + 48 * i + 8));
    }
    return this.put32(ready, count);
  }

  proc_exit(status) { throw new Ended(status); }

  // ---- files ----

  // A file of this name; "proc/self/fd/5" is what is open as 5.
  named(path) {
    const name = path.replace(/^\/+/, ""), number = /^proc\/self\/fd\/(\d+)$/.exec(name);
    return number ? this.open[Number(number[1])]?.file : this.files.get(name);
  }

  path_open(folder, look, at, length, flags, rights, inheriting, fdflags, to) {
    const name = this.text(at, length).replace(/^\/+/, "");
    let file = this.named(name);
    if (!file && !(flags & 1) || file?.ended) return WASI.NOENT;
    if (!file) this.files.set(name, file = new Memory());
    if (flags & 8) file.length = 0;
    let fd = this.open.findIndex((one) => !one);
    if (fd < 0) fd = this.open.length;
    this.open[fd] = { file, at: 0, queue: [] };
    file.readers?.add(this.open[fd]);
    return this.put32(to, fd);
  }

  path_unlink_file(folder, at, length) {
    return this.files.delete(this.text(at, length).replace(/^\/+/, "")) ? 0 : WASI.NOENT;
  }

  status(to, file, folder) {
    this.bytes(to, 64).fill(0);
    this.view.setUint8(to + 16, folder ? KIND.folder : file.readers ? KIND.device : KIND.file);
    if (file) this.view.setBigUint64(to + 32, BigInt(file.length), true);
    return 0;
  }

  path_filestat_get(folder, flags, at, length, to) {
    const name = this.text(at, length), file = this.named(name);
    return file || name === "." || name === "" ? this.status(to, file, !file) : WASI.NOENT;
  }

  fd_filestat_get(fd, to) {
    const one = this.open[fd];
    return one ? this.status(to, one.file, one.folder) : WASI.BADF;
  }

  fd_prestat_get(fd, to) {
    if (fd !== ROOT) return WASI.BADF;
    this.put32(to, 0);
    return this.put32(to + 4, 1);
  }

  fd_prestat_dir_name(fd, to) {
    this.bytes(to, 1).set([47]);
    return 0;
  }

  fd_fdstat_get(fd, to) {
    const one = this.open[fd];
    if (!one) return WASI.BADF;
    this.bytes(to, 24).fill(0);
    this.view.setUint8(to, one.folder ? KIND.folder : KIND.file);
    this.bytes(to + 8, 16).fill(0xff);
    return 0;
  }

  fd_fdstat_set_flags() { return 0; }

  fd_close(fd) {
    if (!this.open[fd]) return WASI.BADF;
    this.open[fd].file?.readers?.delete(this.open[fd]);
    this.open[fd] = undefined;
    return 0;
  }

  fd_read(fd, list, count, to) {
    const one = this.open[fd];
    if (!one?.file) return WASI.BADF;
    let none = false;
    const got = this.pieces(list, count, (piece) => {
      const some = one.file.readers ? one.file.take(one, piece) : one.file.read(one.at, piece);
      none = some < 0;
      return some;
    });
    if (none && !got) return WASI.AGAIN;
    one.at += got;
    return this.put32(to, got);
  }

  fd_pread(fd, list, count, offset, to) {
    const one = this.open[fd];
    let at = Number(offset);
    if (!one?.file) return WASI.BADF;
    return this.put32(to, this.pieces(list, count, (piece) => {
      const got = one.file.read(at, piece);
      at += got;
      return got;
    }));
  }

  fd_write(fd, list, count, to) {
    const one = this.open[fd];
    if (!one?.file) return WASI.BADF;
    return this.put32(to, this.pieces(list, count, (piece) => {
      const put = one.file.write(one.at ?? one.file.length, piece);
      if (one.at !== undefined) one.at += put;
      return put;
    }));
  }

  fd_seek(fd, offset, from, to) {
    const one = this.open[fd];
    if (!one?.file) return WASI.BADF;
    const at = Number(offset) + [0, one.at ?? 0, one.file.length][from];
    if (!(at >= 0)) return WASI.INVAL;
    one.at = at;
    this.view.setBigUint64(to, BigInt(at), true);
    return 0;
  }
}
