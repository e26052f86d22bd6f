import type { Difference, DifferenceKind } from './difference.ts'
import { type InputRules, type InputShape, inputShape } from './input-shape.ts'
import type { OpenApiDocument, Operation } from './openapi-document.ts'

/** Two descriptions of one operation: that of the Hub, and ours. */
export interface OperationPair {
  hub: Operation
  here: Operation
}

/**
 * Compares what an operation takes: names, requirements, values, bounds and defaults of the query and the JSON body.
 */
export function inputDifferences(
  { hub, here }: OperationPair,
  documents: { hub: OpenApiDocument; here: OpenApiDocument },
): readonly Difference[] {
  const theirs = inputShape(hub, documents.hub)
  const ours = inputShape(here, documents.here)
  return [...new Set([...theirs.keys(), ...ours.keys()])].toSorted().flatMap((member) => {
    const found = differencesOf(
      theirs.get(member),
      ours.get(member),
      isReached(member, theirs, ours),
    )
    return found.map((one) => ({ operation: hub.key, member, ...one }))
  })
}

/** A member whose parent differs already says nothing new. */
function isReached(member: string, ...shapes: readonly InputShape[]): boolean {
  const parent = member.replace(/(?:\[\]|\.[^.[\]]+)$/, '')
  return parent === member || shapes.every((shape) => shape.has(parent))
}

type Found = Pick<Difference, 'kind' | 'hub' | 'here'>

function differencesOf(
  theirs: InputRules | undefined,
  ours: InputRules | undefined,
  reached: boolean,
): readonly Found[] {
  if (theirs === undefined || ours === undefined) {
    if (!reached) return []
    return theirs === undefined
      ? [{ kind: 'extra input', hub: 'not in the document', here: textOf(ours) }]
      : [{ kind: 'missing input', hub: textOf(theirs), here: 'not read' }]
  }
  return [
    ...required(theirs, ours),
    ...types(theirs, ours),
    ...values(theirs, ours),
    ...boundNames.flatMap(([key, isLeast, name]) => bound(name, isLeast, theirs[key], ours[key])),
    ...patterns(theirs, ours),
    ...defaults(theirs, ours),
  ]
}

function required(theirs: InputRules, ours: InputRules): readonly Found[] {
  if (theirs.isRequired === ours.isRequired) return []
  const said = ({ isRequired }: InputRules) => (isRequired ? 'required' : 'optional')
  return [{ kind: ours.isRequired ? 'narrower' : 'wider', hub: said(theirs), here: said(ours) }]
}

function types(theirs: InputRules, ours: InputRules): readonly Found[] {
  const hub = withoutIntegers(theirs.types)
  const here = withoutIntegers(ours.types)
  if (here.size === 0 && hub.size === 0) return []
  const refused = here.size === 0 ? [] : [...hub].filter((type) => !here.has(type))
  const taken = hub.size === 0 ? [] : [...here].filter((type) => !hub.has(type))
  const kind = refused.length > 0 || hub.size === 0 ? 'narrower' : 'wider'
  if (refused.length === 0 && taken.length === 0 && hub.size > 0 && here.size > 0) return []
  return [{ kind, hub: listed(hub, 'any type'), here: listed(here, 'any type') }]
}

/** A query has texts only, and JSON one kind of number. */
function withoutIntegers(types: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...types].map((type) => (type === 'integer' ? 'number' : type)))
}

function values(theirs: InputRules, ours: InputRules): readonly Found[] {
  if (theirs.values === undefined && ours.values === undefined) return []
  const hub = theirs.values ?? new Set<string>()
  const here = ours.values ?? new Set<string>()
  const refused = ours.values === undefined ? [] : [...hub].filter((value) => !here.has(value))
  const taken = theirs.values === undefined ? [] : [...here].filter((value) => !hub.has(value))
  const found: Found[] = []
  if (theirs.values === undefined) {
    return [{ kind: 'narrower', hub: 'any value', here: `only ${listed(here)}` }]
  }
  if (ours.values === undefined) {
    return [{ kind: 'wider', hub: `only ${listed(hub)}`, here: 'any value' }]
  }
  if (refused.length > 0) {
    found.push({ kind: 'narrower', hub: `takes ${listed(refused)}`, here: 'refuses it' })
  }
  if (taken.length > 0) {
    found.push({ kind: 'wider', hub: 'refuses it', here: `takes ${listed(taken)}` })
  }
  return found
}

const boundNames = [
  ['least', true, 'at least'],
  ['most', false, 'at most'],
  ['leastLength', true, 'characters: at least'],
  ['mostLength', false, 'characters: at most'],
  ['leastItems', true, 'items: at least'],
  ['mostItems', false, 'items: at most'],
] as const

function bound(
  name: string,
  isLeast: boolean,
  hub: number | undefined,
  here: number | undefined,
): readonly Found[] {
  if (hub === here) return []
  const said = (value: number | undefined) =>
    value === undefined ? 'no bound' : `${name} ${value}`
  const open = isLeast ? -Infinity : Infinity
  const isNarrower = isLeast ? (here ?? open) > (hub ?? open) : (here ?? open) < (hub ?? open)
  return [{ kind: isNarrower ? 'narrower' : 'wider', hub: said(hub), here: said(here) }]
}

/** Reports a missing or further pattern, and two that differ: which of two takes more texts cannot be computed. */
function patterns(theirs: InputRules, ours: InputRules): readonly Found[] {
  if (theirs.pattern === ours.pattern) return []
  const said = (pattern: string | undefined) =>
    pattern === undefined ? 'any text' : `/${pattern}/`
  const kind: DifferenceKind = theirs.pattern === undefined ? 'narrower' : 'wider'
  return [{ kind, hub: said(theirs.pattern), here: said(ours.pattern) }]
}

function defaults(theirs: InputRules, ours: InputRules): readonly Found[] {
  const said = (value: unknown) => (value === undefined ? 'no default' : JSON.stringify(value))
  const [hub, here] = [said(theirs.default), said(ours.default)]
  return hub === here ? [] : [{ kind: 'default', hub, here }]
}

function textOf(rules: InputRules | undefined): string {
  if (rules === undefined) return ''
  const { isRequired, types: allowed, values: only } = rules
  const what = only === undefined ? listed(allowed, 'any type') : listed(only)
  return isRequired ? `${what}, required` : what
}

/** A list as long as a line of a table bears. */
const mostListed = 12

function listed(values: Iterable<string>, none = 'nothing'): string {
  const all = [...values]
  if (all.length === 0) return none
  const rest = all.length - mostListed
  return all.slice(0, mostListed).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
