import { useState } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { useCancelDelivery, useReplay } from '../../../api/deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { notify } from '../../../ui/toast.tsx'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { payloadText, type Secrets, toCurl } from '../model/snippets.ts'
import { ReplayChosenDialog } from './replay-chosen-dialog.tsx'
import { EditReplayDialog } from './edit-replay-dialog.tsx'
import { ReplayManyDialog } from './replay-many-dialog.tsx'

const cancellable: readonly DeliveryItem['state'][] = ['held', 'queued', 'waiting']

interface DeliveryActionsProps {
  delivery: DeliveryItem
  /** The one that is shown, which is copied. */
  attempt: AttemptItem | undefined
  /** Those of the webhook now. */
  secrets: Secrets | undefined
  /** Its webhook is there to be edited. */
  hasWebhook: boolean
}

/** What can be done with a delivery, by button, menu and key. */
export function DeliveryActions({ delivery, attempt, secrets, hasWebhook }: DeliveryActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'many' | 'duplicate'>()
  const closeDialog = () => setDialog(undefined)
  const replay = useReplay()
  const cancel = useCancelDelivery()
  const skipped = delivery.state === 'skipped'
  const [, setEdited] = useParameter('edit')
  const editWebhook = () => setEdited(delivery.webhookId, { push: true })
  const failed = delivery.attempts.at(-1)?.error !== undefined

  function replayNow(): void {
    if (skipped || replay.isPending) return
    replay.mutate(
      { id: delivery.id },
      {
        onSuccess: (done) =>
          notify('Replayed', done.status === undefined ? undefined : `Answered ${done.status}`),
      },
    )
  }

  function copyCurl(): void {
    if (!attempt?.request) return
    void copyText(toCurl(attempt.request, delivery.payload, secrets), 'curl command')
  }

  useHotkeys({
    r: replayNow,
    R: () => !skipped && setDialog('many'),
    e: () => !skipped && setDialog('edit'),
    c: copyCurl,
  })

  return (
    <div className="flex flex-wrap gap-1.5">
      <Button
        size="small"
        icon="retry"
        hotkey="r"
        disabled={skipped}
        busy={replay.isPending}
        onClick={replayNow}
      >
        {delivery.state === 'waiting' ? 'Retry now' : 'Replay'}
      </Button>
      <Button
        size="small"
        icon="edit"
        hotkey="e"
        disabled={skipped}
        onClick={() => setDialog('edit')}
      >
        Edit and replay
      </Button>
      {cancellable.includes(delivery.state) && (
        <Button
          size="small"
          icon="cross"
          busy={cancel.isPending}
          onClick={() => cancel.mutate(delivery.id)}
        >
          Cancel
        </Button>
      )}
      {failed && hasWebhook && (
        <Button size="small" icon="webhook" onClick={editWebhook}>
          Edit the webhook
        </Button>
      )}
      <Menu
        trigger={<Button size="small" icon="more" aria-label="More actions" />}
        items={[
          {
            label: 'Replay several times…',
            icon: 'retry',
            hotkey: 'R',
            disabled: skipped,
            onSelect: () => setDialog('many'),
          },
          {
            label: 'Duplicate…',
            icon: 'copy',
            disabled: skipped,
            onSelect: () => setDialog('duplicate'),
          },
          {
            label: 'Edit the webhook…',
            icon: 'webhook',
            disabled: !hasWebhook,
            onSelect: editWebhook,
          },
          {
            label: 'Copy as curl',
            icon: 'copy',
            hotkey: 'c',
            disabled: !attempt?.request,
            onSelect: copyCurl,
          },
          {
            label: 'Copy payload',
            icon: 'copy',
            disabled: skipped,
            onSelect: () => void copyText(payloadText(delivery.payload), 'Payload'),
          },
          {
            label: 'Copy delivery as JSON',
            icon: 'copy',
            onSelect: () => void copyText(payloadText(delivery), 'Delivery'),
          },
        ]}
      />
      {dialog === 'edit' && <EditReplayDialog delivery={delivery} onClose={closeDialog} />}
      {dialog === 'duplicate' && (
        <ReplayChosenDialog ids={[delivery.id]} what="duplicates" onClose={closeDialog} />
      )}
      {dialog === 'many' && <ReplayManyDialog deliveryId={delivery.id} onClose={closeDialog} />}
    </div>
  )
}
