import { Type, type Static } from 'typebox'
import { AppRef, HeaderList, OrganizationRef, Time, UserRef } from './control.ts'
import { UserDenial } from './control-requests.ts'
import { OneOf } from './one-of.ts'
import {
  flowActors,
  flowKinds,
  flowOutcomes,
  flowStepKinds,
  flowStepOutcomes,
} from './words/sandbox.ts'

// A sign-in as it is drawn: who took part, one step after the other, and what stands behind each of them.

const Poll = Type.Object({
  sinceMs: Type.Number({ description: 'Real time since the flow began' }),
  answer: Type.String({ description: '`authorization_pending`, `slow_down`, or how it ended' }),
  requestId: Type.String({ description: 'Request' }),
})

export const FlowStep = Type.Object(
  {
    id: Type.String({ description: 'Within its flow; stays the same while the flow goes on' }),
    kind: OneOf(flowStepKinds, 'What is drawn'),
    from: OneOf(flowActors, 'Who sends, or waits'),
    to: OneOf(flowActors, 'Who gets it, or is waited for'),
    name: Type.String({ description: 'In the words of the field: `authorization request`' }),
    at: Time('When, on the sandbox clock'),
    sinceMs: Type.Number({ description: 'Real time since the flow began' }),
    tookMs: Type.Optional(Type.Number({ description: 'Real time; of what waits, so far' })),
    outcome: OneOf(flowStepOutcomes, 'How it ended'),
    status: Type.Optional(Type.Integer({ description: 'HTTP status; 0 = the connection was cut' })),
    error: Type.Optional(Type.String({ description: 'Error code' })),
    explanation: Type.Optional(
      Type.String({ description: 'Why it was refused, or what it means, in a sentence' }),
    ),
    inferred: Type.Optional(
      Type.Literal(true, { description: 'Not seen by the sandbox: it follows from what it saw' }),
    ),
    requestId: Type.Optional(
      Type.String({ description: 'The request it was, or whose answer it was' }),
    ),
    polls: Type.Optional(
      Type.Object({
        count: Type.Integer({ description: 'All of them; the list has the first and the latest' }),
        list: Type.Array(Poll, { description: 'At most 200' }),
        intervalSeconds: Type.Number({ description: 'What the device is to wait between two' }),
        expiresAt: Time('When the device code ends'),
      }),
    ),
    movedMs: Type.Optional(Type.Number({ description: 'How far the clock was moved' })),
    missingCount: Type.Optional(
      Type.Integer({ description: 'Requests that the log no longer has, where that is known' }),
    ),
  },
  { description: 'One line of the drawing' },
)
export type FlowStep = Static<typeof FlowStep>

const flowHead = {
  id: Type.String({ description: 'Sign-in' }),
  kind: OneOf(flowKinds, 'How the app gets its token'),
  app: Type.Optional(AppRef),
  user: Type.Optional(UserRef),
  startedAt: Time('First request'),
  lastAt: Time('Last request'),
  outcome: OneOf(flowOutcomes, 'Where it stands'),
  explanation: Type.String({ description: 'What happened, or what is missing, in a sentence' }),
  denied: UserDenial,
}

/** What a device shows its user (RFC 8628 §3.2). */
export const WaitingDevice = Type.Object(
  {
    userCode: Type.String({ description: 'What the user types (RFC 8628 §6.1)' }),
    verificationUri: Type.String({ description: 'Where' }),
    verificationUriComplete: Type.Optional(
      Type.String({ description: 'With the code in it, where configured' }),
    ),
    expiresAt: Time('When the code ends'),
    unreachable: Type.Optional(
      Type.String({ description: 'Why another device cannot open the address' }),
    ),
  },
  { description: 'While a device waits for its user' },
)
export type WaitingDevice = Static<typeof WaitingDevice>

export const FlowDetail = Type.Object(
  {
    ...flowHead,
    actors: Type.Array(
      Type.Object({
        actor: OneOf(flowActors, 'Who'),
        name: Type.String({
          description: 'What stands above its line: `Browser`, or the app’s name',
        }),
      }),
      { description: 'From left to right' },
    ),
    steps: Type.Array(FlowStep, { description: 'Oldest first' }),
    device: Type.Optional(WaitingDevice),
    tokenIds: Type.Array(Type.String(), { description: 'Tokens it issued' }),
    missing: Type.Array(Type.String(), {
      description: 'What the drawing lacks, each in a sentence: a log that was capped, a cut body',
    }),
  },
  { description: 'A sign-in as it is drawn' },
)
export type FlowDetail = Static<typeof FlowDetail>

const masked = {
  value: Type.String({ description: 'Masked where it is secret and was not asked for' }),
  secret: Type.Optional(Type.Literal(true, { description: 'Ask for it by `reveal=NAME`' })),
}

