import { Type, type Static } from 'typebox'
import { AppRef, HeaderList, OrganizationRef, Time, UserRef } from './control.ts'
import { ChangedByFault, Expiry, FaultChanges, OfAudit, UserDenial } from './control-requests.ts'
import { OneOf } from './one-of.ts'
import {
  flowActors,
  flowKinds,
  flowOutcomes,
  flowStepKinds,
  flowStepOutcomes,
} from './words/sandbox-words.ts'
import { integer, number, text } from './plain-fields.ts'
import { NearestUri } from './nearest-uri.ts'

// A sign-in as a diagram: its parties, its steps and their details.

const Poll = Type.Object({
  sinceMs: number('Real time since the start of the sign-in'),
  answer: text('`authorization_pending`, `slow_down`, or the final result'),
  requestId: text('Request'),
})

export const FlowStep = Type.Object(
  {
    id: text('Id within the sign-in; does not change while the sign-in continues'),
    kind: OneOf(flowStepKinds, 'Kind of line'),
    from: OneOf(flowActors, 'Party that sends or waits'),
    to: OneOf(flowActors, 'Party that receives or is waited for'),
    name: text('Name of the step, such as `authorization request`'),
    at: Time('Sandbox time'),
    sinceMs: number('Real time since the start of the sign-in'),
    tookMs: Type.Optional(number('Duration in real time; so far, if the step is waiting')),
    outcome: OneOf(flowStepOutcomes, 'Result'),
    denied: UserDenial,
    status: Type.Optional(integer('HTTP status; 0 = the connection was cut')),
    error: Type.Optional(text('Error code')),
    changes: FaultChanges,
    explanation: Type.Optional(text('Reason for the refusal, or meaning of the step')),
    inferred: Type.Optional(
      Type.Literal(true, {
        description: 'Whether the step was inferred rather than seen by the sandbox',
      }),
    ),
    requestId: Type.Optional(
      text('Id of the request, or of the request that this is the response to'),
    ),
    polls: Type.Optional(
      Type.Object({
        count: integer('Total number; the list has the first and the latest'),
        list: Type.Array(Poll, { description: 'At most 200' }),
        intervalSeconds: number('Seconds to wait between polls'),
        expiresAt: Time('Expiry of the device code'),
      }),
    ),
    movedMs: Type.Optional(number('Milliseconds that the clock was moved')),
    missingCount: Type.Optional(integer('Requests dropped from the log, if known')),
  },
  { description: 'A line of the diagram' },
)
export type FlowStep = Static<typeof FlowStep>

const flowHead = {
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
}

/** Codes that a device shows to its user (RFC 8628 §3.2). */
export const WaitingDevice = Type.Object(
  {
    userCode: text('User code (RFC 8628 §6.1)'),
    verificationUri: text('Verification URI'),
    verificationUriComplete: Type.Optional(text('Verification URI with the code, if configured')),
    expiresAt: Time('Expiry of the code'),
    unreachable: Type.Optional(text('Reason why another device cannot open the URL')),
  },
  { description: 'Only while a device waits for its user' },
)
export type WaitingDevice = Static<typeof WaitingDevice>

export const FlowDetail = Type.Object(
  {
    ...flowHead,
    actors: Type.Array(
      Type.Object({
        actor: OneOf(flowActors, 'Party'),
        name: text('Label, such as `Browser` or the app’s name'),
      }),
      { description: 'Parties, from left to right' },
    ),
    steps: Type.Array(FlowStep, { description: 'Oldest first' }),
    device: Type.Optional(WaitingDevice),
    tokenIds: Type.Array(Type.String(), { description: 'Issued tokens' }),
    missing: Type.Array(Type.String(), {
      description: 'Gaps in the diagram, such as dropped requests or a cut body',
    }),
  },
  { description: 'A sign-in as a diagram' },
)
export type FlowDetail = Static<typeof FlowDetail>

const masked = {
  value: text('Value; masked if secret and not named in `reveal`'),
  secret: Type.Optional(Type.Literal(true, { description: 'Name to pass as `reveal`' })),
}

