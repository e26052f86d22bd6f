import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import type { Choice } from '../model/use-choice.ts'
import { ReplayChosenDialog } from '../detail/replay-chosen-dialog.tsx'
import { mostReplays } from '../../../../server/contract/words/webhook-words.ts'
import { words } from '../words.ts'

/** Actions on the selected deliveries. */
export function ChoiceBar({ choice }: { choice: Choice }) {
  const [what, setWhat] = useState<'again' | 'duplicates'>()
  const count = choice.chosen.size
  const tooMany = count > mostReplays
  return (
    <section
      aria-label="Selected deliveries"
      className="-mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-accent-soft px-4 py-2 sm:-mx-6 sm:px-6"
    >
      <output className="mr-auto text-sm">
        {tooMany
          ? `${formatCount(count)} selected; ${formatCount(mostReplays)} can be sent at once`
          : `${plural(count, 'delivery', 'deliveries')} selected`}
      </output>
      <Button size="small" busy={choice.isBusy} onClick={choice.chooseAll}>
        Select all {formatCount(choice.sendable)}
      </Button>
      <Button size="small" disabled={count === 0} onClick={choice.chooseNone}>
        Clear
      </Button>
      <Button
        size="small"
        icon="retry"
        disabled={count === 0 || tooMany || choice.isBusy}
        onClick={() => setWhat('again')}
      >
        Replay…
      </Button>
      <Button
        size="small"
        icon="copy"
        disabled={count === 0 || tooMany || choice.isBusy}
        onClick={() => setWhat('duplicates')}
      >
        {words.duplicateMenu}
      </Button>
      {what && (
        <ReplayChosenDialog
          ids={[...choice.chosen]}
          what={what}
          onClose={() => setWhat(undefined)}
        />
      )}
    </section>
  )
}
