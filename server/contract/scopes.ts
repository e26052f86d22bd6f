export interface ScopeDescription {
  /** Text on the consent page after "It will be able to". */
  readonly allows: string
  /** Valid, but listed nowhere. */
  readonly hidden?: true
  /** Whether the scope also applies to organizations that the user selects. */
  readonly organizations?: true
}

/** Every scope of the hub, in the order in which the consent page lists them. */
export const scopes = {
  openid: { allows: 'Know who you are (an ID token)' },
  profile: { allows: 'Read your profile: username, full name and avatar' },
  email: { allows: 'Read your e-mail address' },
  'read-memberships': {
    allows: 'See which organizations you belong to and your role in each',
  },
  'read-billing': { allows: 'Know whether you have a payment method set up', organizations: true },
  'gated-repos': { allows: 'Read public gated repos you were granted access to' },
  'read-repos': { allows: 'Read your repos, private ones too', organizations: true },
  'contribute-repos': {
    allows: 'Create repos, and read and write those it created',
    organizations: true,
  },
  'write-repos': { allows: 'Read and write your repos', organizations: true },
  'manage-repos': {
    allows: 'Fully manage your repos: create, change settings, delete',
    organizations: true,
  },
  'read-collections': { allows: 'Read your collections, private ones too', organizations: true },
  'write-collections': {
    allows: 'Create, change and delete your collections',
    organizations: true,
  },
  'write-discussions': {
    allows: 'Open discussions and pull requests as you, comment, react and close them',
    organizations: true,
  },
  'inference-api': { allows: 'Make inference requests on your behalf', organizations: true },
  'read-endpoints': { allows: 'See your inference endpoints and call them', organizations: true },
  'write-endpoints': { allows: 'Manage your inference endpoints', organizations: true },
  jobs: { allows: 'Run jobs', organizations: true },
  webhooks: { allows: 'Manage your webhooks' },
  'read-mcp': { allows: 'Read your MCP tools', hidden: true },
  'read-network-security': {
    allows: 'Read network security settings',
    hidden: true,
    organizations: true,
  },
  'write-network-security': {
    allows: 'Change network security settings',
    hidden: true,
    organizations: true,
  },
} as const satisfies Record<string, ScopeDescription>

export type Scope = keyof typeof scopes

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name)
}

/** Default scopes of an app: those for a sign-in. */
export const signInScopes: readonly Scope[] = ['openid', 'profile']

/** Scopes that the Hub's documentation lists: the metadata offers them. */
export const documentedScopes: readonly Scope[] = (Object.keys(scopes) as Scope[]).filter(
  (name) => !('hidden' in scopes[name]),
)

/** Scopes that the Hub publishes for its MCP server, in its order (RFC 9728 §2, `scopes_supported`). */
export const mcpScopes: readonly Scope[] = [
  'openid',
  'profile',
  'read-mcp',
  'read-repos',
  'jobs',
  'contribute-repos',
  'inference-api',
]

/** Scopes that a client may request if its registration or metadata document names none: all that are published. */
export const publishedScopes: readonly Scope[] = [...new Set([...documentedScopes, ...mcpScopes])]
