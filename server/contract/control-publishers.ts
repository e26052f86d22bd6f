import { Type, type Static } from 'typebox'
import { ListOf, OrNull, pageQuery, Time } from './control.ts'
import { OneOf } from './one-of.ts'
import { ciDrills, ciProviders, publisherProviders } from './words/ci-words.ts'
import { flag, text } from './plain-fields.ts'

const Resource = Type.String({
  minLength: 1,
  description:
    'Repo (`acme/tiny`, `datasets/acme/corpus`, `spaces/acme/demo`) or username, as in the exchange',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name, also of the system user that commits; default: the project in the claims',
})
const Provider = OneOf(
  publisherProviders,
  'CI provider; its ID tokens are accepted from the sandbox itself, too',
)
const Issuer = Type.String({
  maxLength: 500,
  description:
    'Issuer of the ID tokens, an https URL; default: that of GitHub or gitlab.com; required for `custom`',
})
const Claims = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }), {
  description: 'Claims that an ID token must have, by name; compared exactly',
  maxProperties: 50,
})
const Disabled = flag('Whether its jobs get no tokens')

export const PublisherItem = Type.Object(
  {
    id: text('24 hex digits'),
    resource: Resource,
    name: Name,
    provider: Provider,
    issuer: Type.Optional(Issuer),
    issuers: Type.Array(Type.String(), {
      description: 'Issuers whose ID tokens are accepted, with the sandbox as its provider',
    }),
    claims: Claims,
    disabled: Disabled,
    createdAt: Time('Creation time'),
    lastUsedAt: Type.Optional(Time('Time of the last exchange')),
  },
  { description: 'A trusted publisher: CI jobs that get a token without a secret' },
)
export type PublisherItem = Static<typeof PublisherItem>

export const PublisherList = ListOf(PublisherItem)
export type PublisherList = Static<typeof PublisherList>

export const PublisherQuery = Type.Object({
  ...pageQuery,
  resource: Type.Optional(text('Only those of this repo or user')),
})
export type PublisherQuery = Static<typeof PublisherQuery>

export const CreatePublisherRequest = Type.Object(
  {
    resource: Resource,
    name: Type.Optional(Name),
    provider: Provider,
    issuer: Type.Optional(Issuer),
    claims: Claims,
    disabled: Type.Optional(Disabled),
  },
  { additionalProperties: false },
)
export type CreatePublisherRequest = Static<typeof CreatePublisherRequest>

/** `null` removes an optional field. */
export const UpdatePublisherRequest = Type.Object(
  {
    name: Type.Optional(Name),
    provider: Type.Optional(Provider),
    issuer: Type.Optional(OrNull(Issuer)),
    claims: Type.Optional(Claims),
    disabled: Type.Optional(Disabled),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdatePublisherRequest = Static<typeof UpdatePublisherRequest>

const JobProvider = OneOf(ciProviders, 'CI provider that the sandbox acts as')
const Drill = OneOf(ciDrills, 'Mistake in the ID tokens, which the exchange must refuse')
const JobClaims = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Claims of the job that replace the usual ones; `exp`, `iat` and `iss` too',
})

export const CiTokenRequest = Type.Object(
  {
    provider: JobProvider,
    claims: Type.Optional(JobClaims),
    audience: Type.Optional(
      Type.String({ minLength: 1, description: '`aud`; default: the URL of the sandbox' }),
    ),
    drill: Type.Optional(Drill),
  },
  { additionalProperties: false },
)
export type CiTokenRequest = Static<typeof CiTokenRequest>

export const CiToken = Type.Object(
  {
    token: text('ID token (JWT, RS256)'),
    issuer: text('`iss`, whose keys the sandbox serves'),
    claims: Type.Record(Type.String(), Type.Unknown(), { description: 'All claims' }),
  },
  { description: 'ID token of a CI job' },
)
export type CiToken = Static<typeof CiToken>

export const CiJobRequest = Type.Object(
  { provider: JobProvider, claims: Type.Optional(JobClaims), drill: Type.Optional(Drill) },
  { additionalProperties: false },
)
export type CiJobRequest = Static<typeof CiJobRequest>

export const CiJob = Type.Object(
  {
    issuer: text('Issuer of its ID tokens'),
    variables: Type.Record(Type.String(), Type.String(), {
      description: 'Environment variables that the provider sets',
    }),
    claims: Type.Record(Type.String(), Type.Unknown(), { description: 'Claims of the job' }),
    resources: Type.Array(Type.String(), {
      description: 'Repos and users with a trusted publisher that the claims match',
    }),
  },
  { description: 'Environment of a CI job' },
)
export type CiJob = Static<typeof CiJob>
