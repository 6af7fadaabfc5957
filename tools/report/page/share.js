// SPDX-License-Identifier: MIT
// The interval of a share by the rules of probe/estimate/confidence.c; the numbers that they need come with the data.

const POISSON = 10; // as there: hits whose variance is below a Poisson count's by fewer than this

function studentT(freedom) {
  const { normal: z, student } = data.all.limits, whole = Math.floor(Math.min(freedom, 1e6));
  if (whole <= student.length) return student[Math.max(0, whole - 1)];
  const z2 = z * z, u = 1 / whole;
  return z * (1 + u * ((z2 + 1) / 4 + u * (((5 * z2 + 16) * z2 + 3) / 96 + u * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384)));
}

// The variance by pairs, in that of independent samples, and how many pairs that is known from.
function designEffect({ pairing, cv2 }, { hits, samples, changes }) {
  const p = hits / samples, stratum = pairing === "stratum", pairs = stratum ? changes : changes / 2;
  if (!hits || hits === samples) return { deff: 1, freedom: 1 };
  const paired = ((1 - cv2) * (pairs + (stratum ? 1 : 0))) / (samples * p * (1 - p)), deff = cv2 + paired;
  return { deff, freedom: Math.max(1, pairs) * (deff / paired) ** 2 };
}

function fewHits(hits, samples) {
  return hits < data.all.limits.low.length - 1 && hits * hits < POISSON * samples;
}

function effectiveSamples(estimator, tally) {
  const { hits, samples, changes } = tally, { deff, freedom } = designEffect(estimator, tally);
  if (!fewHits(Math.min(hits, samples - hits), samples)) return samples / deff;
  if (!changes || !hits || hits === samples) return samples;
  const wide = deff * (studentT(freedom) / data.all.limits.normal) ** 2;
  return wide > 1 ? samples : samples / wide;
}

function wilson(share, n) {
  const z2 = data.all.limits.normal ** 2 / n, centre = (share + z2 / 2) / (1 + z2);
  const half = Math.sqrt(share * (1 - share) * z2 + (z2 * z2) / 4) / (1 + z2);
  return { low: share === 0 ? 0 : Math.min(share, Math.max(0, centre - half)), high: share === 1 ? 1 : Math.max(share, Math.min(1, centre + half)) };
}

function fewLimits(hits, samples) {
  const at = (limit) => limit[Math.floor(hits)] + (hits % 1) * (limit[Math.floor(hits) + 1] - limit[Math.floor(hits)]);
  return { low: at(data.all.limits.low) / samples, high: Math.min(1, at(data.all.limits.high) / samples) };
}

// 0 .. 1, of a tally { hits, samples, changes }: what chance alone allows.
function byChance(estimator, tally) {
  const share = tally.samples ? tally.hits / tally.samples : 0, rare = share < 0.5 ? share : 1 - share;
  if (!tally.samples) return { low: 0, high: 1 };
  const n = effectiveSamples(estimator, tally);
  if (!fewHits(rare * n, n)) return wilson(share, n);
  const { low, high } = fewLimits(rare * n, n);
  return share < 0.5 ? { low, high } : { low: 1 - high, high: 1 - low };
}

function intervalOf(estimator, tally) {
  const { bias } = estimator, { low, high } = byChance(estimator, tally);
  return { low: Math.max(0, low * (1 + bias) - bias), high: Math.min(1, high * (1 + bias)) };
}

// The share with its interval in percent; samples whose place is not known may belong to it or not.
function shareOf(estimator, tally, unknown) {
  const more = Math.min(unknown, tally.samples - tally.hits), all = { ...tally, hits: tally.hits + more, changes: tally.changes + more };
  const none = estimator.interval_reason, least = none || intervalOf(estimator, tally), most = none || intervalOf(estimator, all);
  return { hits: tally.hits, percent: tally.samples ? (100 * tally.hits) / tally.samples : 0, low: none ? null : 100 * least.low, high: none ? null : 100 * most.high, exact: null };
}
