/** Inserts an item into a sorted list, after the items that compare as equal. */
export function insertSorted<T>(list: T[], item: T, compare: (a: T, b: T) => number): void {
  let [start, end] = [0, list.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if (compare(list[middle] as T, item) <= 0) start = middle + 1
    else end = middle
  }
  list.splice(start, 0, item)
}
