/** Index of the first item that `reaches` is true of, given that it is false of all before and true of all after; or the count. */
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
