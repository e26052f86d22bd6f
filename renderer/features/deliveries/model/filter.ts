import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { responseTime } from './state-look.ts'

export interface FilterContext {
  webhookName: (id: string) => string
  isBookmarked: (id: string) => boolean
}

type Test = (row: DeliveryRow) => boolean

/** Filter keys with their tests of a row. Values are lower case. */
const keyTests = {
  status: (value) => (row) => row.state === value,
  code: (value) => (row) => matchPattern(value.replaceAll('x', '?'), String(row.status ?? '')),
  scope: (value) => (row) =>
    value.endsWith('.*')
      ? row.scope === value.slice(0, -2) || row.scope.startsWith(value.slice(0, -1))
      : row.scope === value,
  action: (value) => (row) => row.action === value,
  repo: (value) => (row) => matchPattern(value, row.repo.toLowerCase()),
  webhook:
    (value, { webhookName }) =>
    (row) =>
      row.webhookId === value || webhookName(row.webhookId).toLowerCase().includes(value),
  attempt: (value) => (row) => compare(value, row.attempts),
  took: (value) => (row) => compare(value, responseTime(row)),
  error: (value) => (row) => row.errorClass?.includes(value) === true,
  after: (value) => (row) => Date.parse(row.createdAt) >= parseTime(value),
  before: (value) => (row) => Date.parse(row.createdAt) <= parseTime(value),
  source: (value) => (row) => row.source === value,
  is:
    (value, { isBookmarked }) =>
    (row) =>
      value === 'bookmarked' && isBookmarked(row.id),
} satisfies Record<string, (value: string, context: FilterContext) => Test>

type FilterKey = keyof typeof keyTests

/**
 * Parses a filter such as `status:failed scope:repo.* attempt:>1 corpus`. Every word must match; a word without a
 * known key is searched in repo, event, webhook and id. `-` negates a word.
 */
export function parseFilter(text: string, context: FilterContext): Test {
  const tests = text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => parseWord(word, context))
  return (row) => tests.every((test) => test(row))
}

function parseWord(word: string, context: FilterContext): Test {
  if (word.startsWith('-') && word.length > 1) {
    const test = parseWord(word.slice(1), context)
    return (row) => !test(row)
  }
  const colon = word.indexOf(':')
  const key = word.slice(0, colon)
  const value = word.slice(colon + 1).toLowerCase()
  if (colon > 0 && isFilterKey(key)) return value ? keyTests[key](value, context) : () => true
  const wanted = word.toLowerCase()
  return (row) =>
    [row.repo, row.scope, row.action, context.webhookName(row.webhookId), row.id, row.eventId].some(
      (field) => field.toLowerCase().includes(wanted),
    )
}

function isFilterKey(key: string): key is FilterKey {
  return Object.hasOwn(keyTests, key)
}

/** Upper-cases the value for ISO 8601. */
function parseTime(value: string): number {
  return Date.parse(value.toUpperCase())
}

/** Matches `*` for any text and `?` for one character. */
function matchPattern(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`).test(text)
}

/** `>1`, `<=100`, `3`. */
function compare(condition: string, actual: number | undefined): boolean {
  const match = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?)$/.exec(condition)
  if (!match || actual === undefined) return false
  const wanted = Number(match[2])
  switch (match[1]) {
    case '>':
      return actual > wanted
    case '<':
      return actual < wanted
    case '>=':
      return actual >= wanted
    case '<=':
      return actual <= wanted
    default:
      return actual === wanted
  }
}
