import type { FlowStepDetail } from '../../contract/control-flows.ts'
import { furthestDateMs } from '../../contract/fixtures/limits.ts'
import { idTokenType } from '../../contract/words/ci-words.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import { readIdToken } from '../../hub/oauth/ci/ci-id-token.ts'
import { endingOf } from '../drawing/request-ending.ts'
import { formOf } from '../drawing/exchanges.ts'
import { tokenOfResponse } from '../flows/parties.ts'
import type { StepContext } from './grant-facts.ts'
import { textMember } from './json-body.ts'

type Link = NonNullable<FlowStepDetail['exchange']>[number]
type Record = StepContext['record']

/** Checks of the hub in their order, each with what its refusal says. */
const links = [
  {
    label: 'ID token',
    refusal: /is not an ID token|its (?:alg|kid|crit|iss) is|Missing|is missing/,
  },
  { label: 'resource', refusal: /resource|trusted publisher: add|does not emulate/i },
  { label: 'issuer', refusal: /its issuer differs/ },
  { label: 'signature', refusal: /publishes no key|keys of the issuer|signature|no kid/ },
  { label: 'time', refusal: /expired at|from the future|its (?:exp|nbf|iat) is|no exp/ },
  { label: 'audience', refusal: /audience differs|its aud is/ },
  { label: 'claims', refusal: /the claim |is disabled/ },
  { label: 'replay', refusal: /exchanged before|its jti is/ },
] as const

/** Reads a parameter of a form or of a JSON body. */
function parameter(record: Record, name: string): string | undefined {
  return formOf(record).get(name) ?? textMember(record.request.body, name)
}

/** Whether a request exchanges the ID token of a CI job. */
export function isCiRecord(record: Record): boolean {
  return parameter(record, 'subject_token_type') === idTokenType
}

/** Describes how the ID token of a CI job was exchanged, or at which check the exchange stopped. */
export function describeCiExchange({ deps, record }: StepContext): Link[] {
  const { outcome, explanation = 'It was refused.' } = endingOf(record)
  const isOk = outcome === 'ok'
  const found = links.findIndex(({ refusal }) => refusal.test(explanation))
  const end = isOk ? links.length : Math.max(found, 0)
  const checks = links.map(({ label }, index): Link => {
    if (index < end) return { label, value: valueOf(record, label), outcome: 'ok' }
    if (index > end) return { label, value: 'not looked at', outcome: 'pending' }
    return { label, value: explanation, outcome: outcome === 'broken' ? 'broken' : 'refused' }
  })
  const token = tokenOfResponse(deps, record)
  const ends = token?.expiresAt === undefined ? '' : `, until ${isoTime(token.expiresAt)}`
  const issued = token === undefined ? 'none was issued' : `${token.id}${ends}`
  return [...checks, { label: 'token', value: issued, outcome: isOk ? 'ok' : 'pending' }]
}

function valueOf(record: Record, label: (typeof links)[number]['label']): string {
  const { issuer, claims } = claimsOf(record)
  switch (label) {
    case 'ID token':
      return typeof claims['sub'] === 'string' ? claims['sub'] : 'without sub'
    case 'resource':
      return parameter(record, 'resource') ?? ''
    case 'issuer':
      return issuer
    case 'audience':
      return JSON.stringify(claims['aud'])
    case 'time':
      return untilText(claims['exp'])
    case 'replay':
      return 'none'
    default:
      return 'as required'
  }
}

/** A recorded run may have any number. */
function untilText(seconds: unknown): string {
  if (typeof seconds !== 'number' || Math.abs(seconds) * 1000 > furthestDateMs) return ''
  return `until ${isoTime(seconds * 1000)}`
}

function claimsOf(record: Record): {
  issuer: string
  claims: Readonly<{ [name: string]: unknown }>
} {
  try {
    return readIdToken(parameter(record, 'subject_token') ?? '')
  } catch (error) {
    // A text that the hub could not read either.
    if (error instanceof Refusal) return { issuer: '', claims: {} }
    throw error
  }
}
