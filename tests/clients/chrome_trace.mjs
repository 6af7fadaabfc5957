// SPDX-License-Identifier: MIT
// Has Chrome's trace engine read a trace: chrome_trace.mjs ENGINE FILE BEGIN END prints samples by outermost frame and the
// time of states by thread between two moments, us, as JSON.
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';

const [engine, file, begin, end] = process.argv.slice(2);
globalThis.DOMRect ??= class {};
const {TraceModel} = await import(url.pathToFileURL(path.join(engine, 'models/trace/trace.js')));
const {traceEvents} = JSON.parse(fs.readFileSync(file, 'utf8'));

const processor = TraceModel.Model.createWithAllHandlers();
await processor.parse(traceEvents, {metadata: {}});
const {data} = processor.parsedTrace(0);

const samples = {};
for (const threads of data.Samples.profilesInProcess.values()) {
  for (const {parsedProfile} of threads.values()) {
    for (const id of parsedProfile.samples) {
      let node = parsedProfile.nodeById(id);
      while (node.depth > 0) node = node.parent;
      samples[node.callFrame.functionName] = (samples[node.callFrame.functionName] ?? 0) + 1;
    }
  }
}
const states = {};
for (const {threads} of data.Renderer.processes.values()) {
  for (const thread of threads.values()) {
    for (const entry of thread.entries) {
      if (entry.cat !== 'state') continue;
      const inside = Math.min(entry.ts + entry.dur, Number(end)) - Math.max(entry.ts, Number(begin));
      states[thread.name] = (states[thread.name] ?? 0) + Math.max(0, inside);
    }
  }
}
process.stdout.write(JSON.stringify({samples, states}));
