import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useUpdateWebhook } from '../../../api/webhooks.ts'
import { useSendTest } from '../../../shared/use-send-test.ts'
import { plural } from '../../../lib/format.ts'
import { notify } from '../../../ui/toast.tsx'
import { useRecover } from './requests.ts'

/** What is done to a webhook from its row and its panel; dialogs belong to the page, which outlives both. */
export interface WebhookActions {
  isBusy: (id: string) => boolean
  sendTest: (webhook: WebhookItem) => void
  hold: (webhook: WebhookItem, held: boolean) => void
  awaitReceiver: (webhook: WebhookItem, replayWhenBack: boolean) => void
  recover: (webhook: WebhookItem) => void
  edit: (webhook: WebhookItem) => void
  audit: (webhook: WebhookItem) => void
  remove: (webhook: WebhookItem) => void
}

/** Actions without a dialog. */
export function useWebhookActions(): Omit<WebhookActions, 'edit' | 'audit' | 'remove'> {
  const test = useSendTest()
  const update = useUpdateWebhook()
  const recover = useRecover()
  return {
    isBusy: (id) => test.isSending(id),
    sendTest: (webhook) => test.send(webhook),
    hold: ({ id }, held) => update.mutate({ id, change: { held } }),
    awaitReceiver: ({ id }, replayWhenBack) => update.mutate({ id, change: { replayWhenBack } }),
    recover: ({ id, createdAt }) =>
      recover.mutate(
        { id, since: createdAt },
        {
          onSuccess: ({ deliveries }) =>
            notify(
              deliveries === 0
                ? 'Nothing to recover'
                : `${plural(deliveries, 'delivery', 'deliveries')} queued again`,
            ),
        },
      ),
  }
}
