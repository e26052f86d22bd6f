import { jsonRows } from '../../lib/json-rows.ts'
import { differsByNature } from './natural-differences.ts'

/** Value of a request, sign-in or delivery that can be compared. */
export interface Fact {
  /** Part that it belongs to: `Request headers`. */
  section: string
  name: string
  value: string
  /** It differs each time, as a duration does; others are known by their names. */
  eachTime?: boolean
  /** Step of a sign-in that it belongs to, numbered if several have the same name. */
  step?: string
}

export interface ComparedRow extends Omit<Fact, 'value' | 'eachTime' | 'step'> {
  key: string
  /** Absent in the one that does not have it. */
  before?: string
  after?: string
  isSame: boolean
  /** The difference explains nothing: see {@link differsByNature}. */
  isNatural: boolean
  /** A whole step, which only one of the two has. */
  isStep: boolean
}

/**
 * Compares two lists of facts by section and name, in the order of the second; what only the first has follows its
 * neighbour. A step that only one of them has is one row.
 */
export function compareFacts(before: readonly Fact[], after: readonly Fact[]): ComparedRow[] {
  const old = keyed(foldSteps(before, after))
  const now = keyed(foldSteps(after, before))
  const rows = [...now].map(([key, { section, name, value, eachTime, isStep }]): ComparedRow => {
    const other = old.get(key)?.value
    const isSame = other === value
    return {
      key,
      section,
      name,
      isStep,
      after: value,
      isSame,
      isNatural: !isSame && (eachTime === true || differsByNature(name, other, value)),
      ...(other !== undefined && { before: other }),
    }
  })
  const places = new Map(rows.map(({ key }, index) => [key, index]))
  let place = -1
  const missing: { row: ComparedRow; place: number }[] = []
  for (const [key, { section, name, value, eachTime, isStep }] of old) {
    const found = places.get(key)
    if (found === undefined) {
      const isNatural = eachTime === true || differsByNature(name, value, undefined)
      const row = { key, section, name, isStep, before: value, isSame: false, isNatural }
      missing.push({ row, place })
    } else place = found
  }
  for (const { row, place: at } of missing.toReversed()) rows.splice(at + 1, 0, row)
  return rows
}

type FoldedFact = Fact & Pick<ComparedRow, 'isStep'>

/** Replaces all facts of a step that the other side does not have by one. */
function foldSteps(facts: readonly Fact[], others: readonly Fact[]): FoldedFact[] {
  const shared = new Set(others.map(({ step }) => step))
  const folded = new Set<string>()
  return facts.flatMap((fact): FoldedFact[] => {
    const { step } = fact
    if (step === undefined || shared.has(step)) return [{ ...fact, isStep: false }]
    if (folded.has(step)) return []
    folded.add(step)
    return [{ section: step, name: '', value: step, isStep: true }]
  })
}

/** Facts by section, name and occurrence: a header may be there twice. */
function keyed(facts: readonly FoldedFact[]): Map<string, FoldedFact> {
  const found = new Map<string, FoldedFact>()
  const counts = new Map<string, number>()
  for (const fact of facts) {
    const key = JSON.stringify([fact.section, fact.name])
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    found.set(count === 1 ? key : `${key} ${count}`, fact)
  }
  return found
}

export function headerFacts(
  section: string,
  headers: readonly (readonly [string, string])[] = [],
): Fact[] {
  return headers.map(([name, value]) => ({ section, name: name.toLowerCase(), value }))
}

const mostValues = 2000

/** Values of a body: those of JSON by their pointers, parameters of a form by their names, else the text. */
export function bodyFacts(section: string, body = ''): Fact[] {
  if (body === '') return []
  const values = readJson(body) ?? readForm(body) ?? [['', body]]
  return values.map(([name, value]) => ({ section, name, value }))
}

function readJson(body: string): [string, string][] | undefined {
  try {
    const rows = jsonRows(JSON.parse(body), new Set(), mostValues)
    return rows
      ?.filter(({ count }) => count === undefined || count === 0)
      .map(({ pointer, text }) => [pointer, text])
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readForm(body: string): [string, string][] | undefined {
  return /^[\w.[\]%-]+=[^\s]*$/.test(body) ? [...new URLSearchParams(body)] : undefined
}

/** Parameters of the query of a path. */
export function queryFacts(section: string, path: string): Fact[] {
  return [...new URLSearchParams(path.split('?').slice(1).join('?'))].map(([name, value]) => ({
    section,
    name,
    value,
  }))
}

/** Times that something took: no two are alike. */
export function timingFacts(
  section: string,
  values: Readonly<Record<string, string | undefined>>,
): Fact[] {
  return namedFacts(section, values).map((fact) => ({ ...fact, eachTime: true }))
}

/** Leaves out the facts without a value. */
export function namedFacts(
  section: string,
  values: Readonly<Record<string, string | number | undefined>>,
): Fact[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [{ section, name, value: String(value) }],
  )
}
