import { useMemo, useState } from 'react'
import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { useDelivery } from '../../../api/deliveries.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Select } from '../../../ui/select.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { shorten } from '../../../lib/format.ts'
import { diffLines } from '../model/line-diff.ts'
import { payloadText } from '../model/snippets.ts'
import { words } from '../words.ts'

interface DiffPaneProps {
  delivery: DeliveryItem
  rows: readonly DeliveryRow[]
  markedId: string | undefined
  webhookName: (id: string) => string
}

export function DiffPane({ delivery, rows, markedId, webhookName }: DiffPaneProps) {
  const candidates = useMemo(
    () => findCandidates(delivery, rows, markedId, webhookName),
    [delivery, rows, markedId, webhookName],
  )
  const [chosen, setChosen] = useState('')
  const otherId = candidates.some(({ value }) => value === chosen)
    ? chosen
    : (candidates[0]?.value ?? '')
  if (candidates.length === 0) {
    return <p className="p-4 text-sm text-muted">{words.nothingToCompare}</p>
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      <Select label={words.compareWith} value={otherId} onChange={setChosen} options={candidates} />
      <Comparison delivery={delivery} otherId={otherId} />
    </div>
  )
}

function Comparison({ delivery, otherId }: { delivery: DeliveryItem; otherId: string }) {
  const other = useDelivery(otherId)
  return (
    <QueryView query={other} what="the other delivery">
      {(before) => (
        <Lines before={payloadText(before.payload)} after={payloadText(delivery.payload)} />
      )}
    </QueryView>
  )
}

function Lines({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after])
  if (!lines) return <p className="text-sm text-muted">{words.tooDifferent}</p>
  if (lines.every(({ kind }) => kind === 'same')) {
    return <p className="text-sm text-muted">{words.samePayloads}</p>
  }
  return (
    <pre
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={words.payloadDifferences}
      className="scroll-quiet overflow-x-auto rounded-lg border border-line bg-sunken py-2 font-mono text-xs leading-5"
    >
      {lines.map(({ kind, text }, index) => (
        <span
          // Lines are identified by their position only.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          className={classNames(
            'block px-3',
            kind === 'added' && 'bg-ok-soft text-ok',
            kind === 'removed' && 'bg-bad-soft text-bad',
          )}
        >
          {{ same: '  ', added: '+ ', removed: '- ' }[kind]}
          {text}
        </span>
      ))}
    </pre>
  )
}

/** Deliveries to compare with: the marked one, the same event at another webhook, the previous event. */
function findCandidates(
  delivery: DeliveryItem,
  rows: readonly DeliveryRow[],
  markedId: string | undefined,
  webhookName: (id: string) => string,
): { value: string; label: string }[] {
  const candidates = new Map<string, string>()
  if (markedId && markedId !== delivery.id)
    candidates.set(markedId, words.marked(shorten(markedId)))
  if (delivery.derivedFrom)
    candidates.set(
      delivery.derivedFrom,
      delivery.duplicate ? words.originalOfDuplicate : words.originalOfEdit,
    )
  const made = Date.parse(delivery.createdAt)
  const before = rows.find(
    (row) =>
      row.id !== delivery.id &&
      row.webhookId === delivery.webhookId &&
      row.scope === delivery.scope &&
      row.action === delivery.action &&
      Date.parse(row.createdAt) <= made,
  )
  if (before) candidates.set(before.id, words.previous(before.scope, before.action, before.repo))
  for (const row of rows) {
    if (row.eventId !== delivery.eventId || row.id === delivery.id) continue
    candidates.set(row.id, words.sameEventAt(webhookName(row.webhookId)))
  }
  return [...candidates].map(([value, label]) => ({ value, label }))
}
