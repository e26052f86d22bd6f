import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Duration, ListOf, Time } from './control.ts'
import { DeliveryItem } from './control-deliveries.ts'
import { RequestItem } from './control-requests.ts'
import { longestTimerMs } from './fixtures/limits.ts'
import { faultBreaks } from './words/sandbox.ts'

/** Which requests or deliveries a rule concerns; what is left out matches all. */
export const FaultMatch = Type.Object(
  {
    route: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'Path, such as `/oauth/token`; `*` stands for any text, `{name}` for one segment, as in the OpenAPI document',
      }),
    ),
    method: Type.Optional(Type.String({ description: 'HTTP method' })),
    grantType: Type.Optional(Type.String({ description: '`grant_type` of a token request' })),
    clientId: Type.Optional(Type.String({ description: 'App' })),
    webhookId: Type.Optional(
      Type.String({
        description:
          'Deliveries of this webhook (`*` = any) instead of requests; not for a barrier, which holds requests',
      }),
    ),
  },
  { additionalProperties: false, description: 'What the rule concerns' },
)
export type FaultMatch = Static<typeof FaultMatch>

const faultFields = {
  match: FaultMatch,
  skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Matches let through first' })),
  times: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Matches concerned after that; default: all' }),
  ),
  delay: Type.Optional(Duration('Wait before answering, in real time', longestTimerMs)),
  status: Type.Optional(
    // Below 200 it would announce an answer, for which the client waits (RFC 9110 §15.2).
    Type.Integer({ minimum: 200, maximum: 599, description: 'Status of the answer' }),
  ),
  oauthError: Type.Optional(
    Type.String({ description: 'Refuse with this error code (RFC 6749 §5.2)' }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Headers set on the answer' }),
  ),
  body: Type.Optional(Type.Unknown({ description: 'Answer this: text, or JSON' })),
  set: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Path in the JSON answer to the value put there',
    }),
  ),
  remove: Type.Optional(
    Type.Array(Type.String(), { description: 'Paths left out of the JSON answer' }),
  ),
  idToken: Type.Optional(
    Type.Object(
      {
        kid: Type.Optional(Type.String({ description: 'Header kid' })),
        claims: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Claims set; null removes one',
          }),
        ),
        breakSignature: Type.Optional(
          Type.Literal(true, {
            description: 'The signature is of other bytes, and does not verify',
          }),
        ),
      },
      {
        additionalProperties: false,
        description: 'Changes to the ID token, which is signed again',
      },
    ),
  ),
  break: Type.Optional(OneOf(faultBreaks, 'Cut the connection, half the body, or a proxy’s page')),
}

export const AddFaultRequest = Type.Object(faultFields, { additionalProperties: false })
export type AddFaultRequest = Static<typeof AddFaultRequest>

export const FaultItem = Type.Object(
  {
    id: Type.String({ description: 'Rule' }),
    ...faultFields,
    hits: Type.Integer({ description: 'Answers changed so far' }),
    matches: Type.Integer({ description: 'Matches seen so far, those let through included' }),
    createdAt: Time('When it was added'),
  },
  { description: 'A rule that changes answers' },
)
export type FaultItem = Static<typeof FaultItem>

const Hints = Type.Optional(
  Type.Array(Type.String(), {
    description: 'What the rule names that is not there, and what was likely meant',
  }),
)

export const AddedFault = Type.Object(
  { ...FaultItem.properties, hints: Hints },
  { description: 'The new rule' },
)
export type AddedFault = Static<typeof AddedFault>

export const PreviewFaultRequest = Type.Object(
  { match: FaultMatch },
  { additionalProperties: false },
)
export type PreviewFaultRequest = Static<typeof PreviewFaultRequest>

/** What a rule would have concerned, had it been there before. */
export const FaultPreview = Type.Object({
  considered: Type.Integer({ description: 'Requests, or deliveries, that are remembered' }),
  matched: Type.Integer({ description: 'Those of them that it concerns' }),
  requests: Type.Array(RequestItem, { description: 'The latest of these, at most 20' }),
  deliveries: Type.Array(DeliveryItem, { description: 'The latest of these, at most 20' }),
  hints: Hints,
})
export type FaultPreview = Static<typeof FaultPreview>

export const FaultList = ListOf(FaultItem)
export type FaultList = Static<typeof FaultList>

export const AddBarrierRequest = Type.Object(
  {
    match: FaultMatch,
    count: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Requests held at most; later ones pass',
    }),
  },
  { additionalProperties: false },
)
export type AddBarrierRequest = Static<typeof AddBarrierRequest>

export const Barrier = Type.Object(
  {
    id: Type.String({ description: 'Barrier' }),
    match: FaultMatch,
    count: Type.Integer({ description: 'Requests held at most' }),
    held: Type.Array(Type.String(), { description: 'Ids of the requests that wait, in order' }),
  },
  { description: 'A rule that holds requests until released' },
)
export type Barrier = Static<typeof Barrier>

export const AddedBarrier = Type.Object(
  { ...Barrier.properties, hints: Hints },
  { description: 'The new barrier' },
)
export type AddedBarrier = Static<typeof AddedBarrier>

export const BarrierList = ListOf(Barrier)
export type BarrierList = Static<typeof BarrierList>

export const ReleaseBarrierRequest = Type.Object(
  {
    order: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Request ids, first to go first; the others follow as they came',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ReleaseBarrierRequest = Static<typeof ReleaseBarrierRequest>

/** `held` names the requests that were let go, in the order they went. */
export const ReleasedBarrier = Type.Object({
  id: Type.String({ description: 'Barrier' }),
  held: Type.Array(Type.String(), { description: 'Ids of the requests, in order' }),
})
export type ReleasedBarrier = Static<typeof ReleasedBarrier>
