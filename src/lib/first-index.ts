/** Binary search: the first index for which `reaches` is true; `count` if there is none. It must be false before and true after. */
export function firstIndex(count: number, reaches: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reaches(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
