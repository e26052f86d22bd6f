import { apiAddress, callApi } from '../api/client.ts'
import { saveExport } from '../shared/export-link.tsx'
import type { PaletteGroup, PaletteItem } from '../ui/palette.tsx'
import { notify, notifyFailure } from '../ui/toast.tsx'
import { desktopBridge } from '../lib/desktop.ts'
import { chooseTheme } from '../lib/theme.ts'
import type { IconName } from '../ui/icon.tsx'
import { navigation } from './destinations.ts'

export interface PaletteWays {
  close: () => void
  go: (path: string) => void
  onTrigger: () => void
  onKeys: () => void
}

/** Every page, and what can be done from anywhere. */
export function actionGroups({ close, go, onTrigger, onKeys }: PaletteWays): PaletteGroup[] {
  const item = (
    id: string,
    label: string,
    icon: IconName,
    run: () => void,
    words = '',
  ): PaletteItem => ({ id, label, icon, words, run })
  const visit = (id: string, label: string, icon: IconName, path: string, words = '') =>
    item(id, label, icon, () => go(path), words)
  /** Closes, does it, and says so. */
  const act = (failed: string, done: string, call: () => Promise<unknown>) => () => {
    close()
    async function tell(): Promise<void> {
      await call()
      if (done !== '') notify(done)
    }
    tell().catch((error: unknown) => notifyFailure(failed, error))
  }
  const clock = (label: string, body: Parameters<typeof moveClock>[0], words = '') =>
    item(
      `clock ${label}`,
      label,
      'clock',
      act('The clock could not be moved', label, () => moveClock(body)),
      `clock time ${words}`,
    )
  const theme = (choice: 'system' | 'light' | 'dark', icon: IconName, label: string) =>
    item(`theme-${choice}`, label, icon, () => {
      chooseTheme(choice)
      close()
    })
  const desktop = desktopBridge()
  return [
    {
      title: 'Go to',
      items: navigation
        .flatMap((group) => group.items)
        .map(({ path, label, icon, words = '' }) => visit(path, label, icon, path, words)),
    },
    {
      title: 'Do',
      items: [
        item('trigger', 'Trigger an event…', 'trigger', onTrigger, 'webhook send cause'),
        visit('webhook-new', 'Create a webhook…', 'plus', '/webhooks?new', 'add receiver'),
        visit('app-new', 'Register an app…', 'plus', '/apps?new', 'add client oauth'),
        item('keys', 'Keyboard shortcuts', 'keyboard', onKeys, 'help'),
      ],
    },
    {
      title: 'Clock',
      items: [
        clock('Advance the clock by 1 hour', { advance: '1h' }, 'forward expire'),
        clock('Advance the clock by 1 day', { advance: '1d' }, 'forward expire'),
        clock('Freeze the clock', { frozen: true }, 'stop'),
        clock('Let the clock run', { frozen: false }, 'unfreeze'),
        clock('Run all due retries', { untilIdle: true }, 'idle deliveries'),
        clock('Set the clock back to real time', { set: new Date().toISOString() }, 'now reset'),
      ],
    },
    {
      title: 'Faults',
      items: [
        visit('fault-new', 'Add a fault…', 'warning', '/faults?new', 'break slow error barrier'),
        item(
          'faults-none',
          'Remove all faults',
          'trash',
          act('The faults could not be removed', 'All faults removed', () =>
            callApi('DELETE faults'),
          ),
          'heal clear',
        ),
      ],
    },
    {
      title: 'State',
      items: [
        item(
          'snapshot-keep',
          'Keep a snapshot',
          'camera',
          act('The snapshot could not be kept', '', async () => {
            const { name } = await callApi('POST snapshots')
            notify(`Snapshot ${name} kept`)
          }),
          'save state',
        ),
        visit('snapshots', 'Restore a snapshot…', 'retry', '/settings', 'back state reset'),
        item('export', 'Export as fixtures', 'download', () => {
          close()
          saveExport(apiAddress('GET export'), 'hub-sandbox.json')
        }),
        item('export-log', 'Export with what happened', 'download', () => {
          close()
          saveExport(apiAddress('GET export', { query: { log: '1' } }), 'run.hubsandbox')
        }),
        item('har', 'Export requests as HAR', 'download', () => {
          close()
          download(apiAddress('GET requests.har'), 'hub-sandbox.har')
        }),
      ],
    },
    {
      title: 'Theme',
      items: [
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
              act('The fixtures could not be opened', '', () => desktop.openFixtures()),
              'file window hubsandbox',
            ),
            item(
              'data-folder',
              'Show data folder',
              'repo',
              act('The data folder could not be shown', '', () => desktop.showDataFolder()),
              'state files finder explorer',
            ),
          ]
        : [],
    },
  ]
}

const moveClock = (body: Parameters<typeof callApi<'POST clock'>>[1]['body']) =>
  callApi('POST clock', { body })

function download(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
