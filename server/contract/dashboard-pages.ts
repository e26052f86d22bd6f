/** A thing that may hide its page until it is used, by its number in the counts of `GET overview`. */
export type UsedThing = 'publishers' | 'spaceFrames' | 'inferenceEndpoints' | 'scheduledJobs'

export interface DashboardPage {
  /** Below `/_sandbox`. */
  path: `/${string}`
  label: string
  icon: string
  /** Further search words for the palette. */
  words?: string
  /** Listed once the sandbox has one of these; until then behind "More…". */
  onceUsed?: UsedThing
}

/** A place of the dashboard: it leads to its first page, and lists the others beside it. */
export interface DashboardPlace {
  label: string
  icon: string
  pages: readonly [DashboardPage, ...DashboardPage[]]
}

/** The seven places of the dashboard with their pages, as listed in its navigation and the menu of the desktop app. */
export const dashboardPlaces = [
  {
    label: 'Home',
    icon: 'overview',
    pages: [
      { path: '/', label: 'Now', icon: 'overview', words: 'home overview first steps trigger' },
      {
        path: '/activity',
        label: 'Activity',
        icon: 'audit',
        words: 'timeline events history density',
      },
      {
        path: '/connect',
        label: 'Client settings',
        icon: 'connected',
        words: 'connect env environment variables issuer address version server',
      },
    ],
  },
  {
    label: 'Sign-ins',
    icon: 'flow',
    pages: [
      {
        path: '/sign-ins',
        label: 'Flows',
        icon: 'flow',
        words: 'sign-ins diagram watch theatre device exchange pkce',
      },
      {
        path: '/devices',
        label: 'Device codes',
        icon: 'screen',
        words: 'user code approve deny television',
      },
      { path: '/tokens', label: 'Tokens', icon: 'token', words: 'access mint revoke' },
      {
        path: '/consents',
        label: 'Consents',
        icon: 'connected',
        words: 'connected apps granted disconnect',
      },
    ],
  },
  {
    label: 'Webhooks',
    icon: 'webhook',
    pages: [
      {
        path: '/deliveries',
        label: 'Deliveries',
        icon: 'delivery',
        words: 'attempts replay retry',
      },
      {
        path: '/webhooks',
        label: 'Endpoints',
        icon: 'webhook',
        words: 'webhooks create hold quota receiver links',
      },
      { path: '/issues', label: 'Issues', icon: 'warning', words: 'failing webhooks suspended' },
      { path: '/jobs', label: 'Jobs', icon: 'job', words: 'runs logs' },
      {
        path: '/scheduled-jobs',
        label: 'Scheduled jobs',
        icon: 'clock',
        words: 'cron suspend resume run',
        onceUsed: 'scheduledJobs',
      },
    ],
  },
  {
    label: 'Apps',
    icon: 'app',
    pages: [
      {
        path: '/apps',
        label: 'All apps',
        icon: 'app',
        words: 'oauth clients register secret redirect',
      },
      {
        path: '/agents',
        label: 'MCP & agents',
        icon: 'agent',
        words:
          'client metadata document cimd coding agent editor cursor vscode claude tools scopes',
      },
      {
        path: '/publishers',
        label: 'Trusted publishers',
        icon: 'key',
        words: 'ci oidc id token github gitlab circleci bitbucket',
        onceUsed: 'publishers',
      },
      {
        path: '/space-frames',
        label: 'Space frames',
        icon: 'space',
        words: 'iframe cookies samesite partitioned chips third-party embed',
        onceUsed: 'spaceFrames',
      },
    ],
  },
  {
    label: 'Hub data',
    icon: 'repo',
    pages: [
      { path: '/repos', label: 'Repos', icon: 'repo', words: 'models datasets spaces buckets' },
      {
        path: '/people',
        label: 'Users & organizations',
        icon: 'people',
        words: 'accounts members roles',
      },
      {
        path: '/collections',
        label: 'Collections',
        icon: 'collection',
        words: 'items notes upvotes',
      },
      {
        path: '/inference',
        label: 'Inference',
        icon: 'model',
        words: 'chat completions embeddings models rules streamed openai log',
      },
      {
        path: '/endpoints',
        label: 'Inference endpoints',
        icon: 'endpoint',
        words: 'pause resume scale zero',
        onceUsed: 'inferenceEndpoints',
      },
      {
        path: '/audit-log',
        label: 'Audit log',
        icon: 'audit',
        words: 'organization token exchange granted refused',
      },
    ],
  },
  {
    label: 'Tests',
    icon: 'check',
    pages: [
      {
        path: '/findings',
        label: 'Findings',
        icon: 'check',
        words: 'checks advice mistakes rules security lint',
      },
      {
        path: '/experiments',
        label: 'Experiments',
        icon: 'eye',
        words: 'wrong responses verdict scorecard',
      },
      {
        path: '/faults',
        label: 'Faults',
        icon: 'warning',
        words: 'barriers hold slow error broken cut race',
      },
      {
        path: '/audits',
        label: 'Audits',
        icon: 'audit',
        words: 'app receiver storm conformance report modules',
      },
    ],
  },
  {
    label: 'Requests',
    icon: 'request',
    pages: [{ path: '/requests', label: 'Requests', icon: 'request', words: 'log errors har' }],
  },
] as const satisfies readonly DashboardPlace[]

/** At the foot of the navigation, and in no place. */
export const settingsPage = {
  path: '/settings',
  label: 'Snapshots & settings',
  icon: 'settings',
  words: 'clock keys reset restore',
} as const satisfies DashboardPage

/** All pages with a list or a content of their own, in order. */
export const everyDashboardPage: readonly DashboardPage[] = [
  ...dashboardPlaces.flatMap(({ pages }): readonly DashboardPage[] => pages),
  settingsPage,
]

/** Path prefixes of detail pages that have no list page. */
export const furtherPages = ['/snapshots'] as const

/** Former paths of pages; what follows in an address is kept. */
export const movedPages: ReadonlyMap<string, `/${string}`> = new Map([
  ['/overview', '/'],
  ['/checks', '/findings'],
  ['/connected', '/consents'],
])
