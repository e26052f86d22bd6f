import type { LiveEntry } from '../server/contract/live.ts'
import { everyDashboardPage } from '../server/contract/dashboard-pages.ts'
import type { ElectronApi } from './electron-api.ts'
import { plainLine } from './plain-text.ts'
import type { DesktopSettings, Notice } from './settings.ts'

/** What is told to the user of one or many facts. */
interface Told {
  title: string
  body: string
  /** Page of the dashboard, below `/_sandbox`, to which a click leads. */
  path: string
}

/** How one kind of fact is told. */
interface Telling {
  /** Undefined where the fact is another one. */
  one(entry: LiveEntry): Told | undefined
  many(count: number): Told
}

/** Within this time after a notification the others of its kind are counted and told as one. */
const quietMs = 10_000
/** How many may be there to be clicked on; the system takes older ones away by itself. */
const mostKept = 50
const longestText = 120

const devicesPath = everyDashboardPage.find(({ path }) => path === '/devices')?.path ?? '/'

const tellings: Readonly<Record<Notice, Telling>> = {
  failedDelivery: {
    one(entry) {
      if (entry.type !== 'delivery.failed') return undefined
      const { deliveryId, scope, action, repo, attempt, status, error } = entry.data
      const why = error?.message ?? (status === undefined ? '' : `The receiver answered ${status}.`)
      const tries = attempt === 1 ? 'once' : `${attempt} times`
      return {
        title: 'A delivery failed',
        body: `${scope}.${action} in ${repo}, tried ${tries}. ${why}`,
        path: `/deliveries/${deliveryId}`,
      }
    },
    many: (count) => ({
      title: `${count} more deliveries failed`,
      body: 'The Deliveries page has them.',
      path: '/deliveries?state=failed',
    }),
  },
  pendingDevice: {
    one(entry) {
      if (entry.type !== 'device.requested') return undefined
      return {
        title: 'A device waits to be allowed',
        body: `It shows the code ${entry.data.userCode}.`,
        path: devicesPath,
      }
    },
    many: (count) => ({
      title: `${count} more devices wait`,
      body: 'Each shows a code of its own.',
      path: devicesPath,
    }),
  },
  suspendedWebhook: {
    one(entry) {
      if (entry.type !== 'webhook.suspended') return undefined
      return {
        title: 'A webhook was suspended',
        body: `It gets nothing until it is enabled again. ${entry.data.reason}`,
        path: `/webhooks/${entry.data.webhookId}/activity`,
      }
    },
    many: (count) => ({
      title: `${count} more webhooks were suspended`,
      body: 'They get nothing until they are enabled again.',
      path: '/webhooks',
    }),
  },
}

export interface NotificationDeps {
  wanted: () => DesktopSettings['notify']
  goTo: (path: string) => void
}

/** Tells the user what happened while they look elsewhere, as much of it as they want to know. */
export interface Notifications {
  tell: (entries: readonly LiveEntry[]) => void
  /** Tells nothing any more. */
  stop: () => void
}

export function createNotifications(
  { Notification }: Pick<ElectronApi, 'Notification'>,
  { wanted, goTo }: NotificationDeps,
): Notifications {
  // One that nothing holds goes away with the garbage, and the click on it with it.
  const kept = new Set<object>()
  const quiet = new Map<Notice, { count: number; timer: NodeJS.Timeout }>()

  function show({ title, body, path }: Told): void {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title, body: withoutMarkup(body) })
    kept.add(notification)
    const [oldest] = kept
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    notification.on('click', () => goTo(path))
    notification.on('close', () => kept.delete(notification))
    notification.show()
  }

  function rest(notice: Notice): void {
    const timer = setTimeout(() => {
      const { count = 0 } = quiet.get(notice) ?? {}
      quiet.delete(notice)
      if (count === 0 || !wanted()[notice]) return
      show(tellings[notice].many(count))
      rest(notice)
    }, quietMs)
    timer.unref()
    quiet.set(notice, { count: 0, timer })
  }

  function tellOne(notice: Notice, entry: LiveEntry): void {
    const told = tellings[notice].one(entry)
    if (told === undefined || !wanted()[notice]) return
    const silence = quiet.get(notice)
    if (silence !== undefined) {
      silence.count += 1
      return
    }
    show(told)
    rest(notice)
  }

  return {
    tell(entries) {
      for (const entry of entries) {
        for (const notice of Object.keys(tellings) as Notice[]) tellOne(notice, entry)
      }
    },
    stop() {
      for (const { timer } of quiet.values()) clearTimeout(timer)
      quiet.clear()
    },
  }
}

/** Linux's notifications take angle brackets and ampersands for markup. */
function withoutMarkup(text: string): string {
  return plainLine(text, longestText)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆')
}
