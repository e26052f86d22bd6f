import { diffChars } from 'diff'

/** Part of two texts: common to both, or in one of them only. */
export interface TextPart {
  kind: 'same' | 'extra' | 'missing'
  text: string
}

/** Texts with more changed characters are not compared: they have nothing in common. */
const mostEdits = 600
/** Shorter common runs between two changes are chance: `elsewhere` has an `l` and an `a` of `callback`. */
const shortestRun = 3

/** Compares two texts: common parts, and what only one of them has; of a change, the extra part comes first. */
export function differenceOf(sent: string, registered: string): TextPart[] {
  const changes = diffChars(registered, sent, { maxEditLength: mostEdits })
  if (changes === undefined) return joined([extra(sent), missing(registered)])
  return joined(
    changes.flatMap(({ value, added, removed }, index) => {
      if (added) return [extra(value)]
      if (removed) return [missing(value)]
      const isBetween = index > 0 && index < changes.length - 1
      return isBetween && value.length < shortestRun
        ? [extra(value), missing(value)]
        : [{ kind: 'same' as const, text: value }]
    }),
  )
}

const extra = (text: string): TextPart => ({ kind: 'extra', text })
const missing = (text: string): TextPart => ({ kind: 'missing', text })

/** Joins what is changed between two common parts: the extra characters, then the missing ones. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = []
  let changed = { extra: '', missing: '' }
  const flush = () => {
    if (changed.extra !== '') result.push(extra(changed.extra))
    if (changed.missing !== '') result.push(missing(changed.missing))
    changed = { extra: '', missing: '' }
  }
  for (const part of parts) {
    if (part.kind === 'same') {
      flush()
      result.push(part)
    } else changed[part.kind] += part.text
  }
  flush()
  return result
}
