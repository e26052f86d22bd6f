import { useWebhooks } from '../api/webhooks.ts'
import { Dialog, DialogBody } from '../ui/dialog.tsx'
import { Unknown } from '../ui/states.tsx'
import { WebhookDialog } from '../features/webhooks/detail/webhook-dialog.tsx'
import { useParameter } from '../lib/parameters.ts'
import { words } from './words.ts'

/** Edit form of the webhook named by `?edit=`, over any page. */
export function WebhookEditor() {
  const [id, setId] = useParameter('edit')
  const webhooks = useWebhooks().data?.items
  if (!id || !webhooks) return null
  const webhook = webhooks.find((item) => item.id === id)
  const close = () => setId('')
  if (webhook) return <WebhookDialog key={id} webhook={webhook} onClose={close} />
  return (
    <Dialog open onOpenChange={close} title="Edit webhook">
      <DialogBody textOnly>
        <Unknown title={words.webhookUnknown}>{`No webhook has the id ${id}.`}</Unknown>
      </DialogBody>
    </Dialog>
  )
}
