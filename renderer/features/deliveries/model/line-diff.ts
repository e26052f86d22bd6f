import { diffArrays } from 'diff'

export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Texts with more changed lines are unreadable side by side and would block the page for seconds. */
const mostChanges = 2000

/**
 * The lines of two texts side by side, the removed before the added (Myers).
 * @returns `undefined` when they differ too much to be compared in reasonable time
 */
export function diffLines(before: string, after: string): DiffLine[] | undefined {
  const changes = diffArrays(before.split('\n'), after.split('\n'), { maxEditLength: mostChanges })
  return changes?.flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value.map((text): DiffLine => ({ kind, text }))
  })
}
