import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { AppRef, Duration, ListOf, OrganizationRef, OrNull, Time, UserRef } from './control.ts'
import { appOrigins, privileges } from './words/oauth-words.ts'
import { flag, integer, text } from './plain-fields.ts'

const name = { description: 'Name on the consent page' }
const redirectUris = {
  description: 'Redirect URIs, compared exactly; loopback ones match any port',
}
// Limits for apps created by the control API; fixtures and registration have none.
const Name = Type.String({ ...name, minLength: 1, maxLength: 100 })
const RedirectUris = Type.Array(Type.String(), { ...redirectUris, maxItems: 100 })
const Scopes = Type.Array(Type.String(), {
  description: 'Default scopes of a request; with --strict the only ones that the app may request',
})
const Organization = text('Name of the organization that the app is bound to')
const Owner = text('Username of the owner')
const AuthorizedOrganizations = Type.Array(Type.String(), {
  description: 'Names of the organizations whose members may sign in; default: all users',
})
const Privileges = Type.Array(
  OneOf(privileges, 'Privilege; token exchange (RFC 8693) needs `token-exchange`'),
)
const TokenDuration = Duration('Lifetime of its access tokens from token exchange')
const LogoUri = text('URL of the logo')
const ClientUri = text('URL of the app’s web site')
const PolicyUri = text('URL of the app’s privacy policy')
const TosUri = text('URL of the app’s terms of service')

export const AppItem = Type.Object(
  {
    clientId: text('`client_id` (RFC 6749 §2.2)'),
    name: Type.String(name),
    origin: OneOf(
      appOrigins,
      'Origin: settings or fixtures, registration (RFC 7591), a client metadata document, or a Space',
    ),
    public: flag('Whether the app is public: without a secret (RFC 6749 §2.1)'),
    clientSecret: Type.Optional(text('Secret; it is fake')),
    redirectUris: Type.Array(Type.String(), redirectUris),
    scopes: Scopes,
    owner: Type.Optional(Owner),
    organization: Type.Optional(Organization),
    privileges: Privileges,
    tokenDuration: Type.Optional(TokenDuration),
    authorizedOrganizations: Type.Optional(AuthorizedOrganizations),
    space: Type.Optional(text('Space that the app belongs to')),
    spaceVariables: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Environment variables that the Hub sets for the Space; `SPACE_HOST` only while its Space frame is open, whose host it is',
      }),
    ),
    logoUri: Type.Optional(LogoUri),
    clientUri: Type.Optional(ClientUri),
    policyUri: Type.Optional(PolicyUri),
    tosUri: Type.Optional(TosUri),
    activeTokens: integer('Number of its valid access tokens'),
    createdAt: Time('Time of registration'),
    notices: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Notices about the request, such as unknown scopes that were left out',
      }),
    ),
  },
  { description: 'An OAuth app' },
)
export type AppItem = Static<typeof AppItem>

export const AppList = ListOf(AppItem)
export type AppList = Static<typeof AppList>

export const CreateAppRequest = Type.Object(
  {
    name: Name,
    clientId: Type.Optional(
      Type.String({ format: 'uuid', description: 'Default: a generated UUID' }),
    ),
    public: Type.Optional(
      Type.Boolean({ default: false, description: 'Create a public app, without a secret' }),
    ),
    clientSecret: Type.Optional(
      Type.String({ minLength: 1, description: 'Secret to use instead of a generated one' }),
    ),
    redirectUris: Type.Optional(RedirectUris),
    scopes: Type.Optional(Scopes),
    owner: Type.Optional(Owner),
    organization: Type.Optional(Organization),
    authorizedOrganizations: Type.Optional(AuthorizedOrganizations),
    privileges: Type.Optional(Privileges),
    tokenDuration: Type.Optional(TokenDuration),
    logoUri: Type.Optional(LogoUri),
    clientUri: Type.Optional(ClientUri),
    policyUri: Type.Optional(PolicyUri),
    tosUri: Type.Optional(TosUri),
  },
  { additionalProperties: false },
)
export type CreateAppRequest = Static<typeof CreateAppRequest>

