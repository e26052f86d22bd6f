export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Longest texts that are compared line by line; the table grows with the product of both. */
const mostLines = 1500

/**
 * The lines of two texts side by side (longest common subsequence).
 * @returns `undefined` when they are too long to be compared in reasonable time
 */
export function diffLines(before: string, after: string): DiffLine[] | undefined {
  const a = before.split('\n')
  const b = after.split('\n')
  if (a.length > mostLines || b.length > mostLines) return undefined
  const lengths = commonLengths(a, b)
  const width = b.length + 1
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const left = a[i]
    const right = b[j]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      i++
      j++
    } else if (
      left !== undefined &&
      (right === undefined ||
        (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: left })
      i++
    } else if (right !== undefined) {
      lines.push({ kind: 'added', text: right })
      j++
    }
  }
  return lines
}

/** At `i * (b.length + 1) + j`: length of the longest common subsequence of `a` from i and `b` from j. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  return lengths
}
