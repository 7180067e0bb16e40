/** How similar two grey pictures look: the mean of the structural similarity (SSIM) of their windows of 8 × 8 pixels; 1 for equal ones. */

const [side, step] = [8, 4];
/** The constants of its authors, for values up to 255. */
const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];

export function similarity(a: Float64Array, b: Float64Array, width: number, height: number): number {
  let sum = 0;
  let windows = 0;
  for (let y = 0; y + side <= height; y += step) {
    for (let x = 0; x + side <= width; x += step) {
      sum += windowSimilarity(a, b, width, x, y);
      windows++;
    }
  }
  return sum / windows;
}

function windowSimilarity(a: Float64Array, b: Float64Array, width: number, left: number, top: number): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let y = top; y < top + side; y++) {
    for (let at = y * width + left; at < y * width + left + side; at++) {
      const [p, q] = [a[at] as number, b[at] as number];
      sumA += p;
      sumB += q;
      squaresA += p * p;
      squaresB += q * q;
      products += p * q;
    }
  }
  const n = side * side;
  const [meanA, meanB] = [sumA / n, sumB / n];
  const [varianceA, varianceB] = [squaresA / n - meanA ** 2, squaresB / n - meanB ** 2];
  const covariance = products / n - meanA * meanB;
  return ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA ** 2 + meanB ** 2 + c1) * (varianceA + varianceB + c2));
}
