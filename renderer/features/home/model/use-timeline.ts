import { useMemo } from 'react'
import type { LiveEntry } from '../../../../server/contract/live.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useApps } from '../../../api/apps.ts'
import { useLiveHistory } from '../../../api/live-context.ts'
import { useOverview } from '../../../api/overview.ts'
import { useWholeList } from '../../../api/query.ts'
import { useWebhookName, useWebhookNames } from '../../../api/webhooks.ts'
import { shorten } from '../../../lib/format.ts'
import type { LoggedCounts } from './activity-lines.ts'
import { type EntryNames, isListed } from './describe-entry.ts'
import { mergeFacts, nameOfWholeTime } from './timeline-filter.ts'

export interface Timeline {
  /** Activity that the sandbox keeps, newest first. */
  entries: readonly LiveEntry[]
  /** Name of the whole time that the entries cover. */
  wholeTime: string
}

/** Reads the activity once; the live feed then keeps it current. */
export function useTimeline(): Timeline {
  const live = useLiveHistory()
  const { items, kept } = useWholeList('GET facts').data ?? {}
  const entries = useMemo(() => mergeFacts(live, (items ?? []).filter(isListed)), [live, items])
  return { entries, wholeTime: nameOfWholeTime(entries, kept) }
}

/** Reads the numbers that the lines of the activity show. */
export function useLoggedCounts(): LoggedCounts {
  const webhooks = useWebhookNames()
  const groups = useOverview().data?.refusals
  return useMemo(
    () => ({
      undelivered: (webhookId) => webhooks.get(webhookId)?.deliveries,
      refusals: new Map(groups?.map(({ reason, count }) => [reason, count])),
    }),
    [webhooks, groups],
  )
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
