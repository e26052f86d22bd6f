import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, ListOf, OrganizationRef, Time, UserRef, pageQuery } from './control.ts'
import { FineGrainedFixture } from './fixtures/accounts.ts'
import { longestDurationMs } from './fixtures/limits.ts'
import { DecodedToken } from './control-flows.ts'
import { RequestItem } from './control-requests.ts'
import { accountKinds, roles } from './words/accounts.ts'
import {
  grantNames,
  refreshTokenStates,
  tokenKinds,
  tokenRoles,
  tokenStates,
} from './words/oauth.ts'

export const TokenItem = Type.Object(
  {
    id: Type.String({ description: '24 hex digits' }),
    kind: OneOf(tokenKinds, 'Issued to an app, or a user access token made by hand'),
    token: Type.String({ description: 'The whole token; it is a fake, so it may be shown' }),
    preview: Type.String({ description: 'Enough of it to tell it from others' }),
    user: UserRef,
    app: Type.Optional(AppRef),
    name: Type.Optional(Type.String({ description: 'Name of a user access token' })),
    role: Type.Optional(OneOf(tokenRoles, 'Role of a user access token')),
    scopes: Type.Array(Type.String(), { description: 'Granted scopes' }),
    resources: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Servers that the client named as the target of the token (RFC 8707)',
      }),
    ),
    organizations: Type.Array(OrganizationRef, { description: 'Organizations ticked at consent' }),
    boundOrganization: Type.Optional(OrganizationRef),
    grant: OneOf(grantNames, 'How it came about'),
    createdAt: Time('When it was issued'),
    expiresAt: Type.Optional(Time('When it ends; absent when it does not')),
    revokedAt: Type.Optional(Time('When it was revoked')),
    revokedBecause: Type.Optional(Type.String({ description: 'Why it was revoked' })),
    state: OneOf(tokenStates, 'Whether it is accepted now'),
  },
  { description: 'An access token' },
)
export type TokenItem = Static<typeof TokenItem>

export const TokenList = ListOf(TokenItem)
export type TokenList = Static<typeof TokenList>

export const TokenQuery = Type.Object({
  user: Type.Optional(Type.String({ description: 'Username' })),
  clientId: Type.Optional(Type.String({ description: 'App it was issued to' })),
  state: Type.Optional(OneOf(tokenStates, 'Whether it is accepted now')),
  ...pageQuery,
})
export type TokenQuery = Static<typeof TokenQuery>

export const MintTokenRequest = Type.Object(
  {
    user: Type.String({ description: 'Username' }),
    clientId: Type.Optional(
      Type.String({ description: 'App it is for; default: the first public app' }),
    ),
    scope: Type.Optional(
      Type.String({ description: 'Scopes, space-separated; default: those of the app' }),
    ),
    organizations: Type.Optional(
      Type.Array(Type.String(), { description: 'Organizations ticked, by name' }),
    ),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestDurationMs / 1000,
        description: 'Seconds; default: the life of the app’s tokens',
      }),
    ),
    role: Type.Optional(
      OneOf(tokenRoles, 'Makes a user access token instead of a token of an app'),
    ),
    fineGrained: Type.Optional(FineGrainedFixture),
    name: Type.Optional(Type.String({ description: 'Name of the user access token' })),
  },
  { additionalProperties: false },
)
export type MintTokenRequest = Static<typeof MintTokenRequest>

/** The token response of RFC 6749 §5.1, in wire names. */
export const MintedToken = Type.Object({
  access_token: Type.String({ description: 'The token' }),
  token_type: Type.String({ description: '`bearer`' }),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds' })),
  scope: Type.Optional(Type.String({ description: 'Granted scopes, space-separated' })),
  refresh_token: Type.Optional(Type.String({ description: 'For the refresh_token grant' })),
  id_token: Type.Optional(Type.String({ description: 'ID token, with the scope openid' })),
  notices: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Scopes that are unknown and left out, or not in the settings of the app',
    }),
  ),
})
export type MintedToken = Static<typeof MintedToken>

const TokenRef = Type.Object(
  {
    id: Type.String({ description: 'Token' }),
    preview: Type.String({ description: 'Enough of it to tell it from others' }),
    createdAt: Time('When it was issued'),
    state: OneOf(tokenStates, 'Whether it is accepted now'),
  },
  { description: 'Another access token' },
)

export const TokenHistory = Type.Object(
  {
    issuedBy: Type.Optional(
      Type.Object(
        {
          requestId: Type.String({ description: 'Request whose answer it came in' }),
          flowId: Type.Optional(Type.String({ description: 'Sign-in it belongs to' })),
        },
        { description: 'Absent when the log no longer has it, or it was minted or loaded' },
      ),
    ),
    refreshedFrom: Type.Optional(TokenRef),
    refreshedInto: Type.Optional(TokenRef),
    refreshToken: OneOf(refreshTokenStates, 'What became of the refresh token that came with it'),
    idToken: Type.Optional(DecodedToken),
    uses: Type.Integer({ description: 'Requests of the log that were made with it' }),
    latestUses: Type.Array(RequestItem, { description: 'At most 50 of them, newest first' }),
  },
  { description: 'What happened to an access token, as far as the log goes back' },
)
export type TokenHistory = Static<typeof TokenHistory>

export const TokenRights = Type.Object(
  {
    refused: Type.Optional(
      Type.String({ description: 'Why it is refused everywhere by now; the rest is what it was' }),
    ),
    scopes: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'Granted scope' }),
        allows: Type.Optional(Type.String({ description: 'What the consent page says of it' })),
      }),
    ),
    owners: Type.Array(
      Type.Object({
        kind: OneOf(accountKinds, 'Whose things'),
        name: Type.String({ description: 'Name of the user or organization' }),
        role: Type.Optional(OneOf(roles, 'Of the user in the organization')),
      }),
      { description: 'The user, then their organizations, of which at most 50' },
    ),
    ownersLeftOut: Type.Integer({ description: 'Further organizations' }),
    rows: Type.Array(
      Type.Object({
        what: Type.String({ description: 'What one does, in plain words' }),
        scopes: Type.Array(Type.String(), {
          description:
            'The least scopes that a token of an app needs for it; none = no scope opens it',
        }),
        cells: Type.Array(
          Type.Object({
            owner: Type.String({ description: 'Name of one of the owners' }),
            allowed: Type.Boolean(),
            because: Type.Optional(Type.String({ description: 'Why not' })),
          }),
          { description: 'Owners who have no such things are left out' },
        ),
      }),
    ),
  },
  { description: 'What whoever has the token may do with it, by the rules that answer requests' },
)
export type TokenRights = Static<typeof TokenRights>
