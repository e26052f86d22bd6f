import type { CookieVerdict, FrameCookie, SpaceFrameCall } from '../../contract/control-frames.ts'
import type { CookieMode, FramePlace } from '../../contract/words/frame-words.ts'
import {
  absenceOf,
  adviceOn,
  type CookieSituation,
  isFramed,
  type KnownCookie,
  mostCharacters,
  notSent,
  refusalOf,
} from './judge-cookie.ts'
import {
  attributesOf,
  defaultPath,
  endOf,
  parseSetCookie,
  type SetCookie,
} from '../../web/outgoing/set-cookie.ts'

/** Cookies of a response for the browser, and what becomes of them. */
export interface SetOutcome {
  /** `Set-Cookie` lines that the browser gets. */
  readonly lines: readonly string[]
  readonly set: SpaceFrameCall['set']
}

/** Cookies of a request for the app, and what became of those that the app has set. */
export interface SentOutcome {
  /** `Cookie` header that the app gets; `undefined` = none. */
  readonly header: string | undefined
  readonly cookies: SpaceFrameCall['cookies']
}

/**
 * What is known about the cookies of an app from its responses and from the requests of a browser. It stores no values:
 * the browser keeps the cookies. A mode withholds cookies on their way, in both directions.
 */
export interface CookieJar {
  /** Starts a mode, and drops the verdicts of the earlier one. */
  begin(mode: CookieMode): void
  /** Judges the cookies of a request, before the app gets it. */
  send(header: string | undefined, situation: CookieSituation): SentOutcome
  /** Judges the cookies of a response, before the browser gets it. */
  store(lines: readonly string[], situation: CookieSituation): SetOutcome
  /** All cookies by name. */
  describe(): FrameCookie[]
}

/** Most cookies that are known; browsers keep no more for a site. */
const mostCookies = 200
const longestName = 100
/** Most cookies of a response that are listed. */
const mostSet = 100

type Verdicts = Partial<Record<'inFrame' | 'directly', CookieVerdict>>

