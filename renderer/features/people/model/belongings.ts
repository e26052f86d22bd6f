import { useRepos } from '../../../api/repos.ts'
import { useWebhooks } from '../../../api/webhooks.ts'
import { plural } from '../../../lib/format.ts'

/** Countable belongings of an account: `2 repos, 1 webhook, `, or an empty text. */
export function useBelongings(account: string): string {
  const repos = useRepos().data?.items ?? []
  const webhooks = useWebhooks().data?.items ?? []
  const counts = [
    [repos.filter(({ name }) => name.startsWith(`${account}/`)).length, 'repo'],
    [webhooks.filter(({ owner }) => owner.username === account).length, 'webhook'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${plural(count, word)}, `)
    .join('')
}
