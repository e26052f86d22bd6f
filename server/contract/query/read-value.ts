import { parseDuration } from '../durations.ts'
import { fitsPattern } from '../fits-pattern.ts'
import { suggestion } from '../suggestion.ts'
import type { QueryKey, ValueType } from './query-keys.ts'
import type { QueryValue } from './read-terms.ts'

export type FieldValue = string | number | undefined
export type ValueTest = (value: FieldValue) => boolean
/** Problem with a value: what is wrong, and the end of the sentence that says how to fix it. */
export interface ValueProblem {
  wrong: string
  fix: string
  /** Set if typing on cannot make it valid, as for a name that does not exist. */
  isUnknown?: true
}
export type ReadValue = ValueTest | ValueProblem

interface ValueContext {
  key: string
  info: QueryKey
  /** Sandbox time in milliseconds. */
  now: number
  /** Names that exist; absent = any. */
  known: readonly string[] | undefined
}

/** Reads one alternative of a value, such as `4xx`, `>1s` or `10m`. */
export function readValue(value: QueryValue, context: ValueContext): ReadValue {
  const read = readers[context.info.type]
  const result = read(value, context)
  if (!('wrong' in result)) return result
  const mayBecomeValid = endingsOf(value.text, context.info.type).some(
    (ending) => !('wrong' in read({ ...value, text: value.text + ending }, context)),
  )
  return mayBecomeValid ? result : { ...result, isUnknown: true }
}

const wholeTimes = ['00:00:00', '2000-01-01T00:00:00.000+00:00']

/** Returns texts that complete a value of a type, if typing on can make it valid. */
function endingsOf(text: string, type: ValueType): readonly string[] {
  switch (type) {
    case 'status':
      return ['0', '00', '000']
    case 'count':
      return ['0']
    case 'duration':
      return ['s', '0s']
    case 'from':
    case 'to':
      return ['s', '0s', ...wholeTimes.map((whole) => whole.slice(text.length))]
    default:
      return []
  }
}

const readers: Readonly<
  Record<ValueType, (value: QueryValue, context: ValueContext) => ReadValue>
> = {
  name: readName,
  start: (value) => startTest(value),
  part: ({ text, form }) => {
    const wanted = text.toLowerCase()
    return (field) => typeof field === 'string' && matchesName(field, wanted, form === 'quoted')
  },
  status: readStatus,
  duration: ({ text }, { info }) => {
    const [, operator = '>=', amount = ''] = /^(>=|<=|>|<)?(.*)$/s.exec(text) ?? []
    const ms = parseDuration(amount)
    return ms === undefined
      ? { wrong: `Invalid duration "${text}"`, fix: `: use ${info.help}` }
      : compares(operator, ms)
  },
  count: ({ text }, { info }) => {
    const [, operator = '=', amount] = /^(>=|<=|>|<|=)?(\d{1,9})$/.exec(text) ?? []
    return amount === undefined
      ? { wrong: `Invalid number "${text}"`, fix: `: use ${info.help}` }
      : compares(operator, Number(amount))
  },
  from: (value, context) => readTime(value, context, '>='),
  to: (value, context) => readTime(value, context, '<='),
}

/** A known name matches exactly; anything else matches the known names that contain it. */
function readName(value: QueryValue, { key, info, known }: ValueContext): ReadValue {
  const wanted = value.text.toLowerCase()
  if (wanted.includes('*')) return patternTest(wanted)
  const isQuoted = value.form === 'quoted'
  const isName = value.form === 'plain' && known?.some((name) => name.toLowerCase() === wanted)
  const isExact = isQuoted || isName === true
  if (known !== undefined && !known.some((name) => matchesName(name, wanted, isQuoted))) {
    return {
      wrong: `Unknown ${info.noun ?? key} "${value.text}"`,
      fix: fixFor(value.text, known, info.known !== undefined),
    }
  }
  // `repo` includes `repo.content`, which may still be typed.
  const isFit = (name: string) =>
    matchesName(name, wanted, isExact) || (!isQuoted && name.toLowerCase().startsWith(`${wanted}.`))
  return (field) => typeof field === 'string' && isFit(field)
}