const Parameter = Type.Object({
  name: Type.String(),
  ...masked,
  place: OneOf(['query', 'form', 'json', 'header', 'redirect'] as const, 'Where it stood'),
  purpose: Type.Optional(Type.String({ description: 'What it is for, in a sentence' })),
  source: Type.Optional(Type.String({ description: 'Where it is defined: `RFC 7636 §4.3`' })),
  ignored: Type.Optional(
    Type.Literal(true, {
      description: 'The hub does not read it, or the sandbox does not know it',
    }),
  ),
})

const Claim = Type.Object({
  name: Type.String(),
  value: Type.String({ description: 'As JSON; masked where it is secret and was not asked for' }),
  secret: masked.secret,
  meaning: Type.Optional(Type.String({ description: 'In a sentence, with its source' })),
  time: Type.Optional(Time('Of a claim that is a time')),
})

export const DecodedToken = Type.Object({
  name: Type.String({ description: '`id_token`, `access_token`, …: the member it stood in' }),
  ...masked,
  tokenId: Type.Optional(Type.String({ description: 'Access token that the sandbox knows' })),
  opaque: Type.Optional(Type.Literal(true, { description: 'No JWT: nothing stands in it' })),
  header: Type.Optional(Type.Array(Claim)),
  claims: Type.Optional(Type.Array(Claim)),
  signature: Type.Optional(
    Type.Object({
      valid: Type.Boolean(),
      explanation: Type.String({ description: 'Which key was used, or why it does not hold' }),
    }),
  ),
  atHash: Type.Optional(
    Type.Object({
      claimed: Type.String({ description: 'Of the claim' }),
      computed: Type.String({ description: 'Of the access token that came with it' }),
      equal: Type.Boolean(),
    }),
  ),
})
export type DecodedToken = Static<typeof DecodedToken>

export const FlowStepDetail = Type.Object(
  {
    step: FlowStep,
    parameters: Type.Array(Parameter, { description: 'In the order they came' }),
    pkce: Type.Optional(
      Type.Object(
        {
          method: Type.String({ description: '`S256`' }),
          challenge: Type.String(),
          verifier: Type.Optional(Type.Object(masked)),
          computed: Type.Optional(Type.String({ description: 'The challenge of that verifier' })),
          equal: Type.Optional(Type.Boolean()),
        },
        { description: 'RFC 7636: the challenge of the request, the verifier of the exchange' },
      ),
    ),
    redirectUri: Type.Optional(
      Type.Object({
        sent: Type.String(),
        matches: Type.Boolean(),
        registered: Type.Array(
          Type.Object({
            value: Type.String(),
            matches: Type.Boolean(),
            differsAt: Type.Optional(
              Type.Integer({ description: 'First character in which the one sent differs' }),
            ),
          }),
        ),
      }),
    ),
    scopes: Type.Optional(
      Type.Object({
        asked: Type.Array(Type.String()),
        granted: Type.Array(Type.String()),
        refused: Type.Array(
          Type.Object({ scope: Type.String(), because: Type.String({ description: 'Why' }) }),
        ),
      }),
    ),
    organizations: Type.Optional(Type.Array(OrganizationRef)),
    exchange: Type.Optional(
      Type.Array(
        Type.Object({
          label: Type.String({
            description: 'subject, user, organization, role, scopes cut, token, audit row',
          }),
          value: Type.String(),
          outcome: OneOf(flowStepOutcomes, 'How far it came'),
        }),
        { description: 'How a subject became a token (RFC 8693 §2)' },
      ),
    ),
    tokens: Type.Array(DecodedToken),
    request: Type.Optional(
      Type.Object({
        line: Type.String({ description: '`POST /oauth/token`' }),
        headers: HeaderList,
        body: Type.Optional(Type.String()),
        truncated: Type.Boolean(),
      }),
    ),
    answer: Type.Optional(
      Type.Object({
        status: Type.Integer(),
        headers: HeaderList,
        body: Type.Optional(Type.String()),
        truncated: Type.Boolean(),
      }),
    ),
    copies: Type.Optional(
      Type.Object({
        curl: Type.String(),
        httpie: Type.String(),
        json: Type.String(),
      }),
    ),
  },
  { description: 'What stands behind one arrow' },
)
export type FlowStepDetail = Static<typeof FlowStepDetail>

export const FlowStepQuery = Type.Object({
  reveal: Type.Optional(
    Type.String({
      description: 'Names of the secrets to show as they are, comma-separated; `*` = all',
    }),
  ),
})
export type FlowStepQuery = Static<typeof FlowStepQuery>

/** What a sign-in is written as, for another program. */
export const FlowText = Type.Object(
  {
    filename: Type.String({ description: 'What to save it as' }),
    text: Type.String(),
  },
  { description: 'A sign-in as a file of text' },
)
export type FlowText = Static<typeof FlowText>
