import { Type, type Static } from 'typebox'
import { AppRef, ListOf, Time, UserRef } from './control.ts'
import { DeliveryError } from './control-deliveries.ts'
import { Fix, FixList } from './control-fixes.ts'
import { ChangedByFault, Expiry, UserDenial } from './control-requests.ts'
import { OneOf } from './one-of.ts'
import { flowKinds, flowOutcomes } from './words/sandbox-words.ts'
import { webhookStatuses } from './words/webhook-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// What works and what fails, as the overview shows it first.

const Count = (description: string) => Type.Integer({ minimum: 0, description })

const SignInResult = Type.Object({
  id: text('Sign-in'),
  kind: OneOf(flowKinds, 'Grant that the app uses'),
  app: Type.Optional(AppRef),
  user: Type.Optional(UserRef),
  at: Time('Last request that decided it'),
  outcome: OneOf(flowOutcomes, 'State'),
  explanation: text('Explanation of the result, or of what is missing'),
  denied: UserDenial,
  expired: Expiry,
  changed: ChangedByFault,
})
export type SignInResult = Static<typeof SignInResult>

export const RecentSignIns = Type.Object(
  {
    recent: Type.Array(SignInResult, { description: 'Newest first; at most 12' }),
    fixes: Type.Array(Fix, { description: 'Suggested fixes of the newest one, if it was refused' }),
    setting: FixList.properties.setting,
  },
  { description: 'Latest sign-ins' },
)
export type RecentSignIns = Static<typeof RecentSignIns>

export const DeliveryIssue = Type.Object({
  id: text('Webhook, class of the error and status'),
  webhookId: text('Webhook'),
  name: Type.Optional(text('Name of the webhook')),
  target: text('URL, or a short description of the job'),
  webhookStatus: OneOf(webhookStatuses, 'Status of the webhook'),
  isCurrent: flag('Whether the webhook still fails; false: it has succeeded since'),
  awaitedSince: Type.Optional(Time('Start of the wait for the receiver; absent: none')),
  canBeAwaited: flag(
    'Whether `replayWhenBack` of the webhook can end it: a receiver that fails now',
  ),
  class: DeliveryError.properties.class,
  message: DeliveryError.properties.message,
  status: Type.Optional(integer('HTTP status or exit code')),
  said: Type.Optional(text('Start of the last response of the receiver, if it is text')),
  since: Time('First attempt that failed like this'),
  lastAt: Time('Last one'),
  lastDeliveryId: text('Delivery of the last one'),
  failing: Count('Deliveries that will be retried'),
  failed: Count('Deliveries without a retry left'),
  mostAttempts: Count('Largest number of attempts of one delivery'),
})
export type DeliveryIssue = Static<typeof DeliveryIssue>

export const DeliveryIssues = Type.Object(
  {
    items: Type.Array(DeliveryIssue, {
      description: 'Webhooks that still fail first, then the newest first; at most 20',
    }),
    total: Count('Issues in all'),
  },
  { description: 'Deliveries that failed or wait for a retry, grouped by webhook and cause' },
)
export type DeliveryIssues = Static<typeof DeliveryIssues>

export const IssueList = ListOf(DeliveryIssue)
export type IssueList = Static<typeof IssueList>

export const RefusalGroup = Type.Object({
  reason: text('Explanation, or the error code; cut after 200 characters'),
  count: Count('Refused requests in the log with this explanation, without those of audits'),
  since: Time('First one'),
  lastAt: Time('Last one'),
})
export type RefusalGroup = Static<typeof RefusalGroup>

export const RequestDensity = Type.Object(
  {
    spanMs: Count('Length of each span'),
    spans: Type.Array(
      Type.Object({
        from: Time('Start of the span, on the sandbox clock'),
        requests: Count('Requests received in it'),
        refused: Count('Requests with an error'),
      }),
      { description: 'Spans with requests, oldest first; at most 240' },
    ),
  },
  { description: 'Number of requests in the log over time' },
)
export type RequestDensity = Static<typeof RequestDensity>