/** Longest list of names in a message. */
const mostNames = 16

/** @param isClosed the names are fixed, so that all of them help */
function fixFor(text: string, known: readonly string[], isClosed: boolean): string {
  if (known.length === 0) return ': there is none'
  const hint = suggestion(text, known)
  const isListed = known.length <= mostNames && (isClosed || hint === '')
  return isListed ? `${hint}: use ${known.join(', ')}` : hint
}

function matchesName(name: string, wanted: string, isExact: boolean): boolean {
  const lower = name.toLowerCase()
  return isExact ? lower === wanted : lower.includes(wanted)
}

function startTest({ text, form }: QueryValue): ValueTest {
  const wanted = text.toLowerCase()
  if (form === 'quoted') return (field) => String(field).toLowerCase() === wanted
  return patternTest(`${wanted}*`)
}

/** `repo.*` includes `repo` itself, as in the events that a webhook watches. */
function patternTest(pattern: string): ValueTest {
  const root = pattern.endsWith('.*') ? pattern.slice(0, -2) : undefined
  return (field) => {
    if (typeof field !== 'string') return false
    const lower = field.toLowerCase()
    return lower === root || fitsPattern(pattern, lower)
  }
}

/** Reads `404`, `4xx`, `>=400`, or a word such as `failed`. The first digits of a status match all statuses with them. */
function readStatus(value: QueryValue, context: ValueContext): ReadValue {
  const { text } = value
  // Exit codes have fewer digits.
  const [, operator, number] = /^(>=|<=|>|<|=(?=\d))(\d{3}|0|(?<==)\d{1,2})$/.exec(text) ?? []
  if (operator !== undefined) return compares(operator, Number(number))
  const digits = /^(\d{1,3}|[1-5]x{1,2}|[1-5]\dx)$/i.exec(text)?.[0].replaceAll(/x/gi, '')
  if (digits !== undefined) {
    return (field) => typeof field === 'number' && String(field).startsWith(digits)
  }
  if (context.known !== undefined && /^[a-z* -]+$/i.test(text)) {
    // As lists show it: `not run`.
    return readName({ ...value, text: text.replaceAll(' ', '-') }, context)
  }
  return { wrong: `Invalid status "${text}"`, fix: `: use ${context.info.help}` }
}

const timeOfDay = /^(\d\d):(\d\d)(?::(\d\d))?$/
const date = /^\d{4}-\d\d-\d\d$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/i

function readTime({ text }: QueryValue, { info, now }: ValueContext, operator: string): ReadValue {
  const time = timeOf(text, now)
  return time === undefined
    ? { wrong: `Invalid time "${text}"`, fix: `: use ${info.help}` }
    : compares(operator, time)
}

/** Returns a time in milliseconds since 1970; one without a zone is in UTC. */
function timeOf(text: string, now: number): number | undefined {
  const ago = parseDuration(text)
  if (ago !== undefined) return now - ago
  const zoned = timeOfDay.test(text)
    ? `${new Date(now).toISOString().slice(0, 11)}${text}Z`
    : dateTime.exec(text)?.[1] === undefined && dateTime.test(text)
      ? `${text}Z`
      : text
  const time = date.test(zoned) || dateTime.test(zoned) ? Date.parse(zoned.toUpperCase()) : NaN
  return Number.isNaN(time) ? undefined : time
}

function compares(operator: string, wanted: number): ValueTest {
  const compare = comparisons.get(operator)
  return (field) => typeof field === 'number' && compare?.(field, wanted) === true
}

const comparisons: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['>', (a: number, b: number) => a > b],
  ['<', (a: number, b: number) => a < b],
  ['>=', (a: number, b: number) => a >= b],
  ['<=', (a: number, b: number) => a <= b],
  ['=', (a: number, b: number) => a === b],
])
