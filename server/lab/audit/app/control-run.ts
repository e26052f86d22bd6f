import { endOf, type SeenRequest } from '../../checks/evidence.ts'
import { bodyText } from '../../../inspect/log/body-text.ts'
import { isKeyRead, isSharedRead } from './app-run.ts'
import type { ControlFacts, Visit } from './app-module.ts'

/** Honest sign-in, as it was recorded. */
export interface ControlRecord {
  readonly requests: readonly SeenRequest[]
  readonly redemptions: readonly SeenRequest[]
  readonly tokenUses: readonly SeenRequest[]
  readonly visits: readonly Visit[]
  /** Whether the hub sent a code to the app. */
  readonly hasCode: boolean
  readonly hasProbe: boolean
  /** Another app that began a sign-in meanwhile. */
  readonly otherApp?: string | undefined
}

/** Returns why the honest sign-in failed, as a sentence: then the audit cannot judge the app. */
export function controlProblem({
  requests,
  redemptions,
  visits,
  hasCode,
  otherApp,
}: ControlRecord): string | undefined {
  const refused = requests.find(
    ({ path, record }) =>
      path === '/oauth/authorize' && (record.status >= 400 || record.error !== undefined),
  )
  if (!hasCode) {
    const other =
      otherApp === undefined ? '' : ` ${otherApp} did: pass --app with the app to audit.`
    return refused === undefined
      ? `The app did not begin a sign-in.${other}`
      : `The hub refused the sign-in: ${refused.record.detail ?? refused.record.message ?? refused.record.error ?? `status ${refused.record.status}`}`
  }
  const [redemption] = redemptions
  if (redemption === undefined) {
    return 'The honest sign-in failed: the app received a code, and did not redeem it in time.'
  }
  const { status, detail, error } = redemption.record
  if (redemptions.some(({ record }) => record.status === 200)) return problemOfLanding(visits)
  return `The honest sign-in failed: the Hub refused the code with ${status} (${detail ?? error ?? 'no reason'}).`
}

function problemOfLanding(visits: readonly Visit[]): string | undefined {
  const last = visits.at(-1)
  if (last === undefined || last.status < 500) return undefined
  const { origin, pathname } = new URL(last.url)
  return `The honest sign-in failed: ${origin}${pathname} responded with the status ${last.status}. The log of the app may say why.`
}

/** Reads what the honest sign-in shows. */
export function factsOfControl(
  { requests, redemptions, tokenUses, visits, hasProbe }: ControlRecord,
  about: Pick<
    ControlFacts,
    'clientId' | 'isPublicClient' | 'issuer' | 'intervalMs' | 'user' | 'otherUser' | 'driver'
  >,
): ControlFacts {
  const redeemed = redemptions.find(({ record }) => record.status === 200)
  const answer = bodyText(redeemed?.record.response.body) ?? ''
  const asked = requests.find(({ path }) => path === '/oauth/authorize')?.query ?? []
  const landing = visits.at(-1)?.status
  return {
    ...about,
    asked: new URLSearchParams([...asked].filter(([, value]) => value !== '')),
    hasIdToken: answer.includes('"id_token":"'),
    hasRefreshToken: answer.includes('"refresh_token":"'),
    readsMetadata: requests.some((request) => isSharedRead(request) && !isKeyRead(request)),
    readsKeys: requests.some(isKeyRead),
    signals: {
      tokenUses: [...new Set(tokenUses.map(({ path }) => path))],
      probe: hasProbe,
      ...(landing === undefined ? {} : { landing }),
    },
    tookMs: redeemed === undefined ? 0 : signalMs(redeemed, tokenUses),
  }
}

/** Time from the token to the last signal. */
function signalMs(redeemed: SeenRequest, tokenUses: readonly SeenRequest[]): number {
  return Math.max(0, ...tokenUses.map((request) => endOf(request) - endOf(redeemed)))
}

/** Time to wait for a signal: three times as long as in the control run, within 1 s and 5 s. */
export function settleMs({ tookMs }: Pick<ControlFacts, 'tookMs'>): number {
  return Math.min(5000, Math.max(1000, 3 * tookMs))
}
