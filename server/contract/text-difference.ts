import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { integer, text } from './plain-fields.ts'

const DifferencePart = Type.Object({
  kind: OneOf(
    ['same', 'extra', 'missing'] as const,
    '`extra`: only in the value sent; `missing`: only in the registered one',
  ),
  text: text('Characters'),
})
type DifferencePart = Static<typeof DifferencePart>

export const NearestUri = Type.Object(
  {
    value: text('Registered redirect URI that is most like the one sent'),
    parts: Type.Array(DifferencePart, { description: 'Both URIs in one, with what differs' }),
    others: integer('Number of other registered URIs'),
  },
  { description: 'Difference to the nearest registered redirect URI' },
)
export type NearestUri = Static<typeof NearestUri>

/** Longest texts that are compared character by character; their cost is the product of their lengths. */
const mostCharacters = 300
/** Shorter common runs between two changes are chance: `elsewhere` has an `l` and an `a` of `callback`. */
const shortestRun = 3

/** Compares two texts: common parts, and what only one of them has; of a change, the extra part comes first. */
export function differenceOf(sent: string, registered: string): DifferencePart[] {
  let start = 0
  while (start < Math.min(sent.length, registered.length) && sent[start] === registered[start]) {
    start++
  }
  let end = 0
  const most = Math.min(sent.length, registered.length) - start
  while (end < most && sent.at(-1 - end) === registered.at(-1 - end)) end++
  const middle = compareMiddle(
    sent.slice(start, sent.length - end),
    registered.slice(start, registered.length - end),
  )
  return joined([
    { kind: 'same', text: sent.slice(0, start) },
    ...middle,
    { kind: 'same', text: end === 0 ? '' : sent.slice(-end) },
  ])
}

function compareMiddle(sent: string, registered: string): DifferencePart[] {
  const whole: DifferencePart[] = [
    { kind: 'extra', text: sent },
    { kind: 'missing', text: registered },
  ]
  if (sent.length > mostCharacters || registered.length > mostCharacters) return whole
  const parts = commonSubsequence(sent, registered)
  // Both ends are trimmed, so a common run is between two changes.
  return parts.flatMap((part) =>
    part.kind === 'same' && part.text.length < shortestRun
      ? [
          { kind: 'extra' as const, text: part.text },
          { kind: 'missing' as const, text: part.text },
        ]
      : [part],
  )
}

/** Longest common subsequence, as parts of one character or more. */
function commonSubsequence(one: string, other: string): DifferencePart[] {
  const width = other.length + 1
  const lengths = new Uint16Array((one.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        one[row] === other[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const parts: DifferencePart[] = []
  let row = 0
  let column = 0
  while (row < one.length || column < other.length) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      parts.push({ kind: 'same', text: one.charAt(row) })
      row++
      column++
    } else if (row < one.length && at(row + 1, column) >= at(row, column + 1)) {
      parts.push({ kind: 'extra', text: one.charAt(row++) })
    } else parts.push({ kind: 'missing', text: other.charAt(column++) })
  }
  return joined(parts)
}

/** Joins neighbours of one kind; between two common parts, the extra one comes before the missing one. */
function joined(parts: readonly DifferencePart[]): DifferencePart[] {
  const result: DifferencePart[] = []
  let extra = ''
  let missing = ''
  const flush = () => {
    if (extra !== '') result.push({ kind: 'extra', text: extra })
    if (missing !== '') result.push({ kind: 'missing', text: missing })
    extra = ''
    missing = ''
  }
  for (const { kind, text: characters } of parts) {
    if (characters === '') continue
    if (kind === 'extra') extra += characters
    else if (kind === 'missing') missing += characters
    else {
      const last = result.at(-1)
      const isSame = extra === '' && missing === '' && last?.kind === 'same'
      flush()
      if (isSame) last.text += characters
      else result.push({ kind, text: characters })
    }
  }
  flush()
  return result
}
