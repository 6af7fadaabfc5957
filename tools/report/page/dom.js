// SPDX-License-Identifier: MIT
// Elements, and numbers as text.  Text from the run reaches the page through textContent and attributes only.

const SVG_SPACE = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined) node.append(child);
  return node;
}

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG_SPACE, tag), attributes, children);
}

// Only what changes is touched.
function setOnce(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

function byId(id) {
  return document.getElementById(id);
}

function show(id, ...children) {
  byId(id).replaceChildren(...children.flat().filter((child) => child !== null));
}

// ---- numbers ----

// As printf writes it: a tie, which only odd multiples of 1/2^(digits + 1) are, goes to the even digit; toFixed() takes the larger.
function fixed(value, digits) {
  const text = value.toFixed(digits), tie = Math.abs(value) * 2 ** (digits + 1) % 2 === 1;
  return tie && "13579".includes(text.at(-1)) ? (value - Math.sign(value) * 2 ** -30).toFixed(digits) : text;
}

function percent(value, digits = 2) {
  return value === null || value === undefined ? "n.a." : fixed(value, digits);
}

function signed(value, digits = 2) {
  return value === null ? "n.a." : (value < 0 ? "\u2212" : "+") + fixed(Math.abs(value), digits);
}

function range(low, high, digits = 2) {
  return low === null || high === null ? "n.a." : `${fixed(low, digits)} to ${fixed(high, digits)}`;
}

function seconds(value, step) {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step))));
  return fixed(value, digits);
}

function count(value) {
  return value === null || value === undefined ? "n.a." : String(value);
}

// ---- what is shown ----

const MODES = ["user", "supervisor", "kernel", "interrupt"];
const data = { all: null, run: null };
const state = { run: 0, task: null, mode: "", text: "", node: 0, flame: false, sort: "total", down: true, from: 0, to: 1, range: null, more: false, unfolded: new Set() };

function matches(...texts) {
  const wanted = state.text.toLowerCase();
  return texts.some((text) => String(text).toLowerCase().includes(wanted));
}
