import type { Notification } from 'electron'
import type { LiveEntry } from '../server/contract/live.ts'
import { everyDashboardPage } from '../server/contract/dashboard-pages.ts'
import type { ElectronApi } from './electron-api.ts'
import { plainLine } from './plain-text.ts'
import type { DesktopSettings, Notice } from './settings.ts'

/** Text of a notification about one or several events. */
interface NoticeText {
  title: string
  body: string
  /** Page of the dashboard, below `/_sandbox`, to which a click leads. */
  path: string
}

/** Notification texts of one kind of event. */
interface NoticeTexts {
  /** Returns undefined for other kinds of events. */
  one(entry: LiveEntry): NoticeText | undefined
  many(count: number): NoticeText
}

/** Interval in which further notifications of a kind are combined into one. */
const quietMs = 10_000
/** Number of notifications kept for clicks; the system removes older ones. */
const mostKept = 50
const longestText = 120

const devicesPath = everyDashboardPage.find(({ path }) => path === '/devices')?.path ?? '/'

const noticeTexts: Readonly<Record<Notice, NoticeTexts>> = {
  failedDelivery: {
    one(entry) {
      if (entry.type !== 'delivery.failed') return undefined
      const { deliveryId, scope, action, repo, attempt, status, error } = entry.data
      const why = error?.message ?? (status === undefined ? '' : `The receiver returned ${status}.`)
      const tries = attempt === 1 ? 'once' : `${attempt} times`
      return {
        title: 'A delivery failed',
        body: `${scope}.${action} in ${repo}, attempted ${tries}. ${why}`,
        path: `/deliveries/${deliveryId}`,
      }
    },
    many: (count) => ({
      title: `${count} more deliveries failed`,
      body: 'See the Deliveries page.',
      path: '/deliveries?state=failed',
    }),
  },
  pendingDevice: {
    one(entry) {
      if (entry.type !== 'device.requested') return undefined
      return {
        title: 'A device is waiting for approval',
        body: `Code: ${entry.data.userCode}`,
        path: devicesPath,
      }
    },
    many: (count) => ({
      title: `${count} more devices are waiting`,
      body: 'See the Device codes page.',
      path: devicesPath,
    }),
  },
  suspendedWebhook: {
    one(entry) {
      if (entry.type !== 'webhook.suspended') return undefined
      return {
        title: 'A webhook was suspended',
        body: `It receives no deliveries until you enable it. ${entry.data.reason}`,
        path: `/webhooks/${entry.data.webhookId}/activity`,
      }
    },
    many: (count) => ({
      title: `${count} more webhooks were suspended`,
      body: 'They receive no deliveries until you enable them.',
      path: '/webhooks',
    }),
  },
}

export interface NotificationDeps {
  wanted: () => DesktopSettings['notify']
  goTo: (path: string) => void
}

/** Notifies the user about enabled kinds of events while the app is in the background. */
export interface Notifications {
  receive: (entries: readonly LiveEntry[]) => void
  /** Stops all notifications. */
  stop: () => void
}

export function createNotifications(
  { Notification: SystemNotification }: Pick<ElectronApi, 'Notification'>,
  { wanted, goTo }: NotificationDeps,
): Notifications {
  // Keeps a reference: otherwise the notification and its click handler would be garbage-collected.
  const kept = new Set<Notification>()
  const quiet = new Map<Notice, { count: number; timer: NodeJS.Timeout }>()

  function show({ title, body, path }: NoticeText): void {
    if (!SystemNotification.isSupported()) return
    const notification = new SystemNotification({ title, body: withoutMarkup(body) })
    kept.add(notification)
    const [oldest] = kept
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    notification.on('click', () => goTo(path))
    // Kept when it closes: Windows moves it to its list of notifications, where it can be clicked.
    notification.show()
  }

  function rest(notice: Notice): void {
    const timer = setTimeout(() => {
      const { count = 0 } = quiet.get(notice) ?? {}
      quiet.delete(notice)
      if (count === 0 || !wanted()[notice]) return
      show(noticeTexts[notice].many(count))
      rest(notice)
    }, quietMs)
    timer.unref()
    quiet.set(notice, { count: 0, timer })
  }

  function notifyOne(notice: Notice, entry: LiveEntry): void {
    const text = noticeTexts[notice].one(entry)
    if (text === undefined || !wanted()[notice]) return
    const silence = quiet.get(notice)
    if (silence !== undefined) {
      silence.count += 1
      return
    }
    show(text)
    rest(notice)
  }

  return {
    receive(entries) {
      for (const entry of entries) {
        for (const notice of Object.keys(noticeTexts) as Notice[]) notifyOne(notice, entry)
      }
    },
    stop() {
      for (const { timer } of quiet.values()) clearTimeout(timer)
      quiet.clear()
      // Without the app, a click on one would open no page.
      for (const notification of kept) notification.close()
      kept.clear()
    },
  }
}

/** Escapes markup for notifications on Linux. */
function withoutMarkup(text: string): string {
  return plainLine(text, longestText)
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('&', '＆')
}
