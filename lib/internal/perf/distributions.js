'use strict';
// Distributions that tests of hypotheses and confidence intervals need: normal, Student's t, binomial. All follow from
// the regularised incomplete beta and gamma functions.

const kLanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const kSmallest = Number.MIN_VALUE / Number.EPSILON;
const kMostSteps = 500;

function logGamma(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  x -= 1;
  let sum = kLanczos[0];
  for (let i = 1; i < kLanczos.length; i++) sum += kLanczos[i] / (x + i);
  const t = x + kLanczos.length - 1.5;
  return Math.log(2 * Math.PI) / 2 + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

// A denominator of a continued fraction.
function notZero(value) {
  return Math.abs(value) < kSmallest ? kSmallest : value;
}

// The continued fraction of the incomplete beta function, from its front to its end (Lentz).
function betaFraction(a, b, x) {
  let c = 1;
  let d = 1 / notZero(1 - (a + b) * x / (a + 1));
  let result = d;
  for (let m = 1; m < kMostSteps; m++) {
    const even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    result *= d * c;
    const odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < Number.EPSILON) break;
  }
  return result;
}

// The regularised incomplete beta function: which part of the values of the beta distribution is below x.
function beta(a, b, x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges quickly on one side.
  return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

// How likely a value of the normal distribution is at least so far from the mean, on either side.
function normalBothTails(z) {
  const x = z * z / 2; // the regularised upper incomplete gamma function of 1/2
  if (x === 0) return 1;
  const front = Math.exp(-x - logGamma(0.5)) * Math.sqrt(x);
  if (x < 1.5) { // a series of the lower one
    let term = 2;
    let sum = term;
    for (let n = 1; n < kMostSteps && term > sum * Number.EPSILON; n++) {
      term *= x / (n + 0.5);
      sum += term;
    }
    return 1 - front * sum;
  }
  let b = x + 0.5;
  let c = 1 / kSmallest;
  let d = 1 / b;
  let result = d;
  for (let i = 1; i < kMostSteps; i++) {
    const a = -i * (i - 0.5);
    b += 2;
    d = 1 / notZero(a * d + b);
    c = notZero(b + a / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < Number.EPSILON) break;
  }
  return front * result;
}

// The same of Student's t distribution.
function studentBothTails(t, freedom) {
  return beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

// How far from 0 this part of the values of Student's t distribution lies at most.
function studentWithin(part, freedom) {
  let high = 1;
  while (1 - studentBothTails(high, freedom) < part && high < 1e300) high *= 2;
  let low = 0;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (1 - studentBothTails(middle, freedom) < part) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// The smallest number of successes that this part of all series of `trials` does not exceed.
function binomialQuantile(part, trials, chance) {
  let low = 0;
  let high = trials;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (beta(trials - middle, middle + 1, 1 - chance) >= part) high = middle;
    else low = middle + 1;
  }
  return low;
}

module.exports = { beta, binomialQuantile, normalBothTails, studentBothTails, studentWithin };
