/** Texts that several places of this feature share. */
export const words = {
  // Page
  title: 'Trusted publishers',
  resource: 'Resource',
  claims: 'Claims',
  enabled: 'Enabled',
  add: 'Add publisher',
  example: 'npx --no hub-sandbox exec --ci github -- hf upload acme/tiny file.txt',

  // Dialog
  resourceHint:
    'acme/tiny, datasets/acme/corpus, spaces/acme/demo, buckets/acme/results or a username',
} as const
