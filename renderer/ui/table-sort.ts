/** What rows are sorted by; rows without a value come last. */
export type SortValue = string | number | undefined

export interface Sort {
  /** Key of a column, see {@link sortKey}. */
  key: string
  isDescending: boolean
}

/** Returns the name of a column in the URL: `Last delivery` is `last-delivery`. */
export function sortKey(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Reads a sort from the URL: `took` or `-took`; undefined for an unknown column. */
export function readSort(text: string, keys: readonly string[]): Sort | undefined {
  const isDescending = text.startsWith('-')
  const key = isDescending ? text.slice(1) : text
  return keys.includes(key) ? { key, isDescending } : undefined
}

/**
 * Returns the text of the next sort of a column: one direction, then the other, then none.
 * @param descendsFirst for numbers and times: the largest is wanted first
 */
export function nextSort(sort: Sort | undefined, key: string, descendsFirst: boolean): string {
  const textOf = (isDescending: boolean) => (isDescending ? `-${key}` : key)
  if (sort?.key !== key) return textOf(descendsFirst)
  return sort.isDescending === descendsFirst ? textOf(!descendsFirst) : ''
}

/** Sorts rows by a value of each; equal ones keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  valueOf: (row: T) => SortValue,
  isDescending: boolean,
): readonly T[] {
  const sign = isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .toSorted((one, other) => {
      if (one.value === undefined || other.value === undefined) {
        return Number(one.value === undefined) - Number(other.value === undefined)
      }
      return sign * compare(one.value, other.value)
    })
    .map(({ row }) => row)
}

// `file-2` before `file-10`, as people count.
const collator = new Intl.Collator('en', { numeric: true })

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return collator.compare(String(one), String(other))
}
