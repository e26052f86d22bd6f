/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  title: 'Trusted publishers',
  lead: 'CI jobs that exchange the ID token of their provider for a token of a repo or user.',
  name: 'Publisher',
  resource: 'Resource',
  claims: 'Claims',
  lastUsed: 'Last used',
  never: 'never',
  enabled: 'Enabled',
  add: 'Add publisher',
  actions: 'Actions',
  edit: 'Edit',
  editPublisher: (name: string) => `Edit publisher ${name}`,
  empty: 'No trusted publishers yet',
  emptyHint: 'Add one for a repo or user, then run a job:',
  example: 'npx --no hub-sandbox exec --ci github -- hf upload acme/tiny file.txt',
  command: 'command',

  // Dialog
  addTitle: 'Add trusted publisher',
  editTitle: (name: string) => `Trusted publisher ${name}`,
  save: 'Save',
  resourceHint:
    'acme/tiny, datasets/acme/corpus, spaces/acme/demo, buckets/acme/results or a username',
  nameLabel: 'Name',
  nameHint: 'Default: the project in the claims. The user “[OIDC] name” makes the commits.',
  provider: 'Provider',
  issuer: 'Issuer',
  issuerHint: 'https URL; leave empty for GitHub or gitlab.com',
  claimsHint: 'One name=value in each line; all must be equal',
  acceptedIssuers: (issuers: string) => `ID tokens of these issuers are accepted: ${issuers}`,
  wrongClaim: (line: string) => `“${line}” is not name=value`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove publisher ${name}?`,
  removePublisher: 'Remove publisher',
  removeConsequence: 'Its jobs get no new tokens, and their existing tokens are refused.',

  // Requests
  added: 'Publisher added',
  addFailed: 'Could not add the publisher',
  saved: 'Publisher saved',
  saveFailed: 'Could not save the publisher',
  removed: 'Publisher removed',
  removeFailed: 'Could not remove the publisher',
} as const
