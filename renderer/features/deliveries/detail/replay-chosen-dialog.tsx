import { useState } from 'react'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { plural } from '../../../lib/format.ts'
import { useReplayChosen } from '../model/use-replay-chosen.ts'
import { ReplayRules } from './replay-rules.tsx'
import { ReplaySummary } from './replay-summary.tsx'
import { mostReplays, type ReplayOrder } from '../../../../server/contract/words/webhook-words.ts'

interface ReplayChosenDialogProps {
  ids: readonly string[]
  what: 'again' | 'duplicates'
  onClose: () => void
}

const mostDuplicates = 100

/** Replays or duplicates several deliveries and reports the outcomes. */
export function ReplayChosenDialog({ ids, what, onClose }: ReplayChosenDialogProps) {
  const [order, setOrder] = useState<ReplayOrder>('oldest')
  const [times, setTimes] = useState('2')
  const replay = useReplayChosen(ids)
  const most = Math.min(mostDuplicates, Math.floor(mostReplays / ids.length))
  const count = what === 'duplicates' ? Number(times) : 1
  const valid = Number.isInteger(count) && count >= 1 && count <= most
  const total = valid ? ids.length * count : 0
  const deliveries = plural(ids.length, 'delivery', 'deliveries')
  return (
    <FormDialog
      title={what === 'again' ? `Replay ${deliveries}` : `Duplicate ${deliveries}`}
      action={`Send ${plural(total, 'request')}`}
      icon={what === 'again' ? 'retry' : 'copy'}
      busy={false}
      disabled={!valid}
      isDone={replay.result !== undefined}
      onSubmit={() =>
        replay.start(what === 'duplicates' ? { order, duplicates: count } : { order })
      }
      onStop={replay.running ? replay.stop : undefined}
      onClose={() => {
        replay.stop()
        onClose()
      }}
    >
      {what === 'duplicates' && (
        <TextField
          label="Duplicates of each"
          error={valid ? undefined : `A number from 1 to ${most}`}
          inputMode="numeric"
          value={times}
          onChange={setTimes}
        />
      )}
      {total > 1 && (
        <Segments
          label="Order"
          value={order}
          onChange={setOrder}
          options={[
            { value: 'oldest', label: 'Oldest first' },
            { value: 'shuffled', label: 'Shuffled' },
          ]}
        />
      )}
      <ReplayRules what={what} shuffled={order === 'shuffled'} />
      <FormError error={replay.error} />
      <output className="block text-sm">
        {replay.running && `${replay.sent} of ${total} sent`}
        {replay.stopped && `Stopped: ${replay.sent} sent`}
        {replay.result && <ReplaySummary result={replay.result} />}
      </output>
    </FormDialog>
  )
}
