export interface DashboardPage {
  /** Below `/_sandbox`. */
  path: `/${string}`
  label: string
  icon: string
  /** Further search words for the palette. */
  words?: string
}

/** Pages of the dashboard, as listed in its navigation, its palette and the menu of the desktop app. */
export const dashboardPages = [
  { items: [{ path: '/', label: 'Overview', icon: 'overview', words: 'home env activity' }] },
  {
    title: 'Sign-in',
    items: [
      {
        path: '/sign-ins',
        label: 'Sign-ins',
        icon: 'flow',
        words: 'flows diagram watch theatre device exchange pkce',
      },
      { path: '/tokens', label: 'Tokens', icon: 'token', words: 'access mint revoke' },
      {
        path: '/devices',
        label: 'Device codes',
        icon: 'screen',
        words: 'user code approve deny television',
      },
      {
        path: '/apps',
        label: 'Apps',
        icon: 'app',
        words: 'oauth clients register secret redirect',
      },
      {
        path: '/publishers',
        label: 'Trusted publishers',
        icon: 'key',
        words: 'ci oidc id token github gitlab circleci bitbucket',
      },
      {
        path: '/agents',
        label: 'MCP & agents',
        icon: 'agent',
        words:
          'client metadata document cimd coding agent editor cursor vscode claude tools scopes',
      },
      {
        path: '/space-frames',
        label: 'Space frames',
        icon: 'space',
        words: 'iframe cookies samesite partitioned chips third-party embed',
      },
      { path: '/connected', label: 'Connected apps', icon: 'connected', words: 'consent granted' },
      {
        path: '/requests',
        label: 'Requests',
        icon: 'request',
        words: 'log errors har',
      },
    ],
  },
  {
    title: 'Webhooks',
    items: [
      {
        path: '/deliveries',
        label: 'Deliveries',
        icon: 'delivery',
        words: 'attempts replay retry',
      },
      { path: '/webhooks', label: 'Webhooks', icon: 'webhook', words: 'create hold quota' },
      { path: '/jobs', label: 'Jobs', icon: 'job', words: 'runs logs' },
      {
        path: '/scheduled-jobs',
        label: 'Scheduled jobs',
        icon: 'clock',
        words: 'cron suspend resume run',
      },
    ],
  },
  {
    title: 'Hub',
    items: [
      {
        path: '/people',
        label: 'Users & organizations',
        icon: 'people',
        words: 'accounts members roles',
      },
      {
        path: '/audit-log',
        label: 'Audit log',
        icon: 'audit',
        words: 'organization token exchange granted refused',
      },
      { path: '/repos', label: 'Repos', icon: 'repo', words: 'models datasets spaces' },
      {
        path: '/collections',
        label: 'Collections',
        icon: 'collection',
        words: 'items notes upvotes',
      },
      {
        path: '/inference',
        label: 'Inference log',
        icon: 'model',
        words: 'chat completions embeddings models rules streamed openai',
      },
      {
        path: '/endpoints',
        label: 'Inference endpoints',
        icon: 'endpoint',
        words: 'pause resume scale zero',
      },
    ],
  },
  {
    title: 'Sandbox',
    items: [
      {
        path: '/checks',
        label: 'Checks',
        icon: 'check',
        words: 'advice mistakes findings rules security lint',
      },
      {
        path: '/faults',
        label: 'Faults',
        icon: 'warning',
        words: 'barriers hold slow error broken cut race',
      },
      {
        path: '/settings',
        label: 'Settings',
        icon: 'settings',
        words: 'clock snapshots keys reset',
      },
    ],
  },
] as const satisfies readonly { title?: string; items: readonly DashboardPage[] }[]

/** Path of one of the pages. */

/** All of them, in order. */
export const everyDashboardPage: readonly DashboardPage[] = dashboardPages.flatMap(
  ({ items }): readonly DashboardPage[] => items,
)

/** Path prefixes of detail pages that have no list page. */
export const furtherPages = ['/snapshots'] as const

/** Pages that other pages link to, and that no menu lists. */
export const linkedPages = ['/issues'] as const
