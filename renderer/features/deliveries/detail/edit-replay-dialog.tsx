import { useState } from 'react'
import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { useReplay } from '../../../api/deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { notify } from '../../../ui/toast.tsx'
import { prettyJson } from '../../../lib/pretty-json.ts'
import { responseText } from '../model/replay-outcome.ts'
import { payloadText } from '../model/snippets.ts'
import { words } from '../words.ts'

interface EditReplayDialogProps {
  delivery: DeliveryItem
  onClose: () => void
}

export function EditReplayDialog({ delivery, onClose }: EditReplayDialogProps) {
  const [text, setText] = useState(() => payloadText(delivery.payload))
  const replay = useReplay()
  const { error } = prettyJson(text)
  const problem = error ?? (text.trim() ? undefined : 'Enter a payload')
  return (
    <FormDialog
      wide
      title={words.editAndReplay}
      lead="Sends a new delivery marked as edited. The original stays unchanged."
      action="Send"
      icon="delivery"
      busy={replay.isPending}
      disabled={problem !== undefined}
      onClose={onClose}
      onSubmit={() =>
        replay.mutate(
          { id: delivery.id, payload: JSON.parse(text) as unknown },
          {
            onSuccess: ({ status }) => {
              notify('Sent', responseText(status))
              onClose()
            },
          },
        )
      }
      further={
        <Button look="quiet" onClick={() => setText(payloadText(delivery.payload))}>
          Revert
        </Button>
      }
    >
      <TextAreaField
        label={words.payload}
        error={problem}
        rows={22}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}
