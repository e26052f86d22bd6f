import { useState } from 'react'
import { nameOfWebhook } from '../../server/contract/webhook-name.ts'
import type { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { useTrigger } from '../api/events.ts'
import { useRepos } from '../api/repos.ts'
import { useWebhookName } from '../api/webhooks.ts'
import { watchedRepo } from '../lib/preferred-repo.ts'
import { repoAddress } from '../lib/repo-address.ts'
import { notifyFailure } from '../ui/toast.tsx'
import { notifyTrigger } from './notify-trigger.ts'

type Tested = Pick<WebhookItem, 'id' | 'name' | 'target' | 'status' | 'watched' | 'domains'>

/** Sends a test event to a webhook: a real commit to a repo that it watches, or a discussion if it watches only those. */
export function useSendTest() {
  const repos = useRepos()
  const webhookName = useWebhookName()
  const { mutateAsync } = useTrigger()
  const [sentTo, setSentTo] = useState<string>()

  async function send(webhook: Tested): Promise<void> {
    // A click before the repos are there waits for them.
    const known = repos.data ?? (await repos.refetch({ throwOnError: true })).data
    const isOfRepos = webhook.domains.includes('repo')
    const repo = watchedRepo(
      // Buckets have no discussions.
      (known?.items ?? []).filter(({ type }) => isOfRepos || type !== 'bucket'),
      webhook.watched,
    )
    const problem = problemOf(webhook) ?? (repo ? undefined : noRepo)
    if (repo === undefined || problem !== undefined) {
      notifyFailure('No test event sent', new Error(`${nameOfWebhook(webhook)} ${problem}.`))
      return
    }
    const address = repoAddress(repo)
    const done = isOfRepos ? 'Commit pushed to' : 'Discussion opened in'
    const event = isOfRepos ? 'repo.content' : 'discussion.create'
    notifyTrigger(`${done} ${address}`, await mutateAsync({ event, repo: address }), webhookName)
  }

  return {
    /** Tells whether a test event of the webhook is under way. */
    isSending: (id: string) => sentTo === id,
    send(webhook: Tested): void {
      setSentTo(webhook.id)
      // The trigger reports its failure, and the banner a sandbox that is gone.
      void send(webhook)
        .catch(() => undefined)
        .finally(() => setSentTo(undefined))
    },
  }
}

const noRepo = 'watches no repo that exists: create one, or edit what it watches'

/** Reason why a webhook would receive nothing. */
function problemOf({ status }: Tested): string | undefined {
  if (status === 'disabled') return 'is disabled: enable it first'
  return status === 'enabled' ? undefined : 'is suspended: enable it first'
}
