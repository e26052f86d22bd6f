import { suggestion } from '../suggestion.ts'
import { findKey, queryKeys, type QueryList, queryLists } from './query-keys.ts'
import { type QueryTerm, readTerms } from './read-terms.ts'
import { type FieldValue, readValue, type ValueTest } from './read-value.ts'

/** Entry of a list, as a query sees it. */
export interface QuerySubject {
  /** Text in which words without a key are searched. */
  text: () => string
  /** Values of a key; one of them must match. */
  values: (key: string) => readonly FieldValue[]
}

export interface QueryContext {
  /** Sandbox time in milliseconds, for times such as `from:10m`. */
  now: number
  /** Returns the names that exist for a key; a name that none of them contains is a problem. */
  known?: (key: string) => readonly string[] | undefined
}

/** Problem with a word of a query. */
export interface QueryIssue {
  /** Index of the first character of the word. */
  start: number
  end: number
  /** Names the word, its position and the fix. */
  message: string
}

export interface CompiledQuery {
  terms: readonly QueryTerm[]
  issues: readonly QueryIssue[]
  /**
   * Tests an entry. An unknown word matches nothing; one that is still being typed is left out, so that it never empties a
   * list.
   */
  test: (subject: QuerySubject) => boolean
  /** Words without a problem, as a query that has none and matches the same; undefined if nothing can match. */
  valid: string | undefined
}

type SubjectTest = (subject: QuerySubject) => boolean

interface TermProblem {
  problem: string
  /** Whether its value is missing, may become valid when more is typed, or is a word that does not exist. */
  wrong: 'empty' | 'unfinished' | 'unknown'
}

const names: Readonly<Record<QueryList, string>> = {
  requests: 'requests',
  flows: 'sign-ins',
  deliveries: 'deliveries',
}

/** Compiles a query such as `status:4xx user:alice from:10m -/api`. All words must match. */
export function compileQuery(list: QueryList, text: string, context: QueryContext): CompiledQuery {
  const terms = readTerms(text)
  const issues: QueryIssue[] = []
  const tests: SubjectTest[] = []
  const valid: string[] = []
  let isPossible = true
  for (const term of terms) {
    const test = compileTerm(list, term, context)
    if (test === undefined) continue
    if ('problem' in test) {
      issues.push({ start: term.start, end: term.end, message: test.problem })
      const isTyped = test.wrong === 'unfinished' && term.end === text.length
      // Nothing is known to be excluded by an unknown word.
      if (test.wrong !== 'empty' && !isTyped && !term.negated) isPossible = false
    } else {
      tests.push(term.negated ? (subject) => !test(subject) : test)
      valid.push(text.slice(term.start, term.end))
    }
  }
  return {
    terms,
    issues,
    test: (subject) => isPossible && tests.every((test) => test(subject)),
    valid: isPossible ? valid.join(' ') : undefined,
  }
}

function compileTerm(
  list: QueryList,
  term: QueryTerm,
  context: QueryContext,
): SubjectTest | TermProblem | undefined {
  const text = term.values[0]?.text ?? ''
  // Typed so far: `-` or a quote.
  if (term.key === undefined) return text === '' ? undefined : textTest(text)
  const place = ` at character ${term.start + 1}`
  const found = findKey(list, term.key)
  if (found === undefined) {
    return { problem: unknownKey(list, term.key, place), wrong: 'unknown' }
  }
  const [key, info] = found
  const values = term.values.filter(({ text }) => text !== '')
  if (values.length === 0) {
    return { problem: `"${term.key}:"${place} needs a value: ${info.help}.`, wrong: 'empty' }
  }
  const known = context.known?.(key) ?? info.known
  const tests: ValueTest[] = []
  for (const value of values) {
    const test = readValue(value, { key, info, known, now: context.now })
    if ('wrong' in test) {
      const wrong = test.isUnknown === true ? 'unknown' : 'unfinished'
      return { problem: `${test.wrong}${place}${test.fix}.`, wrong }
    }
    tests.push(test)
  }
  return (subject) => subject.values(key).some((value) => tests.some((test) => test(value)))
}

function textTest(text: string): SubjectTest {
  const wanted = text.toLowerCase()
  return (subject) => subject.text().toLowerCase().includes(wanted)
}

function unknownKey(list: QueryList, key: string, place: string): string {
  const own = Object.keys(queryKeys[list])
  const elsewhere = queryLists.find((other) => findKey(other, key) !== undefined)
  const what =
    elsewhere === undefined
      ? `Unknown key "${key}:"${place}${suggestion(key, own)}`
      : `"${key}:"${place} is a key of ${names[elsewhere]}, not of ${names[list]}`
  return `${what}. Use ${own.join(', ')}, or quote the word to search for text.`
}
