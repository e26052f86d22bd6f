import { apiAddress, callApi } from '../api/client.ts'
import { kindWords } from '../features/demos/words.ts'
import { replayFailed } from '../api/issues.ts'
import { demoKinds } from '../../server/contract/words/sandbox.ts'
import { saveExport } from '../shared/export-link.tsx'
import type { PaletteGroup, PaletteItem } from '../ui/palette.tsx'
import { notify, notifyFailure } from '../ui/toast.tsx'
import { desktopBridge } from '../lib/desktop.ts'
import { chooseTheme } from '../lib/theme.ts'
import type { IconName } from '../ui/icon.tsx'
import { navigation } from './destinations.ts'
import { words } from './words.ts'

export interface PaletteWays {
  close: () => void
  go: (path: string) => void
  onTrigger: () => void
  onKeys: () => void
}

/** Pages and commands of the palette. */
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
  /** Closes the palette, runs the call and reports its result. */
  const act = (failed: string, done: string, call: () => Promise<unknown>) => () => {
    close()
    async function report(): Promise<void> {
      await call()
      if (done !== '') notify(done)
    }
    report().catch((error: unknown) => notifyFailure(failed, error))
  }
  const clock = (label: string, body: Parameters<typeof moveClock>[0], terms = '') =>
    item(
      `clock ${label}`,
      label,
      'clock',
      act(words.clockFailed, label, () => moveClock(body)),
      `clock time ${terms}`,
    )
  const theme = (choice: 'system' | 'light' | 'dark', icon: IconName, label: string) =>
    item(`theme-${choice}`, label, icon, () => {
      chooseTheme(choice)
      close()
    })
  const desktop = desktopBridge()
  return [
    {
      title: words.goTo,
      items: navigation
        .flatMap((group) => group.items)
        .map(({ path, label, icon, words = '' }) => visit(path, label, icon, path, words)),
    },
    {
      title: words.commands,
      items: [
        item('trigger', words.triggerAnEvent, 'trigger', onTrigger, 'webhook send cause'),
        visit('webhook-new', words.createAWebhook, 'plus', '/webhooks?new', 'add receiver'),
        visit('app-new', words.registerAnApp, 'plus', '/apps?new', 'add client oauth'),
        visit('token-new', words.createAToken, 'token', '/tokens?new', 'mint access'),
        visit(
          'repo-new',
          words.createARepo,
          'repo',
          '/repos?new',
          'add model dataset space bucket',
        ),
        visit(
          'collection-new',
          words.createACollection,
          'collection',
          '/collections?new',
          'add items',
        ),
        visit(
          'endpoint-new',
          words.createAnEndpoint,
          'endpoint',
          '/endpoints?new',
          'add inference model',
        ),
        visit('schedule-new', words.scheduleAJob, 'clock', '/scheduled-jobs?new', 'add cron job'),
        item(
          'replay-failed',
          words.replayFailed,
          'retry',
          act(words.replayNotDone, '', async () => {
            const { succeeded, failed, refused } = await replayFailed()
            notify(words.replayed(succeeded, failed + refused))
          }),
          'deliveries webhook again',
        ),
        visit(
          'present',
          words.presentSignIn,
          'screen',
          '/sign-ins?present',
          'audience full screen',
        ),
        item('keys', words.keyboardShortcuts, 'keyboard', onKeys, 'help'),
      ],
    },
    {
      title: words.demos,
      items: demoKinds.map((kind) =>
        item(
          `demo-${kind}`,
          kindWords[kind].title,
          'play',
          act(words.demoNotStarted, '', async () => {
            const { flowId = '', deliveryId } = await callApi('POST demos', { body: { kind } })
            if (deliveryId !== undefined) go(`/deliveries/${deliveryId}`)
            else go(`/sign-ins${flowId && `/${encodeURIComponent(flowId)}`}`)
          }),
          'demo run play',
        ),
      ),
    },
    {
      title: words.clock,
      items: [
        clock(words.advanceOneHour, { advance: '1h' }, 'forward expire'),
        clock(words.advanceEightHours, { advance: '8h' }, 'forward expire +8h'),
        clock(words.advanceOneDay, { advance: '1d' }, 'forward expire'),
        clock(words.freezeTheClock, { frozen: true }, 'stop'),
        clock(words.resumeClock, { frozen: false }, 'unfreeze'),
        clock(words.runAllDueRetries, { untilIdle: true }, 'idle deliveries'),
        clock(words.setTheClockBackTo, { set: new Date().toISOString() }, 'now reset'),
      ],
    },
    {
      title: words.faults,
      items: [
        visit('fault-new', words.addFault, 'warning', '/faults?new', 'break slow error barrier'),
        item(
          'faults-none',
          words.removeAllFaults,
          'trash',
          act(words.faultsNotRemoved, words.allFaultsRemoved, () => callApi('DELETE faults')),
          'heal clear',
        ),
      ],
    },
    {
      title: words.state,
      items: [
        item(
          'snapshot-keep',
          words.saveSnapshot,
          'camera',
          act(words.snapshotNotSaved, '', async () => {
            const { name } = await callApi('POST snapshots')
            notify(words.snapshotSaved(name))
          }),
          'save state',
        ),
        visit('reset', words.resetToFixtures, 'retry', '/settings?reset', 'clear start over'),
        visit('snapshots', words.restoreASnapshot, 'retry', '/settings', 'back state reset'),
        item('export', words.exportAsFixtures, 'download', () => {
          close()
          saveExport(apiAddress('GET export'), 'hub-sandbox.json')
        }),
        item('export-log', words.exportWithLog, 'download', () => {
          close()
          saveExport(apiAddress('GET export', { query: { log: '1' } }), 'run.hubsandbox')
        }),
        item('har', words.exportRequestsAsHar, 'download', () => {
          close()
          download(apiAddress('GET requests.har'), 'hub-sandbox.har')
        }),
      ],
    },
    {
      title: words.theme,
      items: [
        theme('light', 'sun', words.lightTheme),
        theme('dark', 'moon', words.darkTheme),
        theme('system', 'screen', words.systemTheme),
      ],
    },
    {
      title: words.desktop,
      items: desktop
        ? [
            item(
              'open-fixtures',
              words.openFixtures,
              'external',
              act(words.fixturesNotOpened, '', () => desktop.openFixtures()),
              'file window hubsandbox',
            ),
            item(
              'data-folder',
              words.showDataFolder,
              'repo',
              act(words.folderNotShown, '', () => desktop.showDataFolder()),
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
