import { useState } from 'react'
import { Link } from 'wouter'
import { useTrigger } from '../../../api/events.ts'
import { useRepos } from '../../../api/repos.ts'
import { useWebhookName, useWebhooks } from '../../../api/webhooks.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ReceiveButton } from '../../../shared/receive-button.tsx'
import { preferredRepo } from '../../../lib/preferred-repo.ts'
import { repoAddress } from '../../../lib/repo-address.ts'
import { describeDeliveries, describeEvents } from '../../../shared/trigger-outcome.ts'
import { words } from '../words.ts'

/** URL of the receiver in the code below. */
const ownReceiverUrl = 'http://localhost:3000/webhooks/events'

const receiver = `import { createWebhooks } from 'hub-sandbox/receiver'

const hooks = createWebhooks()
hooks.on('repo.content.update', (payload) => console.log(payload.repo.name, payload.updatedRefs))
await hooks.listen({ port: 3000 })
`

/** Steps to the first delivery, each with its button. */
export function EmptyDeliveries() {
  const [showReceiver, setShowReceiver] = useState(false)
  const webhooks = useWebhooks().data?.items
  const hasNone = webhooks?.length === 0
  const webhookName = useWebhookName()
  const repos = useRepos().data?.items
  const trigger = useTrigger()
  const repo = preferredRepo(repos ?? [], webhooks ?? [])
  return (
    <Empty
      icon="delivery"
      title="No deliveries yet"
      actions={
        <>
          {hasNone && <ReceiveButton />}
          <Button look="quiet" onClick={() => setShowReceiver(true)}>
            Write your own
          </Button>
          <Link
            href={`/webhooks?new&url=${encodeURIComponent(ownReceiverUrl)}`}
            className={buttonClass()}
          >
            <Icon name="webhook" /> Create a webhook for it
          </Link>
          <Button
            look={hasNone ? 'plain' : 'primary'}
            icon="trigger"
            busy={trigger.isPending}
            disabled={!repo}
            onClick={() => {
              if (repo) trigger.mutate({ event: 'repo.content', repo: repoAddress(repo) })
            }}
          >
            Trigger repo.content update
          </Button>
        </>
      }
    >
      {hasNone ? words.emptyWithoutWebhook : words.emptyWithWebhook}
      <output className="block pt-3">
        {trigger.data && trigger.data.deliveries.length === 0 && (
          <span className="block rounded-lg bg-warn-soft px-3 py-2 text-left text-sm break-words text-ink">
            <span className="font-medium">
              {describeEvents(trigger.data)} in {trigger.variables.repo}.
            </span>{' '}
            {describeDeliveries(trigger.data, webhookName)}
            {trigger.data.skipped.length > 0 && (
              <Link
                href="/deliveries?skipped"
                className="ml-1.5 text-accent underline underline-offset-2"
              >
                Show skipped
              </Link>
            )}
          </span>
        )}
      </output>
      <Dialog
        open={showReceiver}
        onOpenChange={setShowReceiver}
        title="Write your own receiver"
        lead={words.ownReceiverLead}
      >
        <DialogBody>
          <Code label="Sample receiver" text={receiver} wrap={false} />
        </DialogBody>
        <DialogFooter>
          <CopyButton size="medium" look="plain" text="node receiver.mjs" what="command" />
          <CopyButton size="medium" look="primary" text={receiver} what="receiver" />
        </DialogFooter>
      </Dialog>
    </Empty>
  )
}
