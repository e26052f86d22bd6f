import { useState } from 'react'
import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { useReplay } from '../../../api/deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { notify } from '../../../ui/toast.tsx'
import { prettyJson } from '../../../lib/pretty-json.ts'
import { payloadText } from '../model/snippets.ts'

interface EditReplayDialogProps {
  delivery: DeliveryItem
  onClose: () => void
}

export function EditReplayDialog({ delivery, onClose }: EditReplayDialogProps) {
  const [text, setText] = useState(() => payloadText(delivery.payload))
  const replay = useReplay()
  const { error } = prettyJson(text)
  const problem = error ?? (text.trim() ? undefined : 'A payload is needed')
  return (
    <Dialog
      wide
      open
      onOpenChange={onClose}
      title="Edit and replay"
      lead="Sent as a new delivery, marked as edited: history stays what it was."
    >
      <DialogBody>
        <TextAreaField label="Payload" error={problem} rows={22} value={text} onChange={setText} />
      </DialogBody>
      <DialogFooter>
        <Button look="quiet" onClick={() => setText(payloadText(delivery.payload))}>
          As it was
        </Button>
        <Button
          look="primary"
          icon="delivery"
          busy={replay.isPending}
          disabled={problem !== undefined}
          onClick={() =>
            replay.mutate(
              { id: delivery.id, payload: JSON.parse(text) as unknown },
              {
                onSuccess: (attempt) => {
                  notify(
                    'Sent',
                    attempt.status === undefined ? undefined : `Answered ${attempt.status}`,
                  )
                  onClose()
                },
              },
            )
          }
        >
          Send it
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
