import { useState } from 'react'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { useUsers } from '../../api/accounts.ts'
import { ApiError } from '../../api/client.ts'
import { useCreateWebhook, useUpdateWebhook } from '../../api/webhooks.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Segments } from '../../components/segments.tsx'
import { Select } from '../../components/select.tsx'
import { Checkbox } from '../../components/switch.tsx'
import { WatchedField } from './watched-field.tsx'
import { emptyForm, formOf, requestOf, type WebhookForm } from './webhook-form.ts'

interface WebhookDialogProps {
  /** Edited; without it a new one is made. */
  webhook?: WebhookItem
  initialUrl?: string
  onClose: () => void
}

const orders = [
  { value: 'parallel', label: 'Side by side' },
  { value: 'ordered', label: 'In order, one at a time' },
  { value: 'shuffled', label: 'Shuffled' },
] as const

const orderHints: Record<WebhookForm['order'], string> = {
  parallel: 'Up to four at once; they start in order.',
  ordered: 'A receiver that is down stops the line.',
  shuffled: 'To test a receiver that must not rely on order.',
}

export function WebhookDialog({ webhook, initialUrl = '', onClose }: WebhookDialogProps) {
  const [form, setForm] = useState(() => (webhook ? formOf(webhook) : emptyForm(initialUrl)))
  const users = useUsers().data?.items ?? []
  const create = useCreateWebhook()
  const update = useUpdateWebhook()
  const { error, isPending } = webhook ? update : create
  const patch = (part: Partial<WebhookForm>) => setForm((current) => ({ ...current, ...part }))
  const user = form.user || users[0]?.username || ''
  // Watching nothing would never be called: the owner's own account is a good start.
  const watched =
    form.watched.length > 0 || webhook || !user
      ? form.watched
      : [{ type: 'user' as const, name: user }]
  const issue = (path: string) => (error instanceof ApiError ? error.issue(path) : undefined)

  function submit(): void {
    const request = requestOf({ ...form, watched }, webhook?.job)
    const done = { onSuccess: onClose }
    if (webhook) {
      const change = { ...request, name: form.name || null, secret: form.secret || null }
      update.mutate({ id: webhook.id, change }, done)
      return
    }
    create.mutate(
      {
        ...request,
        user,
        ...(form.name && { name: form.name }),
        ...(form.secret && { secret: form.secret }),
      },
      done,
    )
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={webhook ? 'Edit the webhook' : 'Create a webhook'}
      {...(webhook && {
        lead: 'Replays and retries go to the new address with the new secret.',
      })}
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
            <div className="grid gap-3 sm:grid-cols-2">
              <Field label="Name" hint="For you; the hub has none" error={issue('name')}>
                {(control) => (
                  <TextInput
                    {...control}
                    value={form.name}
                    placeholder="retrain"
                    onChange={(event) => patch({ name: event.target.value })}
                  />
                )}
              </Field>
              <Field label="Owner" error={issue('user')}>
                {(control) =>
                  webhook ? (
                    <TextInput {...control} value={user} disabled />
                  ) : (
                    <Select
                      {...control}
                      value={user}
                      onChange={(value) => patch({ user: value })}
                      options={users.map(({ username }) => ({ value: username, label: username }))}
                    />
                  )
                }
              </Field>
            </div>
            <Segments
              label="What happens"
              value={form.target}
              onChange={(target) => patch({ target })}
              options={[
                { value: 'url', label: 'Call an address' },
                { value: 'job', label: 'Start a job' },
              ]}
            />
            {form.target === 'url' ? (
              <Field label="Address" error={issue('url')}>
                {(control) => (
                  <TextInput
                    {...control}
                    type="url"
                    required
                    value={form.url}
                    placeholder="http://localhost:3000/webhooks/events"
                    onChange={(event) => patch({ url: event.target.value })}
                  />
                )}
              </Field>
            ) : (
              <>
                <Field
                  label="Image, or space:NAME"
                  hint="Executed only where the sandbox was started with --run-jobs for it"
                  error={issue('job')}
                >
                  {(control) => (
                    <TextInput
                      {...control}
                      required
                      value={form.image}
                      placeholder="python:3.12"
                      onChange={(event) => patch({ image: event.target.value })}
                    />
                  )}
                </Field>
                <Field label="Command">
                  {(control) => (
                    <TextInput
                      {...control}
                      value={form.command}
                      placeholder="python retrain.py"
                      onChange={(event) => patch({ command: event.target.value })}
                    />
                  )}
                </Field>
              </>
            )}
            <WatchedField
              watched={watched}
              error={issue('watched')}
              onChange={(next) => patch({ watched: next })}
            />
            <fieldset className="flex flex-col gap-1.5">
              <legend className="pb-1 text-xs font-medium">Events</legend>
              <Checkbox checked={form.repo} onChange={(repo) => patch({ repo })}>
                Repositories: content, settings, moves
              </Checkbox>
              <Checkbox checked={form.discussion} onChange={(discussion) => patch({ discussion })}>
                Discussions, pull requests and comments
              </Checkbox>
            </fieldset>
            <Field label="Secret" hint="Sent as X-Webhook-Secret; ASCII" error={issue('secret')}>
              {(control) => (
                <TextInput
                  {...control}
                  className="font-mono text-xs!"
                  value={form.secret}
                  onChange={(event) => patch({ secret: event.target.value })}
                />
              )}
            </Field>
            <Field label="Order" hint={orderHints[form.order]}>
              {(control) => (
                <Select
                  {...control}
                  value={form.order}
                  onChange={(order) => patch({ order })}
                  options={orders}
                />
              )}
            </Field>
            <Checkbox
              checked={form.acceptSelfSigned}
              onChange={(acceptSelfSigned) => patch({ acceptSelfSigned })}
            >
              Accept any certificate of an https address
            </Checkbox>
            <FormError error={error} beside={['name', 'user', 'url', 'job', 'watched', 'secret']} />
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