export function createCookieJar(): CookieJar {
  /** By name, domain, path and partition, in the order in which they were set. */
  const known = new Map<string, KnownCookie>()
  const latest = new Map<string, Verdicts>()
  let mode: CookieMode = 'browser'

  const named = (name: string) => [...known.values()].filter((cookie) => cookie.name === name)

  function note(name: string, place: FramePlace, verdict: CookieVerdict): void {
    const key = isFramed(place) ? 'inFrame' : 'directly'
    const verdicts = latest.get(name)
    // A request outside the path of a cookie says nothing about its other attributes.
    if (verdict.reason === 'path' && verdicts?.[key] !== undefined) return
    latest.set(name, { ...verdicts, [key]: verdict })
  }

  /** Returns why the mode withholds a cookie, on its way to the app or to the browser. */
  function withheld(place: FramePlace, isPartitioned: boolean): CookieVerdict | undefined {
    if (!isFramed(place) || mode === 'browser') return undefined
    if (mode === 'blocked') return blockedInFrames()
    return isPartitioned ? undefined : notPartitioned()
  }

  /** Names of the cookies that the frame has in its own partition. */
  function partitionedNames(): Set<string> {
    return new Set(
      [...known.values()]
        .filter(
          ({ partitioned, refusal, place }) =>
            partitioned && refusal === undefined && isFramed(place),
        )
        .map(({ name }) => name),
    )
  }

  /** The candidate whose attributes explain best why none was sent: the one that was set in the same place. */
  function nearest(name: string, place: FramePlace): KnownCookie | undefined {
    const candidates = named(name)
    return (
      candidates.findLast((cookie) => isFramed(cookie.place) === isFramed(place)) ??
      candidates.at(-1)
    )
  }

  function forget(): void {
    for (const key of known.keys()) {
      if (known.size <= mostCookies) return
      known.delete(key)
    }
  }

  function remember(cookie: SetCookie, situation: CookieSituation): KnownCookie | undefined {
    const { place, host, path, nowMs } = situation
    const { value: _value, ...attributes } = cookie
    const refusal = refusalOf(cookie, situation) ?? withheld(place, cookie.partitioned)
    const entry: KnownCookie = {
      ...attributes,
      // No browser stores a longer one.
      name: cookie.name.slice(0, mostCharacters),
      host,
      sentBelow: cookie.path ?? defaultPath(path),
      place,
      setAtMs: nowMs,
      ...(refusal === undefined ? {} : { refusal }),
    }
    const partition = cookie.partitioned && isFramed(place) ? 'frame' : ''
    const key = JSON.stringify([entry.name, entry.domain ?? host, entry.sentBelow, partition])
    const end = endOf(cookie, nowMs)
    // A refused cookie leaves the one before it alone, but is what the developer has to see.
    known.delete(key)
    if (end !== undefined && end <= nowMs) {
      if (named(cookie.name).length === 0) latest.delete(cookie.name)
      return undefined
    }
    known.set(key, entry)
    forget()
    return entry
  }

  return {
    begin(next) {
      mode = next
      latest.clear()
    },
    send(header, situation) {
      const { place } = situation
      const partitioned = partitionedNames()
      const verdicts = new Map<string, CookieVerdict>()
      const pairs: string[] = []
      for (const pair of (header ?? '').split(';')) {
        const text = pair.trim()
        const name = nameOf(text)
        if (text === '' || isOwnCookie(name)) continue
        const verdict = withheld(place, partitioned.has(name)) ?? { state: 'sent' as const }
        verdicts.set(name, verdict)
        if (verdict.state === 'sent') pairs.push(text)
      }
      const names = new Set([...known.values()].map(({ name }) => name))
      const cookies = [...names].map((name) => {
        const cookie = nearest(name, place)
        const verdict =
          verdicts.get(name) ??
          (cookie === undefined ? { state: 'sent' as const } : absenceOf(cookie, situation))
        note(name, place, verdict)
        return { name: shortName(name), ...verdict }
      })
      return { header: pairs.length === 0 ? undefined : pairs.join('; '), cookies }
    },
    store(lines, situation) {
      const kept: string[] = []
      const set: SpaceFrameCall['set'] = []
      for (const line of lines) {
        const cookie = parseSetCookie(line)
        if (cookie === undefined || isOwnCookie(cookie.name)) continue
        const entry = remember(cookie, situation)
        if (entry?.refusal !== undefined) note(cookie.name, situation.place, entry.refusal)
        if (entry?.refusal?.isSandbox !== true) kept.push(line)
        if (set.length >= mostSet) continue
        const { reason, explanation, fix } = entry?.refusal ?? {}
        set.push({
          name: shortName(cookie.name),
          attributes: attributesOf(cookie),
          kept: entry?.refusal === undefined,
          ...(reason === undefined ? {} : { reason }),
          ...(explanation === undefined ? {} : { explanation }),
          ...(fix === undefined ? {} : { fix }),
        })
      }
      return { lines: kept, set }
    },
    describe() {
      const names = [...new Set([...known.values()].map(({ name }) => name))]
      return names.flatMap((name) => {
        const cookie = named(name).at(-1)
        if (cookie === undefined) return []
        const verdicts = latest.get(name)
        const advice = verdicts?.inFrame?.state === 'sent' ? adviceOn(cookie) : undefined
        return {
          name: shortName(name),
          attributes: attributesOf({ ...cookie, value: '' }),
          ...verdicts,
          ...(advice === undefined ? {} : { advice }),
        }
      })
    },
  }
}

function blockedInFrames(): CookieVerdict {
  return bySandbox(
    'The mode of the frame allows no cookies in it.',
    'No attribute helps: open the app in its own tab, or keep the session without cookies.',
  )
}

function notPartitioned(): CookieVerdict {
  return bySandbox(
    'It is not Partitioned, and the mode of the frame blocks third-party cookies.',
    'Set SameSite=None; Secure; Partitioned.',
  )
}

function bySandbox(explanation: string, fix?: string): CookieVerdict {
  return { ...notSent('mode', explanation, fix), isSandbox: true }
}

/** Cookies of sandboxes on this host, which browsers send to every port: no app gets them, and none may set them. */
function isOwnCookie(name: string): boolean {
  return name.toLowerCase().startsWith('hub_sandbox_')
}

function nameOf(pair: string): string {
  return pair.slice(0, Math.max(pair.indexOf('='), 0)).trim()
}

function shortName(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name
}
