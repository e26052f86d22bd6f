import type { FaultItem } from '../../../../server/contract/control-faults.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { describeFault, describeMatch } from '../../../shared/fault-text.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useFlag } from '../../../lib/parameters.ts'
import { AddFaultDialog } from '../detail/add-fault-dialog.tsx'
import { useFaults, useRemoveAllFaults, useRemoveFault } from '../model/requests.ts'
import { words } from '../words.ts'

export function FaultsPanel() {
  const faults = useFaults()
  const remove = useRemoveFault()
  const removeAll = useRemoveAllFaults()
  const [adding, setAdding] = useFlag('new')
  const count = faults.data?.items.length ?? 0
  return (
    <Panel
      title={words.faults}
      lead={words.faultsLead}
      actions={
        <>
          {count > 1 && (
            <Button
              size="small"
              look="quiet"
              busy={removeAll.isPending}
              onClick={() => removeAll.mutate()}
            >
              {words.removeAll}
            </Button>
          )}
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {words.addFault}
          </Button>
        </>
      }
    >
      <QueryView query={faults} what="faults">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">{words.noFaults}</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map((fault) => (
                <Fault key={fault.id} fault={fault} onRemove={() => remove.mutate(fault.id)} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {adding && <AddFaultDialog onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function Fault({ fault, onRemove }: { fault: FaultItem; onRemove: () => void }) {
  const place = describeMatch(fault.match)
  const { hits, times } = fault
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-mono text-xs break-words">{place}</p>
        <p className="text-sm">{describeFault(fault)}</p>
      </div>
      {times !== undefined && hits >= times ? (
        <Badge icon="check">
          {words.usedUp} {plural(hits, 'hit')}
        </Badge>
      ) : (
        <Badge tone="warn" icon="warning">
          {times === undefined
            ? plural(hits, 'hit')
            : words.hitsOf(formatCount(hits), plural(times, 'hit'))}
        </Badge>
      )}
      <IconButton icon="trash" size="small" label={words.removeFaultOf(place)} onClick={onRemove} />
    </li>
  )
}
