// SPDX-License-Identifier: MIT
// The marks that several drawings share: a share as a bar with its interval, a legend, round numbers of an axis.

// Bars of the parts of a share, its interval as a whisker, and what was measured exactly as a line above and below it.  Percent.
function shareBar(parts, share, most) {
  const at = (value) => (100 * value) / most;
  const drawing = svg("svg", { viewBox: "0 0 100 22", preserveAspectRatio: "none", "aria-hidden": "true" });
  let from = 0;
  for (const [name, value] of parts) {
    drawing.append(svg("rect", { class: name, x: at(from), y: 3, width: at(value), height: 16 }));
    from += value;
  }
  if (share.low !== null && share.high !== null) drawing.append(whisker(at(share.low), at(share.high)));
  if (share.exact !== null && share.exact !== undefined) drawing.append(exactMark(at(share.exact)));
  return drawing;
}

function whisker(low, high) {
  return svg("path", {
    class: "whisker", "vector-effect": "non-scaling-stroke",
    d: `M${low} 11H${high}M${low} 6V16M${high} 6V16`,
  });
}

function exactMark(x) {
  return svg("path", { class: "exact", "vector-effect": "non-scaling-stroke", d: `M${x} 0V4M${x} 18V22` });
}

// A difference around zero: `most` to both sides.
function differenceBar(row, most) {
  const at = (value) => 50 + (50 * Math.max(-most, Math.min(most, value))) / most;
  const drawing = svg("svg", { viewBox: "0 0 100 22", preserveAspectRatio: "none", "aria-hidden": "true" });
  drawing.append(svg("path", { class: "grid", "vector-effect": "non-scaling-stroke", d: "M50 0V22" }));
  drawing.append(svg("rect", {
    class: "whole", y: 5, height: 12,
    x: Math.min(50, at(row.difference)), width: Math.abs(at(row.difference) - 50),
  }));
  if (row.low !== null) drawing.append(whisker(at(row.low), at(row.high)));
  return drawing;
}

function swatch(name, words) {
  const box = svg("svg", { viewBox: "0 0 22 12", "aria-hidden": "true" }, svg("rect", { class: name, width: 22, height: 12 }));
  return el("span", null, box, words);
}

function markSwatch(path, className, words) {
  return el("span", null, svg("svg", { viewBox: "0 0 22 12", "aria-hidden": "true" }, svg("path", { class: className, d: path })), words);
}

// Some round numbers from low to high.
function ticks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) found.push(n * step);
  return { step, values: found };
}
