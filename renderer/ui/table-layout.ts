/** Room that a column takes; see `Column`. */
export interface ColumnRoom {
  width?: number
  minWidth?: number
  priority?: 1 | 2 | 3
}

/** In rem: narrower tables are cards, which show what a row of a phone has no room for. */
const cardsBelow = 36
const leastWidth = 7

/** Returns the least width of a column in rem. */
export function roomOf({ width, minWidth = leastWidth }: ColumnRoom): number {
  return width ?? minWidth
}

/**
 * Chooses the columns that have room, and whether rows become cards. Columns of priority 3 give way first, then those
 * of 2, the right one before the left one.
 * @param available in rem
 * @param isNarrow keeps columns as long as they fit: the table is beside an open row
 */
export function layOutColumns<C extends ColumnRoom>(
  columns: readonly C[],
  available: number,
  isNarrow = false,
): { columns: readonly C[]; isCards: boolean } {
  const inCards = { columns: columns.filter(({ priority }) => priority !== 3), isCards: true }
  if (!isNarrow && available < cardsBelow) return inCards
  let rest = columns
  for (const priority of [3, 2] as const) {
    while (sumOf(rest) > available) {
      const index = rest.findLastIndex((column) => column.priority === priority)
      if (index === -1) break
      rest = rest.toSpliced(index, 1)
    }
  }
  if (sumOf(rest) > available) return inCards
  return { columns: withLeastWidths(rest, available), isCards: false }
}

/** Gives a column its least width where an equal share of what is left would be less: a table shares by number. */
function withLeastWidths<C extends ColumnRoom>(
  columns: readonly C[],
  available: number,
): readonly C[] {
  const sharing = columns.filter(({ width }) => width === undefined)
  const taken = sumOf(columns) - sumOf(sharing)
  const share = (available - taken) / sharing.length
  if (sharing.length < 2 || sharing.every((column) => roomOf(column) <= share)) return columns
  const settled = columns.map((column) =>
    column.width === undefined && roomOf(column) > share
      ? { ...column, width: roomOf(column) }
      : column,
  )
  return withLeastWidths(settled, available)
}

function sumOf(columns: readonly ColumnRoom[]): number {
  return columns.reduce((sum, column) => sum + roomOf(column), 0)
}
