import { type Static, Type } from 'typebox'
import { OneOf } from '../../contract/one-of.ts'
import { ObjectId, Timestamp } from './common-entities.ts'
import { publisherProviders } from '../../contract/words/ci-words.ts'
import {
  appOrigins,
  deviceStatuses,
  grantNames,
  privileges,
  tokenKinds,
  tokenRoles,
} from '../../contract/words/oauth-words.ts'

const Scopes = Type.Array(Type.String())
/** Resource servers that a client requests its token for (RFC 8707). */
const Resources = Type.Optional(Type.Array(Type.String()))

/**
 * An OAuth app; `id` is its `client_id` (a UUID, or the document's URL for a client metadata document).
 * Without `clientSecret` it is a public client (RFC 6749 §2.1).
 */
export const AppSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Origin: settings page or fixtures, RFC 7591, a metadata document, a Space. */
  origin: OneOf(appOrigins),
  clientSecret: Type.Optional(Type.String()),
  redirectUris: Type.Array(Type.String()),
  /**
   * False: pages of its redirect origins may not call the Hub's API, because the user did not choose the fixtures file
   * of the app.
   */
  opensOrigins: Type.Optional(Type.Boolean()),
  /** Hosts on which a Space's app accepts any redirect URI. */
  redirectHosts: Type.Optional(Type.Array(Type.String())),
  scopes: Scopes,
  /** Default scopes of a request; absent = all of `scopes`. */
  defaultScopes: Type.Optional(Scopes),
  ownerId: Type.Optional(ObjectId),
  organizationId: Type.Optional(ObjectId),
  privileges: Type.Array(OneOf(privileges)),
  /** Lifetime of the app's access tokens; absent = the setting `lifetimes.accessToken`. */
  tokenDurationSeconds: Type.Optional(Type.Number()),
  /** Users outside these organizations are refused (`hf_oauth_authorized_org` of a Space). */
  authorizedOrganizationIds: Type.Optional(Type.Array(ObjectId)),
  spaceId: Type.Optional(ObjectId),
  logoUri: Type.Optional(Type.String()),
  clientUri: Type.Optional(Type.String()),
  policyUri: Type.Optional(Type.String()),
  tosUri: Type.Optional(Type.String()),
  /** Fields of an RFC 7591 registration or a metadata document, returned unchanged. */
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** A metadata document is fetched again after this time. */
  refreshAfter: Type.Optional(Timestamp),
  createdAt: Timestamp,
})
export type App = Static<typeof AppSchema>

/** Consent of a user to an app for a set of scopes; `id` follows from the three. */
export const ConsentSchema = Type.Object({
  id: Type.String(),
  userId: ObjectId,
  clientId: Type.String(),
  scopes: Scopes,
  organizationIds: Type.Array(ObjectId),
  grantedAt: Timestamp,
})
export type Consent = Static<typeof ConsentSchema>

/** An authorization code (RFC 6749 §4.1.2); `id` is the code. Kept after its use to detect replays. */
export const AuthorizationCodeSchema = Type.Object({
  id: Type.String(),
  clientId: Type.String(),
  userId: ObjectId,
  redirectUri: Type.String(),
  codeChallenge: Type.Optional(Type.String()),
  nonce: Type.Optional(Type.String()),
  scopes: Scopes,
  resources: Resources,
  organizationIds: Type.Array(ObjectId),
  authTime: Timestamp,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  usedAt: Type.Optional(Timestamp),
  /** Shared by everything issued from this code (see `familyId` of tokens). */
  familyId: Type.String(),
})
export type AuthorizationCode = Static<typeof AuthorizationCodeSchema>

/** Permissions of a fine-grained user access token, in the words of whoami-v2. */
const FineGrainedSchema = Type.Object({
  scoped: Type.Array(
    Type.Object({
      entity: Type.Object({
        _id: Type.String(),
        type: Type.String(),
        name: Type.Optional(Type.String()),
      }),
      permissions: Type.Array(Type.String()),
    }),
  ),
  global: Type.Optional(Type.Array(Type.String())),
  canReadGatedRepos: Type.Optional(Type.Boolean()),
})
export type FineGrained = Static<typeof FineGrainedSchema>

