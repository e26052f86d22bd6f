import { useRef, useState } from 'react'
import { useReplay } from '../../../api/deliveries.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { plural } from '../../../lib/format.ts'
import { words } from '../words.ts'

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

/** Replays one delivery several times in sequence, to test a receiver. */
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
      // In sequence on purpose; an error of the sandbox itself ends it.
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
    <FormDialog
      title="Replay several times"
      lead="A good receiver processes each Webhook-Id once."
      action={valid ? `Replay ${plural(count, 'time')}` : words.replay}
      icon="retry"
      busy={false}
      disabled={!valid}
      isDone={progress !== undefined}
      onSubmit={() => void run()}
      onStop={progress?.running ? () => (stopped.current = true) : undefined}
      onClose={() => {
        stopped.current = true
        onClose()
      }}
    >
      <TextField
        label="Times"
        error={valid ? undefined : `A whole number from 1 to ${most}`}
        inputMode="numeric"
        value={times}
        onChange={setTimes}
      />
      <output className="block text-sm text-muted">
        {progress && `${progress.done} of ${times} sent, ${progress.succeeded} succeeded`}
      </output>
    </FormDialog>
  )
}
