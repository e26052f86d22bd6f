import { groupBy } from '../../core/group-by.ts'
import { isObject } from '../../core/is-object.ts'
import type { Difference } from './difference.ts'
import { typeOf } from './input-shape.ts'
import { isJsonType, type Names, runTour, type Send, type Step, type Visit } from './tour.ts'

/** A Hub or a sandbox: a function that sends calls to it, and the names of its things. */
export interface Side {
  send: Send
  names: Names
}

export type SideName = 'hub' | 'here'

/** Result of comparing two hosts by the same calls. */
export interface AgainstDrift {
  /** Calls that both sides got. */
  calls: number
  /** Calls that a side, or both, could not get, with the name that it lacks. */
  left: readonly { call: string; sides: readonly SideName[]; lacks: string }[]
  differences: readonly Difference[]
}

/**
 * Sends the same calls to the Hub and to the sandbox, and compares status, headers that clients read, and the shape of
 * JSON. Values are never compared.
 * @param steps calls that only read
 */
export async function againstDrift(
  steps: readonly Step[],
  { hub, here }: { hub: Side; here: Side },
): Promise<AgainstDrift> {
  const theirs = await runTour(steps, hub)
  const ours = await runTour(steps, here)
  const pairs = steps.map((step, index) => ({ step, hub: theirs[index], here: ours[index] }))
  const asked = pairs.flatMap((pair) =>
    isSent(pair.hub) && isSent(pair.here) ? [{ ...pair, hub: pair.hub, here: pair.here }] : [],
  )
  return {
    calls: asked.length,
    left: pairs.flatMap(({ step: { call }, ...pair }) => {
      const lacking = (['hub', 'here'] as const).flatMap((side) => {
        const visit = pair[side]
        return visit === undefined || isSent(visit) ? [] : [{ side, lacks: visit.lacks }]
      })
      return [...groupBy(lacking, ({ lacks }) => lacks)].map(([lacks, list]) => ({
        call,
        sides: list.map(({ side }) => side),
        lacks,
      }))
    }),
    differences: asked.flatMap(({ step, ...pair }) =>
      differencesOf({ ...pair.hub, names: hub.names }, { ...pair.here, names: here.names }).map(
        (one) => ({ operation: labelOf(step), ...one }),
      ),
    ),
  }
}

type Sent = Extract<Visit, { status: number }>
type Answer = Sent & { names: Names }
type Found = Omit<Difference, 'operation'>

const isSent = (visit: Visit | undefined): visit is Sent => visit !== undefined && 'status' in visit

/** Names a call; one without a token has a name of its own. */
function labelOf({ call, as }: Step): string {
  return as === 'nobody' ? `${call} without a token` : call
}

function differencesOf(hub: Answer, here: Answer): readonly Found[] {
  if (hub.status !== here.status) {
    return [{ kind: 'status', member: '', hub: String(hub.status), here: String(here.status) }]
  }
  return [...headerDifferences(hub, here), ...shapeDifferences(hub, here)]
}

/** Headers that clients read, with the form in which their values are compared. */
const headers: Readonly<Record<string, (value: string, answer: Answer) => string>> = {
  'content-type': (value) => value.toLowerCase().replaceAll(/\s/g, ''),
  'content-length': () => 'sent',
  'content-range': formOf,
  'content-disposition': formOf,
  'content-encoding': (value) => value,
  'accept-ranges': (value) => value,
  etag: formOf,
  link: (value, answer) =>
    value.replaceAll(/<([^>]*)>/g, (_, address: string) => `<${addressForm(address, answer)}>`),
  location: addressForm,
  'x-repo-commit': formOf,
  'x-linked-etag': formOf,
  'x-linked-size': formOf,
  'x-xet-hash': formOf,
  'x-error-code': (value) => value,
  'x-error-message': () => 'sent',
  'x-request-id': () => 'sent',
  'www-authenticate': (value) => value.split(' ')[0] ?? '',
  ratelimit: formOf,
  'ratelimit-policy': formOf,
  'retry-after': formOf,
}

function headerDifferences(hub: Answer, here: Answer): readonly Found[] {
  return Object.entries(headers).flatMap(([name, form]): Found[] => {
    const said = (answer: Answer) => {
      const value = answer.headers.get(name)
      return value === null ? 'not sent' : form(value, answer)
    }
    const [theirs, ours] = [said(hub), said(here)]
    return theirs === ours ? [] : [{ kind: 'header', member: name, hub: theirs, here: ours }]
  })
}

/** Returns a value without names, hashes and numbers: `"<40 hex digits>"`. */
function formOf(value: string, { names }: Pick<Answer, 'names'>): string {
  let form = value
  for (const [name, known] of names) {
    if (known.length > 2) form = form.replaceAll(known, `{${name}}`)
  }
  return form
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/g, ({ length }) => `<${length} hex digits>`)
    .replaceAll(/\b\d+(?! hex)\b/g, '<number>')
}

/** Returns the form of an address without its host: path and names of the query. */
function addressForm(address: string, answer: Pick<Answer, 'names'>): string {
  if (!URL.canParse(address, 'http://host')) return 'no address'
  const { pathname, searchParams } = new URL(address, 'http://host')
  const query = [...new Set(searchParams.keys())].toSorted().join('&')
  return formOf(decodeURIComponent(pathname), answer) + (query === '' ? '' : `?${query}`)
}

function shapeDifferences(hub: Answer, here: Answer): readonly Found[] {
  const isJson = [hub, here].every((answer) => isJsonType(answer.headers.get('content-type')))
  if (!isJson) return []
  const theirs = shapeOf(hub.body)
  const ours = shapeOf(here.body)
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((member): Found[] => {
    const [hubTypes, hereTypes] = [theirs.get(member), ours.get(member)]
    const [hubText, hereText] = [hubTypes, hereTypes].map((types) =>
      [...(types ?? [])].toSorted().join(' or '),
    )
    const said = { member, hub: hubText || 'not sent', here: hereText || 'not sent' }
    if (hubTypes === undefined || hereTypes === undefined) {
      const other = hubTypes === undefined ? theirs : ours
      if (!hasPlace(member, other)) return []
      return [{ kind: hubTypes === undefined ? 'extra member' : 'missing member', ...said }]
    }
    return hubText === hereText ? [] : [{ kind: 'type', ...said }]
  })
}

/** A member can be missing only where there is something that could have it: an empty list shows nothing. */
function hasPlace(member: string, shape: Shape): boolean {
  const parent = member.replace(/(?:\[\]|\.?[^.[\]]+)$/, '')
  return shape.has(parent) && !member.endsWith('[]')
}

type Shape = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the types at each place of a value; items of a list are one place. */
function shapeOf(value: unknown): Shape {
  const shape = new Map<string, Set<string>>()
  const add = (one: unknown, place: string): void => {
    const types = shape.get(place) ?? new Set()
    shape.set(place, types.add(typeOf(one)))
    if (Array.isArray(one)) for (const item of one) add(item, `${place}[]`)
    if (!isObject(one)) return
    for (const [name, member] of Object.entries(one)) {
      add(member, place === '' ? name : `${place}.${name}`)
    }
  }
  add(value, '')
  return shape
}
