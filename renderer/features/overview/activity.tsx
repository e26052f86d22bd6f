import { Link } from 'wouter'
import type { LiveEntry } from '../../../server/contract/live.ts'
import { useUsers } from '../../api/accounts.ts'
import { useApps } from '../../api/apps.ts'
import { useLiveHistory } from '../../api/live-history.ts'
import { useWebhookName } from '../../api/webhooks.ts'
import { toneText } from '../../components/badge.tsx'
import { Icon } from '../../components/icon.tsx'
import { Panel } from '../../components/page.tsx'
import { Ago } from '../../components/time.tsx'
import { formatCount, shorten } from '../../lib/format.ts'
import { activityLines } from './activity-lines.ts'
import type { EntryNames } from './describe-entry.ts'

const shown = 40

export function Activity() {
  const entries = useLiveHistory()
  const names = useNames()
  const lines = activityLines(entries, names, shown)
  return (
    <Panel title="Activity" lead="What happened lately, as it happens." flush>
      {lines.length === 0 ? (
        <p className="px-4 pt-2 pb-6 text-sm text-muted">
          Nothing yet. Sign in with an app, call the hub’s API, or cause an event.
        </p>
      ) : (
        <ol className="pb-2">
          {lines.map(({ entry, times, ...line }) => (
            <li key={entryKey(entry)} className="flex items-start gap-2.5 px-4 py-1.5 text-sm">
              <Icon name={line.icon} className={`mt-0.5 size-4 ${toneText[line.tone]}`} />
              <span className="min-w-0 flex-1 break-words">
                {line.href ? (
                  <Link href={line.href} className="hover:underline">
                    {line.text}
                  </Link>
                ) : (
                  line.text
                )}
                {times > 1 && <span className="text-muted"> {formatCount(times)} times</span>}
                {line.detail && (
                  <span className="block text-xs break-words text-muted">{line.detail}</span>
                )}
              </span>
              <span className="text-xs text-faint">
                <Ago time={entry.time} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function entryKey({ seq, type }: LiveEntry): string {
  return `${seq} ${type}`
}

/** A line is read at a glance; the place it leads to has the whole name. */
const short = (name: string) => shorten(name, 28, 10)

function useNames(): EntryNames {
  const users = useUsers().data?.items
  const apps = useApps().data?.items
  const webhook = useWebhookName()
  return {
    user: (id) => short(users?.find((user) => user.id === id)?.username ?? 'somebody'),
    app: (clientId) => short(apps?.find((app) => app.clientId === clientId)?.name ?? 'an app'),
    webhook: (id) => short(webhook(id)),
  }
}
