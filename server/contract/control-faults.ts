import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Duration, ListOf, Time } from './control.ts'
import { DeliveryItem } from './control-deliveries.ts'
import { RequestItem } from './control-requests.ts'
import { longestTimerMs } from './fixtures/limits.ts'
import { ciDrills } from './words/ci-words.ts'
import { faultBreaks, idTokenSignatures } from './words/sandbox-words.ts'
import { integer, text } from './plain-fields.ts'

/** Requests or deliveries that a rule matches; absent members match all. */
export const FaultMatch = Type.Object(
  {
    route: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'Path, such as `/oauth/token`; `*` matches any characters, `{name}` one segment, as in the OpenAPI document',
      }),
    ),
    method: Type.Optional(text('HTTP method')),
    grantType: Type.Optional(text('`grant_type` of a token request')),
    clientId: Type.Optional(text('App')),
    flow: Type.Optional(
      Type.Literal('next', {
        description:
          'Match the next sign-in of the app (`clientId`) only, from the redirect with its code or from its device code on: its token requests, and requests with its tokens; not supported for barriers',
      }),
    ),
    webhookId: Type.Optional(
      text(
        'Match deliveries of this webhook (`*` = any) instead of requests; not supported for barriers',
      ),
    ),
  },
  { additionalProperties: false, description: 'Requests or deliveries that the rule matches' },
)
export type FaultMatch = Static<typeof FaultMatch>

const faultFields = {
  match: FaultMatch,
  skip: Type.Optional(Type.Integer({ minimum: 0, description: 'Matches to skip first' })),
  times: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Matches to apply to after that; default: all' }),
  ),
  delay: Type.Optional(Duration('Delay before the response, in real time', longestTimerMs)),
  status: Type.Optional(
    // A status below 200 would be interim, and the client would wait for another (RFC 9110 §15.2).
    Type.Integer({ minimum: 200, maximum: 599, description: 'Status of the response' }),
  ),
  oauthError: Type.Optional(text('Error code to respond with (RFC 6749 §5.2)')),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Headers to set on the response' }),
  ),
  body: Type.Optional(Type.Unknown({ description: 'Body to respond with: a string, or JSON' })),
  set: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Values to set, by their path in the JSON response',
    }),
  ),
  remove: Type.Optional(
    Type.Array(Type.String(), { description: 'Paths to remove from the JSON response' }),
  ),
  idToken: Type.Optional(
    Type.Object(
      {
        kid: Type.Optional(text('`kid` of the header')),
        claims: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'Claims to set; null removes a claim',
          }),
        ),
        breakSignature: Type.Optional(
          Type.Literal(true, {
            description: 'Whether the signature is made invalid; the same as `sign: "broken"`',
          }),
        ),
        header: Type.Optional(
          Type.Object(
            {
              alg: Type.Optional(Type.String({ maxLength: 100, description: '`alg` to name' })),
              kid: Type.Optional(Type.Null({ description: 'Null removes the `kid`' })),
              jwk: Type.Optional(
                Type.Literal(true, {
                  description: 'Whether the header has the key that signs (RFC 7515 §4.1.3)',
                }),
              ),
              jku: Type.Optional(
                Type.String({
                  maxLength: 2000,
                  description: 'URL of a key set (RFC 7515 §4.1.2)',
                }),
              ),
              x5u: Type.Optional(
                Type.String({
                  maxLength: 2000,
                  description: 'URL of a certificate (RFC 7515 §4.1.5)',
                }),
              ),
            },
            { additionalProperties: false, description: 'Changes to the header (RFC 7515 §4.1)' },
          ),
        ),
        sign: Type.Optional(
          OneOf(
            idTokenSignatures,
            'Signature: `none`, an HMAC whose secret is the published key in PEM, one of an unpublished key, or a broken one; default: a valid one',
          ),
        ),
      },
      {
        additionalProperties: false,
        description: 'Changes to the ID token, which is signed again afterwards',
      },
    ),
  ),
  lengthen: Type.Optional(
    Type.Object(
      {
        accessToken: Type.Optional(
          Type.Integer({
            minimum: 1000,
            maximum: 8000,
            description: 'Characters of access tokens',
          }),
        ),
        refreshToken: Type.Optional(
          Type.Integer({
            minimum: 100,
            maximum: 8000,
            description: 'Characters of refresh tokens',
          }),
        ),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'Lengths of the tokens in a token response; the sandbox accepts these tokens',
      },
    ),
  ),
  redirect: Type.Optional(
    Type.Object(
      {
        set: Type.Optional(
          Type.Record(
            Type.String({ minLength: 1, maxLength: 200 }),
            Type.String({ maxLength: 2000 }),
            {
              maxProperties: 20,
              description: 'Query parameters to set, such as `iss` or `state`',
            },
          ),
        ),
        remove: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
            maxItems: 20,
            description: 'Query parameters to remove',
          }),
        ),
        codeLength: Type.Optional(
          Type.Integer({
            minimum: 100,
            maximum: 2000,
            description:
              'Characters that the code gets, among them some that a URL must encode; the sandbox accepts it',
          }),
        ),
        scope: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1000,
            description:
              'Scopes that the user grants, of the requested ones, separated by spaces (RFC 6749 §3.3)',
          }),
        ),
      },
      {
        additionalProperties: false,
        description:
          'Changes to the redirect back to the app, the authorization response; the rule matches nothing else',
      },
    ),
  ),
  ciDrill: Type.Optional(
    OneOf(
      ciDrills,
      'Mistake in the ID token that a CI job exchanges, if the sandbox issued it; the rule matches nothing else',
    ),
  ),
  break: Type.Optional(
    OneOf(
      faultBreaks,
      'Reset the connection, truncate the body, or respond with a proxy’s error page',
    ),
  ),
}

export const AddFaultRequest = Type.Object(faultFields, { additionalProperties: false })
export type AddFaultRequest = Static<typeof AddFaultRequest>

export const FaultItem = Type.Object(
  {
    id: text('Rule'),
    ...faultFields,
    hits: integer('Responses changed so far'),
    matches: integer('Matches so far, including skipped ones'),
    createdAt: Time('Creation time'),
    boundAt: Type.Optional(Time('Start of the sign-in that `match.flow` chose')),
  },
  { description: 'A rule that changes responses' },
)
export type FaultItem = Static<typeof FaultItem>

const Hints = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Names in the rule that do not exist, with suggestions',
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

/** Requests and deliveries in the log that a rule would have matched. */
export const FaultPreview = Type.Object({
  considered: integer('Requests or deliveries in the log'),
  matched: integer('Number of matches'),
  requests: Type.Array(RequestItem, { description: 'Latest matches, at most 20' }),
  deliveries: Type.Array(DeliveryItem, { description: 'Latest matches, at most 20' }),
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
      description: 'Number of requests to hold; later ones pass',
    }),
  },
  { additionalProperties: false },
)
export type AddBarrierRequest = Static<typeof AddBarrierRequest>

export const Barrier = Type.Object(
  {
    id: text('Barrier'),
    match: FaultMatch,
    count: integer('Number of requests to hold'),
    held: Type.Array(Type.String(), { description: 'Ids of the held requests, in order' }),
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
        description:
          'Ids of requests in the order of release; the others follow in the order received',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ReleaseBarrierRequest = Static<typeof ReleaseBarrierRequest>

/** `held` lists the released requests in the order of release. */
export const ReleasedBarrier = Type.Object({
  id: text('Barrier'),
  held: Type.Array(Type.String(), { description: 'Ids of the requests, in order' }),
})
export type ReleasedBarrier = Static<typeof ReleasedBarrier>
