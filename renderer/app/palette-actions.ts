import { apiAddress, callApi } from '../api/client.ts'
import { kindWords } from '../features/demos/words.ts'
import { replayFailed } from '../api/issues.ts'
import { readWholeList } from '../api/query.ts'
import { preferredRepo } from '../lib/preferred-repo.ts'
import { repoAddress } from '../lib/repo-address.ts'
import { notifyTrigger } from '../shared/notify-trigger.ts'
import { namesOfWebhooks } from '../../server/contract/webhook-name.ts'
import { copyText } from '../ui/copy.tsx'
import { demoKinds } from '../../server/contract/words/sandbox-words.ts'
import { saveExport } from '../shared/export-link.tsx'
import type { PaletteGroup, PaletteItem } from '../ui/palette.tsx'
import { notify, notifyFailure } from '../ui/toast.tsx'
import { desktopBridge } from '../lib/desktop.ts'
import { chooseTheme } from '../lib/theme.ts'
import type { IconName } from '../ui/icon.tsx'
import { everyPage } from './destinations.ts'
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
      act('Could not change the clock', label, () => moveClock(body)),
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
      title: 'Go to',
      items: everyPage.map(({ path, label, icon, words = '' }) =>
        visit(path, label, icon, path, words),
      ),
    },
    {
      title: 'Commands',
      items: [
        item(
          'push',
          'Push a commit',
          'trigger',
          act('Could not push', '', pushCommit),
          'webhook trigger event repo content',
        ),
        item(
          'mint',
          'Mint a token and copy it',
          'token',
          act('Could not create a token', '', mintToken),
          'create access',
        ),
        item('trigger', 'Trigger an event…', 'trigger', onTrigger, 'webhook send cause'),
        visit('webhook-new', 'Create a webhook…', 'plus', '/webhooks?new', 'add receiver'),
        visit('app-new', 'Register an app…', 'plus', '/apps?new', 'add client oauth'),
        visit('token-new', 'Create a token…', 'token', '/tokens?new', 'access'),
        visit('repo-new', 'Create a repo…', 'repo', '/repos?new', 'add model dataset space bucket'),
        visit(
          'collection-new',
          'Create a collection…',
          'collection',
          '/collections?new',
          'add items',
        ),
        visit(
          'endpoint-new',
          'Create an inference endpoint…',
          'endpoint',
          '/endpoints?new',
          'add inference model',
        ),
        visit('schedule-new', 'Schedule a job…', 'clock', '/scheduled-jobs?new', 'add cron job'),
        item(
          'replay-failed',
          'Replay failed deliveries',
          'retry',
          act('Could not replay the deliveries', '', async () => {
            const { succeeded, failed, refused } = await replayFailed()
            notify(`${succeeded} succeeded, ${failed + refused} failed`)
          }),
          'deliveries webhook again',
        ),
        visit(
          'present',
          'Present the newest sign-in',
          'screen',
          '/sign-ins?present',
          'audience full screen',
        ),
        item('keys', words.keyboardShortcuts, 'keyboard', onKeys, 'help'),
      ],
    },
    {
      title: 'Demos',
      items: demoKinds.map((kind) =>
        item(
          `demo-${kind}`,
          kindWords[kind].title,
          'play',
          act('Could not start the demo', '', async () => {
            const { flowId = '', deliveryId } = await callApi('POST demos', { body: { kind } })
            if (deliveryId !== undefined) go(`/deliveries/${deliveryId}`)
            else go(`/sign-ins${flowId && `/${encodeURIComponent(flowId)}`}`)
          }),
          'demo run play',
        ),
      ),
    },
    {
      title: 'Clock',
      items: [
        clock('Advance the clock by 1 hour', { advance: '1h' }, 'forward expire'),
        clock('Advance the clock by 8 hours', { advance: '8h' }, 'forward expire +8h'),
        clock('Advance the clock by 1 day', { advance: '1d' }, 'forward expire'),
        clock('Freeze the clock', { frozen: true }, 'stop'),
        clock('Resume the clock', { frozen: false }, 'unfreeze'),
        clock('Run all due retries', { untilIdle: true }, 'idle deliveries'),
        clock('Set the clock back to real time', { set: new Date().toISOString() }, 'now reset'),
      ],
    },
    {
      title: words.faults,
      items: [
        visit('fault-new', 'Add fault…', 'warning', '/faults?new', 'break slow error barrier'),
        item(
          'faults-none',
          'Remove all faults',
          'trash',
          act('Could not remove the faults', 'All faults removed', () => callApi('DELETE faults')),
          'heal clear',
        ),
      ],
    },
    {
      title: 'State',
      items: [
        item(
          'snapshot-keep',
          'Save a snapshot',
          'camera',
          act('Could not save the snapshot', '', async () => {
            const { name } = await callApi('POST snapshots')
            notify(`Snapshot ${name} saved`)
          }),
          'save state',
        ),
        visit('reset', 'Reset to the fixtures…', 'retry', '/settings?reset', 'clear start over'),
        visit('snapshots', 'Restore a snapshot…', 'retry', '/settings', 'back state reset'),
        item('export', 'Export as fixtures', 'download', () => {
          close()
          saveExport(apiAddress('GET export'), 'hub-sandbox.json')
        }),
        item('export-log', 'Export with log', 'download', () => {
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
      title: words.theme,
      items: [
        theme('light', 'sun', 'Light theme'),
        theme('dark', 'moon', 'Dark theme'),
        theme('system', 'screen', 'System theme'),
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
              act('Could not open the fixtures', '', () => desktop.openFixtures()),
              'file window hubsandbox',
            ),
            item(
              'data-folder',
              'Show data folder',
              'repo',
              act('Could not show the data folder', '', () => desktop.showDataFolder()),
              'state files finder explorer',
            ),
          ]
        : [],
    },
  ]
}

/** Pushes to the repo that the buttons of Home use, and says who received it. */
async function pushCommit(): Promise<void> {
  const { items: repos } = await readWholeList('GET repos')
  const { items: webhooks } = await readWholeList('GET webhooks')
  const repo = preferredRepo(repos, webhooks)
  if (repo === undefined) throw new Error('The sandbox has no repo. Create one first.')
  const result = await callApi('POST events', {
    body: { event: 'repo.content', kind: 'push', repo: repoAddress(repo) },
  })
  const names = namesOfWebhooks(webhooks)
  notifyTrigger(`Commit pushed to ${repo.name}`, result, (id) => names.get(id) ?? id)
}

/** Creates a token of the first user. */
async function mintToken(): Promise<void> {
  const [user] = (await callApi('GET users', { query: { limit: 1 } })).items
  if (user === undefined) throw new Error('The sandbox has no user. Create one first.')
  const { access_token: token } = await callApi('POST tokens', {
    body: { user: user.username },
  })
  await copyText(token, `Token of ${user.username}`)
}

const moveClock = (body: Parameters<typeof callApi<'POST clock'>>[1]['body']) =>
  callApi('POST clock', { body })

function download(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
