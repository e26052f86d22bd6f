import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useApps } from '../api/apps.ts'
import { useWebhooks } from '../api/webhooks.ts'
import type { IconName } from '../components/icon.tsx'
import { Palette, type PaletteItem } from '../components/palette.tsx'
import { notifyFailure } from '../components/toast.tsx'
import { desktopBridge } from '../lib/desktop.ts'
import { chooseTheme } from '../lib/theme.ts'
import { navigation } from './destinations.ts'

interface CommandPaletteProps {
  close: () => void
  onTrigger: () => void
  onKeys: () => void
}

/** Every page, app and webhook, and what can be done from anywhere. */
export function CommandPalette({ close, onTrigger, onKeys }: CommandPaletteProps) {
  const [, navigate] = useLocation()
  const apps = useApps().data?.items
  const webhooks = useWebhooks().data?.items
  const groups = useMemo(() => {
    const go = (path: string) => () => {
      close()
      navigate(path)
    }
    const item = (
      id: string,
      label: string,
      icon: IconName,
      run: () => void,
      words = '',
    ): PaletteItem => ({ id, label, icon, words, run })
    const theme = (choice: 'system' | 'light' | 'dark', icon: IconName, label: string) =>
      item(`theme-${choice}`, label, icon, () => {
        chooseTheme(choice)
        close()
      })
    const desktop = desktopBridge()
    const ask = (what: string, answer: () => Promise<void>) => () => {
      close()
      answer().catch((error: unknown) => notifyFailure(what, error))
    }
    return [
      {
        title: 'Go to',
        items: navigation
          .flatMap((group) => group.items)
          .map(({ path, label, icon, words }) => item(path, label, icon, go(path), words)),
      },
      {
        title: 'Do',
        items: [
          item('trigger', 'Trigger an event…', 'trigger', onTrigger, 'webhook send cause'),
          item('keys', 'Keyboard shortcuts', 'keyboard', onKeys, 'help'),
          theme('light', 'sun', 'Light theme'),
          theme('dark', 'moon', 'Dark theme'),
          theme('system', 'screen', 'Theme as the system'),
        ],
      },
      {
        title: 'Desktop',
        items: desktop
          ? [
              item(
                'open-fixtures',
                'Open fixtures…',
                'external',
                ask('The fixtures could not be opened', () => desktop.openFixtures()),
                'file window hubsandbox',
              ),
              item(
                'data-folder',
                'Show data folder',
                'repo',
                ask('The data folder could not be shown', () => desktop.showDataFolder()),
                'state files finder explorer',
              ),
            ]
          : [],
      },
      {
        title: 'Apps',
        items: (apps ?? []).map(({ clientId, name }) =>
          item(clientId, name, 'app', go(`/apps/${encodeURIComponent(clientId)}`), clientId),
        ),
      },
      {
        title: 'Webhooks',
        items: (webhooks ?? []).map(({ id, name, target }) =>
          item(id, name ?? target, 'webhook', go(`/webhooks/${id}/activity`), target),
        ),
      },
    ].filter(({ items }) => items.length > 0)
  }, [apps, webhooks, close, navigate, onTrigger, onKeys])
  return (
    <Palette
      title="Go to a page, or do something"
      placeholder="Type a page, app, webhook or command"
      groups={groups}
      onClose={close}
    />
  )
}
