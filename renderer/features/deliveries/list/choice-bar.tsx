import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import type { Choice } from '../model/use-choice.ts'
import { ReplayChosenDialog } from '../detail/replay-chosen-dialog.tsx'
import { mostReplays } from '../../../../server/contract/words/webhooks.ts'
import { words } from '../words.ts'

/** Actions on the selected deliveries. */
export function ChoiceBar({ choice }: { choice: Choice }) {
  const [what, setWhat] = useState<'again' | 'duplicates'>()
  const count = choice.chosen.size
  const tooMany = count > mostReplays
  return (
    <section
      aria-label={words.selection}
      className="-mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-accent-soft px-4 py-2 sm:-mx-6 sm:px-6"
    >
      <output className="mr-auto text-sm">
        {tooMany
          ? words.selectionTooLarge(formatCount(count), formatCount(mostReplays))
          : words.selectedCount(plural(count, 'delivery', 'deliveries'))}
      </output>
      <Button size="small" onClick={choice.chooseAll}>
        {words.selectAll} {formatCount(choice.sendable)}
      </Button>
      <Button size="small" disabled={count === 0} onClick={choice.chooseNone}>
        {words.clearSelection}
      </Button>
      <Button
        size="small"
        icon="retry"
        disabled={count === 0 || tooMany}
        onClick={() => setWhat('again')}
      >
        {words.replayMenu}
      </Button>
      <Button
        size="small"
        icon="copy"
        disabled={count === 0 || tooMany}
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
