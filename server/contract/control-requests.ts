import { Type, type Static, type TSchema } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, HeaderList, ListOf, Time, UserRef, pageQuery } from './control.ts'
import { queryParameter } from './query/query-parameter.ts'
import { xetRights } from './words/hub-words.ts'
import { flowKinds, flowOutcomes } from './words/sandbox-words.ts'
import { flag, integer, number, text } from './plain-fields.ts'

export const FaultChanges = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Changes that a fault rule made to the response, such as `delayed by 2s`',
  }),
)
export type FaultChanges = Static<typeof FaultChanges>

const ExpectedError = Type.Optional(
  Type.Literal(true, {
    description:
      'Whether the error is a normal step of the protocol, such as `authorization_pending` or the challenge of git',
  }),
)

export const OfAudit = Type.Optional(
  Type.Literal(true, {
    description: 'Whether an audit of the app caused it: its failures are not those of the app',
  }),
)
export type OfAudit = Static<typeof OfAudit>

const requestItem = {
  id: text('Request'),
  at: Time('Time of receipt, on the sandbox clock'),
  endedAt: Time('Time when the response was sent, on the sandbox clock'),
  method: text('HTTP method'),
  path: text('Path and query; secrets are masked'),
  status: integer('HTTP status; 0 = the connection was cut'),
  durationMs: number('Milliseconds of real time'),
  app: Type.Optional(AppRef),
  user: Type.Optional(UserRef),
  tokenId: Type.Optional(
    text('Access token that it sent, or in `GET requests/{id}` that its response issued'),
  ),
  grantType: Type.Optional(text('`grant_type` of a token request')),
  error: Type.Optional(text('Error code of the response')),
  expected: ExpectedError,
  detail: Type.Optional(
    text(
      'Reason for the refusal, including details for the developer that are never sent; or the part of the request that was ignored',
    ),
  ),
  faultId: Type.Optional(text('Fault rule that matched the request')),
  faultChanges: FaultChanges,
  flowId: Type.Optional(text('Sign-in it belongs to')),
  audit: OfAudit,
  resentFrom: Type.Optional(text('Request that this one repeats, with or without changes')),
  inference: Type.Optional(
    Type.Object(
      {
        model: text('Model, as the client named it'),
        streamed: flag('Whether the response was to be streamed'),
        rule: Type.Optional(
          integer(
            'Place of the rule of the fixtures that matched, from 1; 0: none did, so the model repeated the last message; absent without a completion',
          ),
        ),
      },
      { description: 'Call of a model' },
    ),
  ),
  transfer: Type.Optional(
    Type.Object(
      {
        id: text('Same for all requests of the transfer'),
        right: OneOf(xetRights, '`write`: an upload'),
        bytes: integer('Bytes that this request carried'),
      },
      { description: 'Upload or download by Xet that the request is part of' },
    ),
  ),
}

export const RequestItem = Type.Object(requestItem, { description: 'A request' })
export type RequestItem = Static<typeof RequestItem>

const Message = Type.Object({
  headers: HeaderList,
  body: Type.Optional(text('Body, at most 16 KiB, with tokens and secrets masked')),
  size: integer('Size of the body in bytes, even if cut'),
  truncated: flag('Whether the body was cut'),
})

export const RequestDetail = Type.Object(
  { ...requestItem, request: Message, response: Message },
  { description: 'A request and its response' },
)
export type RequestDetail = Static<typeof RequestDetail>

export const ResendRequest = Type.Object(
  {
    method: Type.Optional(text('HTTP method')),
    path: Type.Optional(Type.String({ description: 'Path and query', maxLength: 65_536 })),
    headers: Type.Optional(HeaderList),
    body: Type.Optional(text('Body as text')),
  },
  {
    additionalProperties: false,
    description: 'Changes; absent parts stay, and masked values stand for the recorded ones',
  },
)
export type ResendRequest = Static<typeof ResendRequest>

export const Resent = Type.Object(
  {
    id: text('New request'),
    status: integer('HTTP status of its response'),
  },
  { description: 'A request that was sent again' },
)
export type Resent = Static<typeof Resent>

/** Extent of the request log, which every list of it reports. */
const LogExtent = Type.Object(
  {
    requests: integer('Requests in the log'),
    received: integer('Requests received since the start or the last reset'),
    since: Type.Optional(Time('Time of receipt of the oldest request in the log')),
  },
  { description: 'Extent of the log; the oldest requests are dropped first' },
)

const LogListOf = <T extends TSchema>(item: T) =>
  Type.Object({ ...ListOf(item).properties, kept: LogExtent })

