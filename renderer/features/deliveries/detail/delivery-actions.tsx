import { useState } from 'react'
import { useLocation } from 'wouter'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { useCancelDelivery, useReleaseDelivery, useReplay } from '../../../api/deliveries.ts'
import { callApi } from '../../../api/client.ts'
import { repeatText } from '../../../shared/repeat-request.ts'
import { useReport } from '../../../shared/use-report.ts'
import { words as sharedWords } from '../../../shared/words.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { notify } from '../../../ui/toast.tsx'
import { useHotkeys } from '../../../lib/hotkeys.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { presentationOf } from '../../../lib/present.ts'
import { isSendable } from '../model/use-choice.ts'
import { responseText } from '../model/replay-outcome.ts'
import { isRepeatable, payloadText, repeated, type Secrets } from '../model/snippets.ts'
import { ReplayChosenDialog } from './replay-chosen-dialog.tsx'
import { EditReplayDialog } from './edit-replay-dialog.tsx'
import { ReplayManyDialog } from './replay-many-dialog.tsx'
import { words } from '../words.ts'

const cancellable: readonly DeliveryItem['state'][] = ['held', 'queued', 'waiting']

interface DeliveryActionsProps {
  delivery: DeliveryItem
  /** Shown attempt, which "Copy as curl" copies. */
  attempt: AttemptItem | undefined
  /** Current secrets of the webhook. */
  secrets: Secrets | undefined
  /** The webhook still exists. */
  hasWebhook: boolean
  onCompare: () => void
}

/** Actions on a delivery, by button, menu and key. */
export function DeliveryActions({
  delivery,
  attempt,
  secrets,
  hasWebhook,
  onCompare,
}: DeliveryActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'many' | 'duplicate'>()
  const closeDialog = () => setDialog(undefined)
  const replay = useReplay()
  const cancel = useCancelDelivery()
  const release = useReleaseDelivery()
  const isHeld = delivery.heldBecause !== undefined
  const canCancel = cancellable.includes(delivery.state)
  const endings = [
    ...(isHeld ? [{ label: 'Release', icon: 'check', write: release } as const] : []),
    ...(canCancel ? [{ label: 'Cancel', icon: 'cross', write: cancel } as const] : []),
  ]
  const isSent = isSendable(delivery)
  const [, setEdited] = useParameter('edit')
  const editWebhook = () => setEdited(delivery.webhookId, { push: true })
  const failed = delivery.attempts.at(-1)?.error !== undefined

  function replayNow(): void {
    if (!isSent || replay.isPending) return
    replay.mutate(
      { id: delivery.id },
      { onSuccess: ({ status }) => notify('Replayed', responseText(status)) },
    )
  }

  function copyCurl(): void {
    if (!attempt?.request || !isRepeatable(attempt.request)) return
    const request = repeated(attempt.request, delivery.payload, secrets)
    void copyText(repeatText('curl', request), 'curl command')
  }

  useHotkeys({
    r: replayNow,
    R: () => isSent && setDialog('many'),
    e: () => isSent && setDialog('edit'),
    c: copyCurl,
    D: () => isSent && onCompare(),
  })

  return (
    <div className="flex flex-wrap gap-1.5">
      <Button
        size="small"
        icon="retry"
        hotkey="r"
        disabled={!isSent}
        busy={replay.isPending}
        onClick={replayNow}
      >
        {delivery.state === 'waiting' ? 'Retry now' : words.replay}
      </Button>
      <Button
        size="small"
        icon="edit"
        hotkey="e"
        disabled={!isSent}
        onClick={() => setDialog('edit')}
      >
        {words.editAndReplay}
      </Button>
      {endings.map(({ label, icon, write }) => (
        <Button
          key={label}
          size="small"
          icon={icon}
          busy={write.isPending}
          onClick={() => write.mutate(delivery.id)}
        >
          {label}
        </Button>
      ))}
      {failed && hasWebhook && (
        <Button size="small" icon="webhook" onClick={editWebhook}>
          {words.editWebhook}
        </Button>
      )}
      <DeliveryMenu
        {...{ delivery, attempt, hasWebhook, onCompare, editWebhook, copyCurl }}
        onDialog={setDialog}
      />
      {dialog === 'edit' && <EditReplayDialog delivery={delivery} onClose={closeDialog} />}
      {dialog === 'duplicate' && (
        <ReplayChosenDialog ids={[delivery.id]} what="duplicates" onClose={closeDialog} />
      )}
      {dialog === 'many' && <ReplayManyDialog deliveryId={delivery.id} onClose={closeDialog} />}
    </div>
  )
}

interface DeliveryMenuProps extends Omit<DeliveryActionsProps, 'secrets'> {
  editWebhook: () => void
  copyCurl: () => void
  onDialog: (dialog: 'many' | 'duplicate') => void
}

function DeliveryMenu({
  delivery,
  attempt,
  hasWebhook,
  onCompare,
  editWebhook,
  copyCurl,
  onDialog,
}: DeliveryMenuProps) {
  const [, navigate] = useLocation()
  const reportItem = useReportItem(delivery)
  const disabled = !isSendable(delivery)
  return (
    <Menu
      trigger={<Button size="small" icon="more" aria-label="More actions" />}
      items={[
        {
          label: 'Replay several times…',
          icon: 'retry',
          hotkey: 'R',
          disabled,
          onSelect: () => onDialog('many'),
        },
        {
          label: words.duplicateMenu,
          icon: 'copy',
          disabled,
          onSelect: () => onDialog('duplicate'),
        },
        {
          label: 'Compare…',
          icon: 'copy',
          hotkey: 'D',
          disabled,
          onSelect: onCompare,
        },
        {
          label: 'Edit webhook…',
          icon: 'webhook',
          disabled: !hasWebhook,
          onSelect: editWebhook,
        },
        {
          label: 'Copy as curl',
          icon: 'copy',
          hotkey: 'c',
          disabled: !attempt?.request || !isRepeatable(attempt.request),
          onSelect: copyCurl,
        },
        {
          label: 'Copy payload',
          icon: 'copy',
          disabled,
          onSelect: () => void copyText(payloadText(delivery.payload), words.payload),
        },
        {
          label: 'Copy delivery as JSON',
          icon: 'copy',
          onSelect: () => void copyText(payloadText(delivery), words.delivery),
        },
        {
          label: 'Present',
          icon: 'screen',
          disabled,
          onSelect: () => navigate(presentationOf(delivery.id)),
        },
        ...(delivery.audit === undefined ? [reportItem] : []),
      ]}
    />
  )
}

function useReportItem({ id }: DeliveryItem): MenuItem {
  const report = useReport()
  return {
    label: sharedWords.htmlReport,
    icon: 'download',
    onSelect: () => report.mutate(() => callApi('GET deliveries/:id/report', { params: { id } })),
  }
}
