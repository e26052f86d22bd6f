// Words of CI identity: providers whose ID tokens the hub exchanges (trusted publishers).

/** CI providers that the sandbox can act as, and `custom` for any other OpenID Connect issuer. */
export const ciProviders = ['github', 'gitlab', 'circleci', 'bitbucket'] as const
export type CiProvider = (typeof ciProviders)[number]
export const publisherProviders = [...ciProviders, 'custom'] as const
export type PublisherProvider = (typeof publisherProviders)[number]

/** Mistakes that the sandbox makes on request in the ID tokens it mints. */
export const ciDrills = ['wrong-audience', 'expired', 'wrong-ref', 'unknown-key', 'replay'] as const
export type CiDrill = (typeof ciDrills)[number]

/** Mistakes of the drills, for people. */
export const ciDrillNames: Readonly<Record<CiDrill, string>> = {
  'wrong-audience': 'wrong audience',
  expired: 'expired',
  'wrong-ref': 'wrong ref',
  'unknown-key': 'unknown signing key',
  replay: 'exchanged before',
}

/** Claim with the branch of a job. */
export const refClaims: Readonly<Record<CiProvider, string>> = {
  github: 'ref',
  gitlab: 'ref',
  circleci: 'oidc.circleci.com/vcs-ref',
  bitbucket: 'branchName',
}

/** Names of the providers for people. */
export const ciProviderNames: Readonly<Record<PublisherProvider, string>> = {
  github: 'GitHub Actions',
  gitlab: 'GitLab CI',
  circleci: 'CircleCI',
  bitbucket: 'Bitbucket Pipelines',
  custom: 'another issuer',
}

/** Issuers that are the same for every project; others are part of the publisher. */
export const publicIssuers: Readonly<Partial<Record<PublisherProvider, string>>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
}

/** Claim that names the project of a job, the least that a publisher should require. */
export const projectClaims: Readonly<Record<CiProvider, string>> = {
  github: 'repository',
  gitlab: 'project_path',
  circleci: 'oidc.circleci.com/project-id',
  bitbucket: 'repositoryUuid',
}

/** `subject_token_type` of an ID token (RFC 8693 §3). */
export const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'

/** Lifetime of a token from CI identity, in seconds. */
export const ciTokenSeconds = 3600