/** `null` removes an optional field. */
export const UpdateAppRequest = Type.Object(
  {
    name: Type.Optional(Name),
    redirectUris: Type.Optional(RedirectUris),
    scopes: Type.Optional(Scopes),
    owner: Type.Optional(OrNull(Owner)),
    organization: Type.Optional(OrNull(Organization)),
    authorizedOrganizations: Type.Optional(OrNull(AuthorizedOrganizations)),
    privileges: Type.Optional(Privileges),
    tokenDuration: Type.Optional(OrNull(TokenDuration)),
    logoUri: Type.Optional(OrNull(LogoUri)),
    clientUri: Type.Optional(OrNull(ClientUri)),
    policyUri: Type.Optional(OrNull(PolicyUri)),
    tosUri: Type.Optional(OrNull(TosUri)),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateAppRequest = Static<typeof UpdateAppRequest>

export const AppSecret = Type.Object({
  clientSecret: text('New secret; the old one no longer works'),
})
export type AppSecret = Static<typeof AppSecret>

/** A client metadata document that the sandbox serves to itself, in place of a web site. */
const metadataDocument = {
  url: text('`client_id`: the https URL of the document'),
  document: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Content of the document; checked when a client uses it, as on the Hub',
  }),
}
const documentProblem = {
  member: text('Path, such as `redirect_uris[1]`; empty for the whole document'),
  message: text('Reason'),
  fix: text('Change to the document that helps'),
}

export const MetadataDocumentItem = Type.Object({
  ...metadataDocument,
  problems: Type.Optional(
    Type.Array(Type.Object(documentProblem), {
      description: 'What the Hub would refuse; absent if nothing',
    }),
  ),
})
export type MetadataDocumentItem = Static<typeof MetadataDocumentItem>

export const MetadataDocumentList = ListOf(MetadataDocumentItem)
export type MetadataDocumentList = Static<typeof MetadataDocumentList>

export const CreateMetadataDocumentRequest = Type.Object(metadataDocument, {
  additionalProperties: false,
})
export type CreateMetadataDocumentRequest = Static<typeof CreateMetadataDocumentRequest>

/** The new document replaces the whole old one. */
export const UpdateMetadataDocumentRequest = Type.Object(
  { document: metadataDocument.document },
  { additionalProperties: false },
)
export type UpdateMetadataDocumentRequest = Static<typeof UpdateMetadataDocumentRequest>

export const CheckMetadataDocumentRequest = Type.Object(
  {
    text: text('Content of the document'),
    url: Type.Optional(text('URL of the document; default: its `client_id`')),
  },
  { additionalProperties: false },
)
export type CheckMetadataDocumentRequest = Static<typeof CheckMetadataDocumentRequest>

export const MetadataDocumentCheck = Type.Object(
  {
    url: text('URL of the document, its client id'),
    bytes: integer('Size'),
    document: Type.Optional(metadataDocument.document),
    problems: Type.Array(
      Type.Object({
        line: integer('Line, from 1'),
        column: integer('Column, from 1'),
        ...documentProblem,
      }),
      { description: 'What the Hub would refuse, in the order of the text' },
    ),
  },
  { description: 'Result of a check; without `document` if the text is not a JSON object' },
)
export type MetadataDocumentCheck = Static<typeof MetadataDocumentCheck>

/** Consent of a user to an app for a set of scopes: a row of the connected applications. */
export const ConsentItem = Type.Object({
  user: UserRef,
  app: AppRef,
  scopes: Type.Array(Type.String(), { description: 'Granted scopes' }),
  organizations: Type.Array(OrganizationRef, { description: 'Organizations granted' }),
  grantedAt: Time('Time of the last confirmation'),
})
export type ConsentItem = Static<typeof ConsentItem>

export const ConsentList = ListOf(ConsentItem)
export type ConsentList = Static<typeof ConsentList>

export const RevokeConsentQuery = Type.Object({
  user: text('Username'),
  clientId: text('App whose consents by the user, and tokens, are revoked'),
})
export type RevokeConsentQuery = Static<typeof RevokeConsentQuery>
