import { isObject } from '../../../core/is-object.ts'
import { isSecretName } from '../../../core/mask.ts'
import { parametersOf } from './parameters.ts'

/** Where two runs differ. */
export interface ValueDifference {
  /** Place within what was compared, such as `scope` or `auth.accessToken`; empty where it is all of it. */
  readonly at: string
  readonly before: unknown
  readonly now: unknown
  /** What more is to be said than that they differ. */
  readonly why?: string
}

/**
 * Compares what came in two runs. Ports and times are left aside; so are values that are made anew in each run, as long
 * as each of the one run stands for one and the same of the other: a `state` may be another, and must come back as it was
 * sent.
 */
export interface ValueComparison {
  /** @param name of the parameter or member, which tells what kind of value it has */
  difference(name: string, before: unknown, now: unknown): ValueDifference | undefined
}

/** Made anew each time whatever the seed is: by clients, or of the time and the port. */
const alwaysNew =
  /^(?:state|nonce|code_challenge|code_verifier|client_assertion|jti|id_token|id_token_hint|c_hash)$/
/** Made by the sandbox. */
const sandboxMade = /^(?:code|user_code|device_code|kid|sid|at_hash|id|_id|client_id|sub)$/
const timeName =
  /^(?:iat|exp|nbf|auth_time|updated_at|client_id_issued_at|client_secret_expires_at|uptime)$/

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)`
const uuid = String.raw`[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}`
const masked = String.raw`(?:hf_oauth_|hf_)?(?:sandbox_?)?[\w-]{0,2}\u2026[\w-]{0,4}`
const varying = new RegExp(
  `(?<time>${time})|(?<port>:(?<=//(?:[\\w.-]{1,253}|\\[[\\da-f:]{2,39}\\]):)\\d{1,5})|(?<sum>\\b[\\da-f]{40}\\b)|(?<made>${uuid}|\\b[\\da-f]{24}\\b|${masked})`,
  'gi',
)

/** @param fixed values that are the same in every run, such as the ids of the fixtures */
export function createValueComparison({
  fixed,
  isSeeded,
}: {
  fixed: ReadonlySet<string>
  /** Whether what the sandbox makes must be the same, too. */
  isSeeded: boolean
}): ValueComparison {
  const nowOf = new Map<string, string>()
  const beforeOf = new Map<string, string>()

  /** Whether the one may stand for the other, from here on in every place. */
  function stands(before: string, now: string): string | undefined {
    const known = nowOf.get(before)
    const taken = beforeOf.get(now)
    if (known === now) return undefined
    if (known !== undefined) return `the same value as before, which was ${known} in this run`
    if (taken !== undefined) return `in this run it is the value that stood for ${taken}`
    nowOf.set(before, now)
    beforeOf.set(now, before)
    return undefined
  }

  function compareMade(at: string, before: string, now: string, mayVary: boolean) {
    const isFixed = fixed.has(before) || fixed.has(now)
    if (isFixed || !mayVary) return before === now ? undefined : { at, before, now }
    const why = stands(before, now)
    return why === undefined ? undefined : { at, before, now, why }
  }

  function compareTexts(at: string, name: string, before: string, now: string) {
    if (alwaysNew.test(name)) return compareMade(at, before, now, true)
    if (sandboxMade.test(name) || isSecretName(name)) {
      return compareMade(at, before, now, !isSeeded)
    }
    const whole = compareUrls(at, before, now)
    return whole === undefined ? comparePieces(at, before, now) : whole[0]
  }

  /** @returns undefined when they are no URLs; else whether they differ */
  function compareUrls(
    at: string,
    before: string,
    now: string,
  ): [ValueDifference | undefined] | undefined {
    const [old, recent] = [urlOf(before), urlOf(now)]
    if (old === undefined || recent === undefined) return undefined
    const place = (part: string) => (at === '' ? part : `${at}: ${part}`)
    const head = comparePieces(at, headOf(old), headOf(recent))
    if (head !== undefined) return [head]
    const [query, recentQuery] = [old.searchParams, recent.searchParams]
    const [fragment, recentFragment] = [old.hash.slice(1), recent.hash.slice(1)]
    return [
      differenceOfMembers(place, parametersOf(query), parametersOf(recentQuery)) ??
        comparePieces(place('fragment'), fragment, recentFragment),
    ]
  }

  function comparePieces(at: string, before: string, now: string): ValueDifference | undefined {
    const [old, recent] = [piecesOf(before), piecesOf(now)]
    const isAlike =
      old.length === recent.length &&
      old.every(({ kind, text }, index) => {
        const other = recent[index]
        if (other?.kind !== kind) return false
        return kind !== 'literal' || text === other.text
      })
    if (!isAlike) return before === now ? undefined : { at, before, now }
    for (const [index, { kind, text }] of old.entries()) {
      const other = recent[index]?.text ?? ''
      const isAnyhow = kind !== 'made' && kind !== 'sum'
      // What a commit is called depends on when it was made.
      const mayVary = kind === 'sum' || !isSeeded
      const found = isAnyhow ? undefined : compareMade(at, text, other, mayVary)
      if (found !== undefined) return { ...found, before, now }
    }
    return undefined
  }

  function differenceOfMembers(
    place: (name: string) => string,
    before: Readonly<Record<string, unknown>>,
    now: Readonly<Record<string, unknown>>,
  ): ValueDifference | undefined {
    for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
      const found = compare(place(name), name, ownOf(before, name), ownOf(now, name))
      if (found !== undefined) return found
    }
    return undefined
  }

  function compare(
    at: string,
    name: string,
    before: unknown,
    now: unknown,
  ): ValueDifference | undefined {
    if (typeof before === 'string' && typeof now === 'string') {
      return compareTexts(at, name, before, now)
    }
    if (typeof before === 'number' && typeof now === 'number' && timeName.test(name)) {
      return undefined
    }
    if (Array.isArray(before) && Array.isArray(now)) {
      if (before.length !== now.length) return { at, before, now }
      return firstOf(before, (each, index) => compare(`${at}[${index}]`, name, each, now[index]))
    }
    if (isObject(before) && isObject(now)) {
      return differenceOfMembers((key) => (at === '' ? key : `${at}.${key}`), before, now)
    }
    return Object.is(before, now) ? undefined : { at, before, now }
  }

  return { difference: (name, before, now) => compare('', name, before, now) }
}

