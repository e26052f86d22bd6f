import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, ListOf, OrganizationRef, Time, UserRef, pageQuery } from './control.ts'
import { FineGrainedFixture } from './fixtures/fixture-accounts.ts'
import { longestDurationMs } from './fixtures/limits.ts'
import { DecodedToken } from './control-flows.ts'
import { RequestItem } from './control-requests.ts'
import { accountKinds, roles } from './words/account-words.ts'
import {
  grantNames,
  refreshTokenStates,
  tokenKinds,
  tokenRoles,
  tokenStates,
} from './words/oauth-words.ts'
import { integer, text } from './plain-fields.ts'

export const TokenItem = Type.Object(
  {
    id: text('24 hex digits'),
    kind: OneOf(tokenKinds, '`oauth`: issued to an app; `user`: a user access token'),
    token: text('Whole token; it is fake, so it may be shown'),
    preview: text('Shortened token'),
    user: UserRef,
    app: Type.Optional(AppRef),
    name: Type.Optional(text('Name of a user access token')),
    role: Type.Optional(OneOf(tokenRoles, 'Role of a user access token')),
    scopes: Type.Array(Type.String(), { description: 'Granted scopes' }),
    resources: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Resource servers that the client requested the token for (RFC 8707)',
      }),
    ),
    organizations: Type.Array(OrganizationRef, { description: 'Organizations granted at consent' }),
    boundOrganization: Type.Optional(OrganizationRef),
    grant: OneOf(grantNames, 'Origin of the token'),
    createdAt: Time('Time of issue'),
    expiresAt: Type.Optional(Time('Expiry; absent if it never expires')),
    revokedAt: Type.Optional(Time('Time of revocation')),
    revokedBecause: Type.Optional(text('Reason for the revocation')),
    state: OneOf(tokenStates, 'Whether it is valid now'),
  },
  { description: 'An access token' },
)
export type TokenItem = Static<typeof TokenItem>

export const TokenList = ListOf(TokenItem)
export type TokenList = Static<typeof TokenList>

export const TokenQuery = Type.Object({
  user: Type.Optional(text('Username')),
  clientId: Type.Optional(text('App it was issued to')),
  state: Type.Optional(OneOf(tokenStates, 'Whether it is valid now')),
  ...pageQuery,
})
export type TokenQuery = Static<typeof TokenQuery>

export const MintTokenRequest = Type.Object(
  {
    user: text('Username'),
    clientId: Type.Optional(text('App it is for; default: the first public app')),
    scope: Type.Optional(text('Scopes, space-separated; default: those of the app')),
    organizations: Type.Optional(
      Type.Array(Type.String(), { description: 'Names of the organizations granted' }),
    ),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestDurationMs / 1000,
        description: 'Lifetime in seconds; default: that of the app’s tokens',
      }),
    ),
    role: Type.Optional(
      OneOf(tokenRoles, 'Role; creates a user access token instead of a token of an app'),
    ),
    fineGrained: Type.Optional(FineGrainedFixture),
    name: Type.Optional(text('Name of the user access token')),
  },
  { additionalProperties: false },
)
export type MintTokenRequest = Static<typeof MintTokenRequest>

/** The token response of RFC 6749 §5.1, in wire names. */
export const MintedToken = Type.Object({
  access_token: text('Token'),
  token_type: text('`bearer`'),
  expires_in: Type.Optional(integer('Seconds')),
  scope: Type.Optional(text('Granted scopes, space-separated')),
  refresh_token: Type.Optional(text('Refresh token')),
  id_token: Type.Optional(text('ID token, if the scope includes openid')),
  notices: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Notices about scopes that are unknown or not configured for the app',
    }),
  ),
})
export type MintedToken = Static<typeof MintedToken>

const TokenRef = Type.Object(
  {
    id: text('Token'),
    preview: text('Shortened token'),
    createdAt: Time('Time of issue'),
    state: OneOf(tokenStates, 'Whether it is valid now'),
  },
  { description: 'Another access token' },
)

export const TokenHistory = Type.Object(
  {
    issuedBy: Type.Optional(
      Type.Object(
        {
          requestId: text('Request that issued it'),
          flowId: Type.Optional(text('Sign-in it belongs to')),
        },
        {
          description:
            'Request that issued it; absent if no longer in the log, or if the token was created manually or by the fixtures',
        },
      ),
    ),
    refreshedFrom: Type.Optional(TokenRef),
    refreshedInto: Type.Optional(TokenRef),
    refreshToken: OneOf(refreshTokenStates, 'Status of the refresh token issued with it'),
    idToken: Type.Optional(DecodedToken),
    uses: integer('Number of requests in the log that used it'),
    latestUses: Type.Array(RequestItem, {
      description: 'Newest requests that used it, at most 50',
    }),
  },
  { description: 'History of an access token, as far as the log goes back' },
)
export type TokenHistory = Static<typeof TokenHistory>

export const TokenRights = Type.Object(
  {
    refused: Type.Optional(
      text('Reason why it is no longer valid; the other members show what it used to allow'),
    ),
    scopes: Type.Array(
      Type.Object({
        scope: text('Granted scope'),
        allows: Type.Optional(text('Description on the consent page')),
      }),
    ),
    owners: Type.Array(
      Type.Object({
        kind: OneOf(accountKinds, 'Owner of the resources'),
        name: text('Name of the user or organization'),
        role: Type.Optional(OneOf(roles, 'Role of the user in the organization')),
      }),
      { description: 'The user and at most 50 of their organizations' },
    ),
    ownersLeftOut: integer('Number of further organizations'),
    rows: Type.Array(
      Type.Object({
        what: text('Description of the action'),
        scopes: Type.Array(Type.String(), {
          description:
            'Smallest set of scopes that an app’s token needs for it; empty = no scope allows it',
        }),
        cells: Type.Array(
          Type.Object({
            owner: text('Name of an owner'),
            allowed: Type.Boolean(),
            because: Type.Optional(text('Reason for the refusal')),
          }),
          { description: 'Owners without such resources are left out' },
        ),
      }),
    ),
  },
  { description: 'Actions that the token allows, by the rules that apply to requests' },
)
export type TokenRights = Static<typeof TokenRights>