const Parameter = Type.Object({
  name: Type.String(),
  ...masked,
  place: OneOf(['query', 'form', 'json', 'header', 'redirect'] as const, 'Location'),
  purpose: Type.Optional(text('Purpose')),
  source: Type.Optional(text('Definition, such as `RFC 7636 §4.3`')),
  ignored: Type.Optional(
    Type.Literal(true, {
      description: 'Whether the Hub ignores it or the sandbox does not know it',
    }),
  ),
})

const Claim = Type.Object({
  name: Type.String(),
  value: text('Value as JSON; masked if secret and not named in `reveal`'),
  secret: masked.secret,
  meaning: Type.Optional(text('Meaning, with its source')),
  time: Type.Optional(Time('Time, for claims that are one')),
})

export const DecodedToken = Type.Object({
  name: text('Member that held the token: `id_token`, `access_token`, …'),
  ...masked,
  tokenId: Type.Optional(text('Id of the access token, if the sandbox knows it')),
  opaque: Type.Optional(
    Type.Literal(true, { description: 'Whether the token is opaque (not a JWT)' }),
  ),
  header: Type.Optional(Type.Array(Claim)),
  claims: Type.Optional(Type.Array(Claim)),
  signature: Type.Optional(
    Type.Object({
      valid: Type.Boolean(),
      explanation: text('Key that was used, or reason why the signature is invalid'),
    }),
  ),
  atHash: Type.Optional(
    Type.Object({
      claimed: text('Value of the claim'),
      computed: text('Hash of the access token issued with it'),
      equal: Type.Boolean(),
    }),
  ),
  checks: Type.Optional(
    Type.Array(
      Type.Object({
        claim: text('`iss`, `aud`, `exp` or `nonce`'),
        valid: Type.Boolean(),
        explanation: text('Sentence with the result'),
      }),
      { description: 'Checks of an ID token by its client (OpenID Connect Core §3.1.3.7)' },
    ),
  ),
})
export type DecodedToken = Static<typeof DecodedToken>

export const FlowStepDetail = Type.Object(
  {
    step: FlowStep,
    parameters: Type.Array(Parameter, { description: 'Parameters, in the order received' }),
    pkce: Type.Optional(
      Type.Object(
        {
          method: text('`S256`'),
          challenge: Type.String(),
          verifier: Type.Optional(Type.Object(masked)),
          computed: Type.Optional(text('Challenge computed from the verifier')),
          equal: Type.Optional(Type.Boolean()),
        },
        { description: 'PKCE (RFC 7636): challenge of the request and verifier of the exchange' },
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
              integer('Index of the first character that differs in the one sent'),
            ),
          }),
        ),
        nearest: Type.Optional(NearestUri),
      }),
    ),
    scopes: Type.Optional(
      Type.Object({
        asked: Type.Array(Type.String()),
        granted: Type.Array(Type.String()),
        refused: Type.Array(Type.Object({ scope: Type.String(), because: text('Reason') })),
      }),
    ),
    organizations: Type.Optional(Type.Array(OrganizationRef)),
    exchange: Type.Optional(
      Type.Array(
        Type.Object({
          label: text('subject, user, organization, role, scopes cut, token, audit row'),
          value: Type.String(),
          outcome: OneOf(flowStepOutcomes, 'Result'),
        }),
        { description: 'Checks of a token exchange (RFC 8693 §2)' },
      ),
    ),
    tokens: Type.Array(DecodedToken),
    request: Type.Optional(
      Type.Object({
        line: text('`POST /oauth/token`'),
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
  { description: 'Details of a step' },
)
export type FlowStepDetail = Static<typeof FlowStepDetail>

export const FlowStepQuery = Type.Object({
  reveal: Type.Optional(text('Names of secrets to show unmasked, comma-separated; `*` = all')),
})
export type FlowStepQuery = Static<typeof FlowStepQuery>

/** A sign-in, a delivery or a run, exported for another program. */
export const FlowText = Type.Object(
  {
    filename: text('Suggested file name'),
    text: Type.String(),
  },
  { description: 'An export as a text file' },
)
export type FlowText = Static<typeof FlowText>
