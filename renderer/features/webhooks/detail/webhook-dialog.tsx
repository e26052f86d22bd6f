import { useState } from 'react'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useUsers } from '../../../api/accounts.ts'
import { ApiError } from '../../../api/client.ts'
import { useCreateWebhook, useUpdateWebhook } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { WebhookFields, webhookFieldPaths } from './webhook-fields.tsx'
import {
  changeOf,
  creationOf,
  emptyWebhookForm,
  webhookFormOf,
  type TypedWebhook,
  type Watched,
  type WebhookForm,
} from '../model/webhook-form.ts'

interface WebhookDialogProps {
  /** Edited; without it a new one is made. */
  webhook?: WebhookItem
  initialUrl?: string
  onClose: () => void
}

export function WebhookDialog({ webhook, initialUrl = '', onClose }: WebhookDialogProps) {
  const [opened] = useState(webhook)
  const [typed, setTyped] = useState<TypedWebhook>(() =>
    opened ? webhookFormOf(opened) : emptyWebhookForm(initialUrl),
  )
  const form = useSuggestions(typed)
  const create = useCreateWebhook()
  const update = useUpdateWebhook()
  const { error, isPending } = webhook ? update : create

  function submit(): void {
    const done = { onSuccess: onClose }
    if (opened) update.mutate({ id: opened.id, change: changeOf(form, opened) }, done)
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
function useSuggestions(typed: TypedWebhook): WebhookForm {
  const users = useUsers().data?.items ?? []
  const user = typed.user || users[0]?.username || ''
  // Watching nothing would never be called: the owner's own account is a good start.
  const suggested: Watched[] = user ? [{ type: 'user', name: user }] : []
  return { ...typed, user, watched: typed.watched ?? suggested }
}
