import { useState } from 'react'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useCreateWebhook, useUpdateWebhook } from '../../../api/webhooks.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
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
import { words } from '../words.ts'

interface WebhookDialogProps {
  /** Webhook to edit; absent to create one. */
  webhook?: WebhookItem
  initialUrl?: string
  onClose: () => void
}

export function WebhookDialog({ webhook, initialUrl = '', onClose }: WebhookDialogProps) {
  const [opened] = useState(webhook)
  const create = useCreateWebhook()
  const update = useUpdateWebhook()
  const { error, isPending } = webhook ? update : create
  const fields = useForm<TypedWebhook>(
    () => (opened ? webhookFormOf(opened) : emptyWebhookForm(initialUrl)),
    error,
  )
  const form = useSuggestions(fields.form)

  function submit(): void {
    const done = { onSuccess: onClose }
    if (opened) update.mutate({ id: opened.id, change: changeOf(form, opened) }, done)
    else create.mutate(creationOf(form), done)
  }

  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : words.createWebhook}
      lead={webhook && 'Replays and retries use the new URL and the new secret.'}
      action={webhook ? 'Save' : 'Create'}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <WebhookFields
        form={form}
        onChange={fields.patch}
        issue={fields.issue}
        ownerFixed={webhook !== undefined}
      />
      <FormError error={error} beside={webhookFieldPaths} />
    </FormDialog>
  )
}

/** Fills in defaults of a new webhook. */
function useSuggestions(typed: TypedWebhook): WebhookForm {
  const users = useUsers().data?.items ?? []
  const user = typed.user || users[0]?.username || ''
  // Without a watched item it would never be called, so it starts with the owner's account.
  const suggested: Watched[] = user ? [{ type: 'user', name: user }] : []
  return { ...typed, user, watched: typed.watched ?? suggested }
}
