import { Type, type Static, type TSchema } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, HeaderList, ListOf, Time, UserRef, pageQuery } from './control.ts'
import { flowKinds, flowOutcomes } from './words/sandbox.ts'

const requestItem = {
  id: Type.String({ description: 'Request' }),
  at: Time('When it came, on the sandbox clock'),
  endedAt: Time('When its answer had gone, on the same clock'),
  method: Type.String({ description: 'HTTP method' }),
  path: Type.String({ description: 'Path and query; secrets are masked' }),
  status: Type.Integer({ description: 'HTTP status; 0 = the connection was cut' }),
  durationMs: Type.Number({ description: 'In real time' }),
  app: Type.Optional(AppRef),
  user: Type.Optional(UserRef),
  grantType: Type.Optional(Type.String({ description: '`grant_type` of a token request' })),
  error: Type.Optional(Type.String({ description: 'Error code of the answer' })),
  detail: Type.Optional(
    Type.String({
      description:
        'Why it was refused: what the answer said, and what is for the developer alone and never on the wire; or what of it was passed over',
    }),
  ),
  faultId: Type.Optional(Type.String({ description: 'Fault rule that changed the answer' })),
  flowId: Type.Optional(Type.String({ description: 'Sign-in it belongs to' })),
}

export const RequestItem = Type.Object(requestItem, { description: 'A request' })
export type RequestItem = Static<typeof RequestItem>

const Message = Type.Object({
  headers: HeaderList,
  body: Type.Optional(
    Type.String({ description: 'At most 16 KiB; tokens and secrets are masked' }),
  ),
  size: Type.Integer({ description: 'Bytes of the body, kept or not' }),
  truncated: Type.Boolean({ description: 'Whether there was more' }),
})

export const RequestDetail = Type.Object(
  { ...requestItem, request: Message, response: Message },
  { description: 'A request and its answer' },
)
export type RequestDetail = Static<typeof RequestDetail>

/** Extent of the request log, which every list of it reports. */
const LogExtent = Type.Object(
  {
    requests: Type.Integer({ description: 'Requests that the log still has' }),
    received: Type.Integer({ description: 'Requests received since the start or the last reset' }),
    since: Type.Optional(Time('When the oldest request that is kept was received')),
  },
  { description: 'How much the log still has; the oldest requests are dropped first' },
)

const LogListOf = <T extends TSchema>(item: T) =>
  Type.Object({ ...ListOf(item).properties, kept: LogExtent })

export const RequestList = LogListOf(RequestItem)
export type RequestList = Static<typeof RequestList>

export const RequestQuery = Type.Object({
  clientId: Type.Optional(Type.String({ description: 'Only of this app' })),
  user: Type.Optional(Type.String({ description: 'Only of this user' })),
  path: Type.Optional(Type.String({ description: 'Only where the path contains this' })),
  method: Type.Optional(Type.String({ description: 'Only with this method' })),
  status: Type.Optional(
    Type.String({ pattern: '^(0|[1-5]([0-9]{2}|xx))$', description: '`404`, or `4xx`' }),
  ),
  refused: Type.Optional(Type.Literal('1', { description: 'Only with an error' })),
  flowId: Type.Optional(Type.String({ description: 'Only of this sign-in' })),
  route: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Only to this path; `*` stands for anything: `/oauth/*`',
    }),
  ),
  text: Type.Optional(
    Type.String({ description: 'Only with this in method, address, error or its reason' }),
  ),
  since: Type.Optional(Time('Only what came from then on, on the sandbox clock')),
  filter: Type.Optional(
    Type.String({
      maxLength: 2000,
      description:
        'All of these in one line, as the dashboard has it: `status:4xx user:alice last 5m /oauth`; `-` before a word turns it round',
    }),
  ),
  follow: Type.Optional(
    Type.Literal('1', { description: 'Answers NDJSON that goes on: a line for each request' }),
  ),
  ...pageQuery,
})
export type RequestQuery = Static<typeof RequestQuery>

export const UserDenial = Type.Optional(
  Type.Literal(true, { description: 'Refused because the user denied it, and the app was told' }),
)

export const FlowItem = Type.Object(
  {
    id: Type.String({ description: 'Sign-in' }),
    kind: OneOf(flowKinds, 'How the app gets its token'),
    app: Type.Optional(AppRef),
    user: Type.Optional(UserRef),
    startedAt: Time('First request'),
    lastAt: Time('Last request'),
    outcome: OneOf(flowOutcomes, 'Where it stands'),
    explanation: Type.String({ description: 'What happened, or what is missing, in a sentence' }),
    denied: UserDenial,
    requestCount: Type.Integer({
      description: 'All of them; the list has the first and the latest',
    }),
    requests: Type.Array(RequestItem, { description: 'Oldest first, at most 100' }),
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
    version: Type.String({ description: '1.2' }),
    creator: Type.Object({ name: Type.String(), version: Type.String() }),
    entries: Type.Array(
      Type.Object({
        startedDateTime: Type.String(),
        time: Type.Number({ description: 'Milliseconds' }),
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
        comment: Type.Optional(Type.String({ description: 'Why it was refused' })),
      }),
    ),
  }),
})
export type Har = Static<typeof Har>
