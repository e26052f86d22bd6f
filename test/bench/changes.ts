import type { Column } from './table.ts'

/** Share by which a row may differ from that of another build without being named. */
export const mostChange = 0.1
const percent = `${Math.round(mostChange * 100)} %`

/**
 * Names the rows of a comparison with another build that changed.
 * @returns a line for slower and one for faster rows, as far as there are any; else one that says that nothing changed
 */
export function describeChanges(columns: readonly Column[]): string[] {
  const results = columns.flatMap(({ node, rows }) =>
    rows.flatMap((row) => row.results.map((result) => ({ node: node.name, ...result }))),
  )
  const named = (title: string, isWanted: (ratio: number) => boolean) => {
    const found = results.filter(({ ratio }) => isWanted(ratio))
    if (found.length === 0) return []
    const list = found.map(({ node, what, ratio }) => `${what} (${ratio.toFixed(2)}, ${node})`)
    return [`${title}: ${list.join(', ')}`]
  }
  const lines = [
    ...named(`Slower by more than ${percent}`, (ratio) => ratio > 1 + mostChange),
    ...named(`Faster by more than ${percent}`, (ratio) => ratio < 1 - mostChange),
  ]
  return lines.length > 0 ? lines : [`No row changed by more than ${percent}.`]
}
