import { useMemo } from 'react'
import type { LiveEntry } from '../../../../server/contract/live.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useApps } from '../../../api/apps.ts'
import { useLiveHistory } from '../../../api/live-context.ts'
import { useWholeList } from '../../../api/query.ts'
import { useWebhookName } from '../../../api/webhooks.ts'
import { shorten } from '../../../lib/format.ts'
import { type EntryNames, isListed } from './describe-entry.ts'
import { mergeFacts } from './timeline-filter.ts'

/** Activity since the start or the last reset, newest first: read once, then kept current by the live feed. */
export function useTimeline(): readonly LiveEntry[] {
  const live = useLiveHistory()
  const older = useWholeList('GET facts').data?.items
  return useMemo(() => mergeFacts(live, (older ?? []).filter(isListed)), [live, older])
}

/** Lines are short; the linked page shows the whole name. */
const short = (name: string) => shorten(name, 28, 10)

export function useEntryNames(): EntryNames {
  const users = useUsers().data?.items
  const apps = useApps().data?.items
  const webhook = useWebhookName()
  const usernames = useMemo(
    () => new Map(users?.map(({ id, username }) => [id, username])),
    [users],
  )
  const appNames = useMemo(
    () => new Map(apps?.map(({ clientId, name }) => [clientId, name])),
    [apps],
  )
  return {
    user: (id) => short(usernames.get(id) ?? 'a user'),
    app: (clientId) => short(appNames.get(clientId) ?? 'an app'),
    webhook: (id) => short(webhook(id)),
  }
}