/** An access token: of an app (`oauth`), or a user access token (`user`). */
export const AccessTokenSchema = Type.Object({
  id: ObjectId,
  token: Type.String(),
  kind: OneOf(tokenKinds),
  userId: ObjectId,
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(Timestamp),
  revokedBecause: Type.Optional(Type.String()),
  // oauth
  clientId: Type.Optional(Type.String()),
  grant: Type.Optional(OneOf(grantNames)),
  scopes: Scopes,
  resources: Resources,
  /** Organizations granted at consent. */
  organizationIds: Type.Array(ObjectId),
  /** Organization that a token exchange is limited to (RFC 8693). */
  boundOrganizationId: Type.Optional(ObjectId),
  /** Shared by the tokens of an authorization; replay of its code or refresh token revokes them all. */
  familyId: Type.Optional(Type.String()),
  /** Delivery whose job has the token, so that events of the job have it as their cause. */
  deliveryId: Type.Optional(ObjectId),
  // CI identity
  /** Trusted publisher for which the token was issued. */
  publisherId: Type.Optional(ObjectId),
  /** The only repo that the token writes to; `userId` is then the id of the publisher. */
  repoId: Type.Optional(ObjectId),
  // user
  role: Type.Optional(OneOf(tokenRoles)),
  name: Type.Optional(Type.String()),
  fineGrained: Type.Optional(FineGrainedSchema),
  /** Organizations whose administrators have revoked the access of this user access token. */
  revokedForOrganizationIds: Type.Optional(Type.Array(ObjectId)),
})
export type AccessToken = Static<typeof AccessTokenSchema>

/**
 * CI jobs that may get a token without a secret: of a repo, or of a user. A job proves its identity by an ID token of the
 * issuer with these claims.
 */
export const TrustedPublisherSchema = Type.Object({
  id: ObjectId,
  name: Type.String(),
  /** Exactly one of the two. */
  repoId: Type.Optional(ObjectId),
  userId: Type.Optional(ObjectId),
  provider: OneOf(publisherProviders),
  /** Absent = the public issuer of the provider. */
  issuer: Type.Optional(Type.String()),
  /** Claims that an ID token must have, by name; all must be equal. */
  claims: Type.Record(Type.String(), Type.String()),
  disabled: Type.Optional(Type.Boolean()),
  createdAt: Timestamp,
  lastUsedAt: Type.Optional(Timestamp),
})
export type TrustedPublisher = Static<typeof TrustedPublisherSchema>

/** An ID token that a drill marked as exchanged, kept until it expires; `id` is its hash. */
export const ExchangedIdTokenSchema = Type.Object({
  id: Type.String(),
  exchangedAt: Timestamp,
  expiresAt: Timestamp,
})
export type ExchangedIdToken = Static<typeof ExchangedIdTokenSchema>

/** A refresh token; `id` is the token. Kept after its use to detect reuse (RFC 9700 §4.14.2). */
export const RefreshTokenSchema = Type.Object({
  id: Type.String(),
  familyId: Type.String(),
  clientId: Type.String(),
  userId: ObjectId,
  scopes: Scopes,
  resources: Resources,
  organizationIds: Type.Array(ObjectId),
  authTime: Timestamp,
  createdAt: Timestamp,
  usedAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(Timestamp),
})
export type RefreshToken = Static<typeof RefreshTokenSchema>

/** A device authorization (RFC 8628 §3.2); `id` is the device code. */
export const DeviceAuthorizationSchema = Type.Object({
  id: Type.String(),
  userCode: Type.String(),
  clientId: Type.String(),
  scopes: Scopes,
  resources: Resources,
  organizationIds: Type.Array(ObjectId),
  status: OneOf(deviceStatuses),
  userId: Type.Optional(ObjectId),
  authTime: Type.Optional(Timestamp),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  /** `familyId` of its tokens. State of earlier versions lacks it. */
  familyId: Type.Optional(Type.String()),
})
export type DeviceAuthorization = Static<typeof DeviceAuthorizationSchema>

/** A metadata document that the sandbox serves to itself; `id` is its URL. */
export const MetadataDocumentSchema = Type.Object({
  id: Type.String(),
  document: Type.Record(Type.String(), Type.Unknown()),
})
export type MetadataDocument = Static<typeof MetadataDocumentSchema>

/** A key that signs ID tokens; `id` is its `kid`. The private members never leave the server. */
export const SigningKeySchema = Type.Object({
  id: Type.String(),
  privateJwk: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Timestamp,
  /** Still published for verification, no longer used to sign. */
  retiredAt: Type.Optional(Timestamp),
})
export type SigningKey = Static<typeof SigningKeySchema>

/** A row of an organization's audit log, in the words of the hub's export. */
export const AuditRowSchema = Type.Object({
  id: ObjectId,
  organizationId: ObjectId,
  type: Type.String(),
  message: Type.String(),
  createdAt: Timestamp,
  authorId: Type.Optional(ObjectId),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ip: Type.Optional(Type.String()),
  userAgent: Type.Optional(Type.String()),
  tokenId: Type.Optional(ObjectId),
  clientId: Type.Optional(Type.String()),
})
export type AuditRow = Static<typeof AuditRowSchema>
