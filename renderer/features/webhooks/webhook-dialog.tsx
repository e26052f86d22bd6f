import { useState } from 'react'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { useUsers } from '../../api/accounts.ts'
import { ApiError } from '../../api/client.ts'
import { useCreateWebhook, useUpdateWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { WebhookFields, webhookFieldPaths } from './webhook-fields.tsx'
import {
  changeOf,
  creationOf,
  emptyWebhookForm,
  webhookFormOf,
  type WebhookForm,
} from './webhook-form.ts'

interface WebhookDialogProps {
  /** Edited; without it a new one is made. */
  webhook?: WebhookItem
  initialUrl?: string
  onClose: () => void
}

export function WebhookDialog({ webhook, initialUrl = '', onClose }: WebhookDialogProps) {
  const [typed, setTyped] = useState(() =>
    webhook ? webhookFormOf(webhook) : emptyWebhookForm(initialUrl),
  )
  const form = useSuggestions(typed, webhook)
  const create = useCreateWebhook()
  const update = useUpdateWebhook()
  const { error, isPending } = webhook ? update : create

  function submit(): void {
    const done = { onSuccess: onClose }
    if (webhook) update.mutate({ id: webhook.id, change: changeOf(form, webhook) }, done)
    else create.mutate(creationOf(form), done)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={webhook ? 'Edit the webhook' : 'Create a webhook'}
      lead={webhook && 'Replays and retries go to the new address with the new secret.'}
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3.5">
            <WebhookFields
              form={form}
              onChange={(part) => setTyped((current) => ({ ...current, ...part }))}
              issue={(path) => (error instanceof ApiError ? error.issue(path) : undefined)}
              ownerFixed={webhook !== undefined}
            />
            <FormError error={error} beside={webhookFieldPaths} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={isPending}>
            {webhook ? 'Save' : 'Create it'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

/** What a new webhook has until something else is chosen. */
function useSuggestions(form: WebhookForm, webhook: WebhookItem | undefined): WebhookForm {
  const users = useUsers().data?.items ?? []
  const user = form.user || users[0]?.username || ''
  // Watching nothing would never be called: the owner's own account is a good start.
  const watched =
    form.watched.length > 0 || webhook || !user
      ? form.watched
      : [{ type: 'user' as const, name: user }]
  return { ...form, user, watched }
}
