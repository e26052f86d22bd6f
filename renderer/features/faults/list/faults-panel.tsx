import type { FaultItem } from '../../../../server/contract/control-faults.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { describeFault, describeMatch } from '../../../shared/fault-text.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useFlag, useParameter } from '../../../lib/parameters.ts'
import { Segments } from '../../../ui/segments.tsx'
import { AddFaultDialog } from '../detail/add-fault-dialog.tsx'
import { useFaults, useRemoveAllFaults, useRemoveFault } from '../model/requests.ts'
import { words } from '../words.ts'

/** Active rules, which all counts of faults mean, and those that are used up. */
const views = ['active', 'used-up'] as const

export function FaultsPanel() {
  const faults = useFaults()
  const remove = useRemoveFault()
  const removeAll = useRemoveAllFaults()
  const [adding, setAdding] = useFlag('new')
  const [shown, setShown] = useParameter('faults', views)
  const count = faults.data?.items.length ?? 0
  return (
    <Panel
      title={words.rules}
      actions={
        <>
          {count > 1 && (
            <Button
              size="small"
              look="quiet"
              busy={removeAll.isPending}
              onClick={() => removeAll.mutate()}
            >
              Remove all
            </Button>
          )}
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {words.addFault}
          </Button>
        </>
      }
    >
      <QueryView query={faults} what="faults">
        {({ items }) => {
          const active = items.filter((fault) => !isUsedUp(fault))
          const usedUp = items.filter(isUsedUp)
          const rows = shown === 'active' || usedUp.length === 0 ? active : usedUp
          return (
            <>
              {usedUp.length > 0 && (
                <div className="pb-3">
                  <Segments
                    label="Shown faults"
                    value={shown}
                    onChange={setShown}
                    options={[
                      { value: 'active', label: 'Active', count: active.length },
                      { value: 'used-up', label: 'Used up', count: usedUp.length },
                    ]}
                  />
                </div>
              )}
              {rows.length === 0 ? (
                <p className="text-sm text-muted">No faults active.</p>
              ) : (
                <div className="-mx-4 -mb-4">
                  <Table
                    label={words.faults}
                    rows={rows}
                    rowKey={({ id }) => id}
                    columns={columnsOf((fault) => remove.mutate(fault.id))}
                  />
                </div>
              )}
            </>
          )
        }}
      </QueryView>
      {adding && <AddFaultDialog onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function columnsOf(onRemove: (fault: FaultItem) => void): Column<FaultItem>[] {
  return [
    {
      title: 'Match',
      minWidth: 14,
      sortBy: ({ match }) => describeMatch(match),
      renderCell: ({ match }) => (
        <span className="font-mono text-xs" title={describeMatch(match)}>
          {describeMatch(match)}
        </span>
      ),
    },
    {
      title: 'Effect',
      minWidth: 12,
      sortBy: (fault) => describeFault(fault),
      renderCell: (fault) => <span title={describeFault(fault)}>{describeFault(fault)}</span>,
    },
    {
      title: 'Hits',
      width: 11,
      descendsFirst: true,
      sortBy: ({ hits }) => hits,
      renderCell: (fault) => <Hits fault={fault} />,
    },
    {
      title: 'Actions',
      width: 5.5,
      align: 'right',
      inCard: 'action',
      renderCell: (fault) => (
        <IconButton
          icon="trash"
          size="small"
          label={`Remove the fault of ${describeMatch(fault.match)}`}
          onClick={() => onRemove(fault)}
        />
      ),
    },
  ]
}

function isUsedUp({ hits, times }: FaultItem): boolean {
  return times !== undefined && hits >= times
}

function Hits({ fault }: { fault: FaultItem }) {
  const { hits, times } = fault
  if (isUsedUp(fault)) {
    return <Badge icon="check">used up: {plural(hits, 'hit')}</Badge>
  }
  return (
    <Badge tone="warn" icon="warning">
      {times === undefined
        ? plural(hits, 'hit')
        : `${formatCount(hits)} of ${plural(times, 'hit')}`}
    </Badge>
  )
}
