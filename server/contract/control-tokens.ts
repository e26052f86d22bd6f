import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, ListOf, OrganizationRef, Time, UserRef, pageQuery } from './control.ts'
import { FineGrainedFixture } from './fixtures/accounts.ts'
import { longestDurationMs } from './fixtures/limits.ts'
import { grantNames, tokenKinds, tokenRoles, tokenStates } from './words/oauth.ts'

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
})
export type MintedToken = Static<typeof MintedToken>
