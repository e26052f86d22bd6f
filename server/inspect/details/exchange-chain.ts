import type { FlowStepDetail } from '../../contract/control-flows.ts'
import { tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import { nameKey } from '../../store/state.ts'
import type { Organization } from '../../store/entities/account-entities.ts'
import { endingOf } from '../drawing/request-ending.ts'
import { formOf } from '../drawing/exchanges.ts'
import { isoTime } from '../../core/time.ts'
import { tokenOfResponse } from '../flows/parties.ts'
import { textMember } from './json-body.ts'
import { describeCiExchange, isCiRecord } from './ci-exchange.ts'
import type { StepContext } from './grant-facts.ts'

type Link = NonNullable<FlowStepDetail['exchange']>[number]

/** Conditions in reading order, each with its position in the order in which the hub checks them. */
const links = [
  { label: 'subject', checkedAt: 2, value: ({ record }) => formOf(record).get('subject_token') },
  { label: 'app', checkedAt: 0, value: ({ app, record }) => app?.name ?? record.clientId },
  { label: 'user', checkedAt: 3, value: (context) => userOf(context)?.username },
  { label: 'organization', checkedAt: 1, value: (context) => describePlan(context) },
  { label: 'role', checkedAt: 4, value: (context) => roleOf(context) },
  { label: 'scopes', checkedAt: 5, value: (context) => describeGranted(context) },
  { label: 'token', checkedAt: 6, value: (context) => describeToken(context) },
] as const satisfies readonly {
  label: string
  checkedAt: number
  value: (context: StepContext) => string | null | undefined
}[]

type Label = (typeof links)[number]['label']

/**
 * Describes how a subject was exchanged for a token, or where the exchange stopped.
 * @see RFC 8693 §2
 */
export function describeExchange(context: StepContext): FlowStepDetail['exchange'] {
  const { record } = context
  if (record.grantType !== tokenExchangeGrant) return undefined
  if (isCiRecord(record)) return describeCiExchange(context)
  const { outcome, explanation = 'It was refused.' } = endingOf(record)
  const refused = outcome === 'ok' ? undefined : refusedAt(context)
  const end = links.find(({ label }) => label === refused)?.checkedAt ?? links.length
  const described = links.map(({ label, checkedAt, value }): Link => {
    if (checkedAt < end) return { label, value: value(context) ?? '', outcome: 'ok' }
    if (checkedAt > end) return { label, value: 'not looked at', outcome: 'pending' }
    return { label, value: explanation, outcome: outcome === 'broken' ? 'broken' : 'refused' }
  })
  return [...described, auditLink(context)]
}

/** Finds the condition that the hub refused, by the error and the state. */
function refusedAt(context: StepContext): Label {
  const { record, app } = context
  switch (record.error) {
    case 'invalid_scope':
      return 'scopes'
    case 'invalid_grant': {
      const user = userOf(context)
      return user?.emailVerified === true ? 'role' : 'user'
    }
    case 'invalid_client':
      return isAboutOrganization(record) && app !== undefined ? 'organization' : 'app'
    case 'invalid_request':
    case 'invalid_target':
      return formOf(record).has('subject_token') && app !== undefined ? 'subject' : 'app'
    default:
      return 'app'
  }
}

/** The hub also responds with `invalid_client` to an app without the right to exchange. */
function isAboutOrganization({ detail, response }: StepContext['record']): boolean {
  const description = textMember(response.body, 'error_description') ?? ''
  return /organization|token exchange|token-exchange/i.test(`${description} ${detail ?? ''}`)
}

function describePlan(context: StepContext): string | undefined {
  const organization = organizationOf(context)
  return organization === undefined ? undefined : `${organization.name}, plan ${organization.plan}`
}

function describeGranted({ record }: StepContext): string {
  const granted = textMember(record.response.body, 'scope') ?? ''
  return formOf(record).has('scope') ? granted : `${granted} (none asked for: those of the app)`
}

function describeToken({ deps, record }: StepContext): string {
  const token = tokenOfResponse(deps, record)
  const ends = token?.expiresAt === undefined ? '' : `, until ${isoTime(token.expiresAt)}`
  return token === undefined ? 'issued' : `${token.id}${ends}`
}

function auditLink({ deps, record, app }: StepContext): Link {
  const { organizationId = '' } = app ?? {}
  const row = deps.state.auditRows
    .group('organization', organizationId)
    .find(
      ({ type, clientId, createdAt }) =>
        type === 'oauth.token' &&
        clientId === record.clientId &&
        createdAt >= record.at &&
        createdAt <= Math.max(record.endedAt, record.at),
    )
  return row === undefined
    ? { label: 'audit row', value: 'none was written', outcome: 'pending' }
    : { label: 'audit row', value: row.message, outcome: 'ok' }
}

function organizationOf({ deps, app }: StepContext): Organization | undefined {
  return app?.organizationId === undefined
    ? undefined
    : deps.state.organizations.get(app.organizationId)
}

function userOf({ deps, record }: StepContext) {
  return deps.state.users.find('email', nameKey(formOf(record).get('subject_token') ?? ''))
}

function roleOf(context: StepContext): string | undefined {
  const user = userOf(context)
  return organizationOf(context)?.members.find(({ userId }) => userId === user?.id)?.role
}