export const RequestList = LogListOf(RequestItem)
export type RequestList = Static<typeof RequestList>

export const FlowQuery = Type.Object({
  q: queryParameter('flows', 'status:refused app:"Public app" from:1h'),
  ...pageQuery,
})
export type FlowQuery = Static<typeof FlowQuery>

export const RequestQuery = Type.Object({
  clientId: Type.Optional(text('Only of this app')),
  user: Type.Optional(text('Only of this user')),
  path: Type.Optional(text('Only paths that contain this')),
  method: Type.Optional(text('Only with this method')),
  status: Type.Optional(
    Type.String({
      pattern: '^(0|[1-5]([0-9]{2}|xx))$',
      description: 'Status: `404`, or `4xx` for a class',
    }),
  ),
  refused: Type.Optional(
    Type.Literal('1', {
      description: 'Only failures: requests with an error that is not expected',
    }),
  ),
  flowId: Type.Optional(text('Only of this sign-in')),
  route: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Only this path; `*` matches any characters: `/oauth/*`',
    }),
  ),
  text: Type.Optional(text('Only requests with this in method, URL, error or reason')),
  since: Type.Optional(Time('Only received at or after this sandbox time')),
  q: queryParameter('requests', 'status:4xx user:alice from:5m /oauth'),
  filter: Type.Optional(Type.String({ maxLength: 2000, description: 'Old name of `q`' })),
  follow: Type.Optional(
    Type.Literal('1', { description: 'Responds with an NDJSON stream: a line for each request' }),
  ),
  ...pageQuery,
})
export type RequestQuery = Static<typeof RequestQuery>

export const UserDenial = Type.Optional(
  Type.Literal(true, {
    description: 'Whether the user denied the request',
  }),
)
export type UserDenial = Static<typeof UserDenial>

export const Expiry = Type.Optional(
  Type.Literal(true, {
    description: 'Whether the device code or the code expired before it was used',
  }),
)
export type Expiry = Static<typeof Expiry>

export const ChangedByFault = Type.Optional(
  Type.Literal(true, { description: 'Whether a fault rule changed one of its responses' }),
)
export type ChangedByFault = Static<typeof ChangedByFault>

export const FlowItem = Type.Object(
  {
    id: text('Sign-in'),
    kind: OneOf(flowKinds, 'Grant that the app uses'),
    app: Type.Optional(AppRef),
    user: Type.Optional(UserRef),
    startedAt: Time('First request'),
    lastAt: Time('Last request'),
    outcome: OneOf(flowOutcomes, 'State'),
    explanation: text('Explanation of the result, or of what is missing'),
    denied: UserDenial,
    expired: Expiry,
    changed: ChangedByFault,
    audit: OfAudit,
    requestCount: integer('Total number; the list has the first and the latest'),
    requests: Type.Array(RequestItem, { description: 'Requests, oldest first, at most 100' }),
  },
  { description: 'The requests of one sign-in' },
)
export type FlowItem = Static<typeof FlowItem>

export const FlowList = LogListOf(FlowItem)
export type FlowList = Static<typeof FlowList>

const NameValue = Type.Object({ name: Type.String(), value: Type.String() })

/** HTTP Archive 1.2, for browsers' developer tools. */
export const Har = Type.Object({
  log: Type.Object({
    version: text('1.2'),
    creator: Type.Object({ name: Type.String(), version: Type.String() }),
    entries: Type.Array(
      Type.Object({
        startedDateTime: Type.String(),
        time: number('Milliseconds'),
        request: Type.Object({
          method: Type.String(),
          url: Type.String(),
          httpVersion: Type.String(),
          cookies: Type.Array(NameValue),
          headers: Type.Array(NameValue),
          queryString: Type.Array(NameValue),
          postData: Type.Optional(Type.Object({ mimeType: Type.String(), text: Type.String() })),
          headersSize: Type.Integer(),
          bodySize: Type.Integer(),
        }),
        response: Type.Object({
          status: Type.Integer(),
          statusText: Type.String(),
          httpVersion: Type.String(),
          cookies: Type.Array(NameValue),
          headers: Type.Array(NameValue),
          content: Type.Object({
            size: Type.Integer(),
            mimeType: Type.String(),
            text: Type.Optional(Type.String()),
          }),
          redirectURL: Type.String(),
          headersSize: Type.Integer(),
          bodySize: Type.Integer(),
        }),
        cache: Type.Object({}),
        timings: Type.Object({
          send: Type.Number(),
          wait: Type.Number(),
          receive: Type.Number(),
        }),
        comment: Type.Optional(text('Reason for the refusal')),
      }),
    ),
  }),
})
export type Har = Static<typeof Har>
