import { pathOf } from '../../core/request-target.ts'
import { isObject } from '../../core/is-object.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { idTokenType } from '../../contract/words/ci-words.ts'
import { readIdToken } from '../../hub/oauth/ci/ci-id-token.ts'
import { trustedIssuers } from '../../hub/oauth/ci/issuers.ts'
import { type ClaimDifference, closestPublisher } from '../../hub/oauth/ci/match-claims.ts'
import { changePublisher, findTarget, publishersOf } from '../../hub/oauth/ci/publishers.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import { type FixDeps, fixturesLine, type Offer } from './offer.ts'

/** Beginning of the reason with which the hub refuses an ID token whose signature, times and audience it accepted. */
const refusedClaim = 'The ID token cannot be exchanged: the claim '

/** Offers to change the claims that a trusted publisher requires to those of the job that was refused. */
export function offerPublisherClaims(deps: FixDeps, records: readonly RequestRecord[]): Offer[] {
  const last = records.findLast(({ url }) => pathOf(url) === '/oauth/token')
  if (last?.detail?.startsWith(refusedClaim) !== true) return []
  const exchange = readExchange(last)
  if (exchange['subject_token_type'] !== idTokenType) return []
  const { subject_token: text = '', resource = '' } = exchange
  try {
    const idToken = readIdToken(text)
    const publishers = publishersOf(deps, findTarget(deps, resource)).filter(
      (one) => one.disabled !== true && trustedIssuers(deps.settings, one).includes(idToken.issuer),
    )
    const { publisher, differences } = closestPublisher(publishers, idToken) ?? {}
    if (publisher === undefined || differences === undefined || differences.length === 0) return []
    const changed = differences.flatMap((one) => readActual(one))
    // A claim that the job lacks stays: without it, other jobs would match.
    if (changed.length < differences.length) return []
    const claims = { ...publisher.claims, ...Object.fromEntries(changed) }
    const listed = differences.map(
      ({ name, required, actual }) => `${name} ${actual} instead of ${JSON.stringify(required)}`,
    )
    return [
      {
        fix: {
          kind: 'publisher',
          title: `Let ${publisher.name} accept this job`,
          change: `The trusted publisher ${publisher.name} of ${resource} requires ${listed.join(', and ')}. Jobs with the old value get no token any more.`,
          fixtures: {
            place: `trustedPublishers of ${resource}: ${publisher.name}`,
            lines: fixturesLine('claims', claims),
          },
          onTheHub: `Open the settings of ${resource} on the Hub and change the claims under Trusted Publishers; or run the job from the branch, workflow or environment that they name.`,
        },
        make: () => changePublisher(deps, publisher, { claims }),
      },
    ]
  } catch (error) {
    // The repo or the user may be gone.
    if (error instanceof Refusal) return []
    throw error
  }
}

function readExchange({ request: { body } }: RequestRecord): Partial<Record<string, string>> {
  const names = ['subject_token_type', 'subject_token', 'resource'] as const
  const read = (name: string) =>
    body instanceof URLSearchParams ? body.get(name) : isObject(body) ? own(body, name) : undefined
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name)
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** Returns the claim with the value of the job; nothing if it has none, or a list or object, which never matches. */
function readActual({ name, actual }: ClaimDifference): [string, string][] {
  const value: unknown = actual === undefined ? undefined : JSON.parse(actual)
  return ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : []
}
