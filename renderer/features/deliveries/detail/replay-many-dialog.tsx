import { useRef, useState } from 'react'
import { useReplay } from '../../../api/deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'

interface ReplayManyDialogProps {
  deliveryId: string
  onClose: () => void
}

const most = 500

interface Progress {
  done: number
  succeeded: number
  running: boolean
}

/** The same delivery several times, one after the other: what a receiver must bear. */
export function ReplayManyDialog({ deliveryId, onClose }: ReplayManyDialogProps) {
  const [times, setTimes] = useState('10')
  const [progress, setProgress] = useState<Progress>()
  const stopped = useRef(false)
  const replay = useReplay()
  const count = Number(times)
  const valid = Number.isInteger(count) && count >= 1 && count <= most

  async function run(): Promise<void> {
    stopped.current = false
    let succeeded = 0
    let done = 0
    setProgress({ done, succeeded, running: true })
    while (done < count && !stopped.current) {
      // One after the other is the point; a refusal of the sandbox itself ends the row.
      // oxlint-disable-next-line no-await-in-loop
      const attempt = await replay.mutateAsync({ id: deliveryId }).catch(() => undefined)
      if (!attempt) break
      done++
      if (attempt.outcome === 'succeeded') succeeded++
      setProgress({ done, succeeded, running: true })
    }
    setProgress({ done, succeeded, running: false })
  }

  return (
    <Dialog
      open
      onOpenChange={() => {
        stopped.current = true
        onClose()
      }}
      title="Replay several times"
      lead="A good receiver handles the same Webhook-Id once."
    >
      <DialogBody>
        <TextField
          label="Times"
          error={valid ? undefined : `A whole number from 1 to ${most}`}
          inputMode="numeric"
          value={times}
          onChange={setTimes}
        />
        <output className="block pt-3 text-sm text-muted">
          {progress && `${progress.done} of ${times} sent, ${progress.succeeded} succeeded`}
        </output>
      </DialogBody>
      <DialogFooter>
        {progress?.running ? (
          <Button onClick={() => (stopped.current = true)}>Stop</Button>
        ) : (
          <Button look="primary" icon="retry" disabled={!valid} onClick={() => void run()}>
            Replay {valid ? count : ''} times
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}
