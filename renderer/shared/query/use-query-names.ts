import { useMemo } from 'react'
import { useUsers } from '../../api/accounts.ts'
import { useApps } from '../../api/apps.ts'
import { useWebhooks } from '../../api/webhooks.ts'

export type QueryNames = (key: string) => readonly string[] | undefined

/** Returns the names of users, apps and webhooks by key; none while they load. */
export function useQueryNames(further?: ReadonlyMap<string, readonly string[]>): QueryNames {
  const users = useUsers().data?.items
  const apps = useApps().data?.items
  const webhooks = useWebhooks().data?.items
  return useMemo(() => {
    const names = new Map(further)
    if (users) names.set('user', [...users.map(({ username }) => username), 'deleted'])
    if (apps)
      names.set('app', [...apps.map(({ name }) => name), ...apps.map((app) => app.clientId)])
    if (webhooks) {
      names.set('webhook', [
        ...webhooks.map(({ name, target }) => name ?? target),
        ...webhooks.flatMap(({ id, name, target }) => (name === undefined ? [id] : [target, id])),
      ])
    }
    return (key) => names.get(key)
  }, [users, apps, webhooks, further])
}
