import type { IconName } from '../components/icon.tsx'

export interface Destination {
  path: string
  label: string
  icon: IconName
  /** Further words by which the palette finds it. */
  words?: string
}

export const navigation: readonly { title?: string; items: readonly Destination[] }[] = [
  { items: [{ path: '/', label: 'Overview', icon: 'overview', words: 'home env activity' }] },
  {
    title: 'Sign-in',
    items: [
      { path: '/tokens', label: 'Tokens', icon: 'token', words: 'access mint revoke' },
      {
        path: '/apps',
        label: 'Apps',
        icon: 'app',
        words: 'oauth clients register secret redirect',
      },
      { path: '/connected', label: 'Connected apps', icon: 'connected', words: 'consent granted' },
      {
        path: '/requests',
        label: 'Requests',
        icon: 'request',
        words: 'log errors sign-ins flows har',
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
    ],
  },
  {
    title: 'Hub',
    items: [
      {
        path: '/people',
        label: 'Users & organizations',
        icon: 'people',
        words: 'accounts members roles audit log',
      },
      { path: '/repos', label: 'Repos', icon: 'repo', words: 'models datasets spaces' },
    ],
  },
  {
    items: [
      {
        path: '/settings',
        label: 'Settings',
        icon: 'settings',
        words: 'clock faults barriers snapshots keys reset',
      },
    ],
  },
]