interface Piece {
  kind: 'literal' | 'time' | 'port' | 'sum' | 'made'
  text: string
}

/** What is the same in every run, and what is not, in turn. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(varying)) {
    pieces.push({ kind: 'literal', text: text.slice(end, match.index) })
    pieces.push({ kind: kindOf(match.groups), text: match[0] })
    end = match.index + match[0].length
  }
  return [...pieces, { kind: 'literal', text: text.slice(end) }]
}

function kindOf(groups: Record<string, string | undefined> = {}): Piece['kind'] {
  const kinds = ['time', 'port', 'sum'] as const
  return kinds.find((kind) => groups[kind] !== undefined) ?? 'made'
}

/** An absolute address, or a path of the sandbox itself with its query. */
function urlOf(text: string): URL | undefined {
  if (!/^(?:https?:\/)?\//.test(text) || text.startsWith('//')) return undefined
  return URL.canParse(text, 'http://sandbox.invalid')
    ? new URL(text, 'http://sandbox.invalid')
    : undefined
}

const headOf = ({ protocol, host, pathname }: URL) => `${protocol}//${host}${pathname}`

function ownOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function firstOf<T, Found>(
  items: readonly T[],
  find: (item: T, index: number) => Found | undefined,
): Found | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index)
    if (found !== undefined) return found
  }
  return undefined
}
