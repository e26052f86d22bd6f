import { type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatCount, shorten } from '../../lib/format.ts'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TableHead } from '../../ui/table-head.tsx'
import { words } from '../words.ts'
import { type ComparedRow, compareFacts, type Fact } from './compare-facts.ts'

export interface Candidate {
  value: string
  label: string
}

interface CompareDialogProps {
  /** Others to compare with, the best first. */
  candidates: readonly Candidate[]
  /** Chosen other one; the best if it is unknown. */
  otherId: string
  onOther: (id: string) => void
  onClose: () => void
  renderComparison: (otherId: string) => ReactNode
}

/** Open entry beside another one of its kind. */
export function CompareDialog({ candidates, onClose, ...props }: CompareDialogProps) {
  return (
    <Dialog wide open onOpenChange={onClose} title={words.compare}>
      <DialogBody textOnly={candidates.length === 0}>
        {candidates.length === 0 ? (
          <p className="text-sm text-muted">{words.nothingToCompare}</p>
        ) : (
          <Chosen candidates={candidates} {...props} />
        )}
      </DialogBody>
    </Dialog>
  )
}

function Chosen({
  candidates,
  otherId,
  onOther,
  renderComparison,
}: Omit<CompareDialogProps, 'onClose'>) {
  const shown = candidates.some(({ value }) => value === otherId)
    ? otherId
    : (candidates[0]?.value ?? '')
  return (
    <div className="flex flex-col gap-3 pt-1">
      <Select label="Compare with" value={shown} onChange={onOther} options={candidates} />
      {renderComparison(shown)}
    </div>
  )
}

/** Differences of two entries, the first one marked; those that explain nothing are folded. */
export function Comparison({ before, after }: { before: readonly Fact[]; after: readonly Fact[] }) {
  const [withSame, setWithSame] = useState(false)
  const rows = useMemo(() => compareFacts(before, after), [before, after])
  const different = rows.filter(({ isSame, isNatural }) => !isSame && !isNatural)
  const natural = rows.filter(({ isNatural }) => isNatural)
  const marked = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'nearest' })
  }, [withSame])
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <output className="text-sm">{words.differences(formatCount(different.length))}</output>
        <Switch checked={withSame} onChange={setWithSame}>
          Show equal values
        </Switch>
      </div>
      <Rows
        label={words.compare}
        rows={withSame ? rows.filter(({ isNatural }) => !isNatural) : different}
        firstKey={different[0]?.key}
        markRef={marked}
      />
      {natural.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit rounded text-muted hover:text-ink">
            {words.eachTime(formatCount(natural.length))}
          </summary>
          <Rows label={words.eachTime(formatCount(natural.length))} rows={natural} />
        </details>
      )}
    </div>
  )
}

interface RowsProps {
  label: string
  rows: readonly ComparedRow[]
  /** Row to mark. */
  firstKey?: string | undefined
  markRef?: Ref<HTMLTableRowElement>
}

function Rows({ label, rows, firstKey, markRef }: RowsProps) {
  if (rows.length === 0) return null
  return (
    <table className="w-full table-fixed border-collapse text-xs" aria-label={label}>
      <TableHead
        columns={[
          { title: 'Name', className: 'w-1/3 sm:w-1/4' },
          { title: 'Other' },
          { title: 'This one' },
        ]}
      />
      <tbody>
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            section={
              row.isStep || row.section === rows[index - 1]?.section ? undefined : row.section
            }
            markRef={row.key === firstKey ? markRef : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  row: ComparedRow
  /** Title of the part that begins here. */
  section: string | undefined
  /** Present for the first difference. */
  markRef: Ref<HTMLTableRowElement> | undefined
}

function Row({ row, section, markRef }: RowProps) {
  const value = 'py-1.5 pr-3 font-mono break-all'
  return (
    <>
      {section !== undefined && (
        <tr>
          <th scope="rowgroup" colSpan={3} className="pt-3 pb-1 text-left text-2xs text-muted">
            {section}
          </th>
        </tr>
      )}
      <tr
        ref={markRef}
        className={classNames(
          'border-t border-line/60 align-top',
          !row.isSame && !row.isNatural && 'bg-warn-soft',
        )}
      >
        <th
          scope="row"
          colSpan={row.isStep ? 3 : 1}
          className={classNames(
            'py-1.5 pr-3 pl-2 text-left font-medium',
            row.isStep ? 'break-words' : 'font-mono break-all',
          )}
        >
          {row.isStep ? words.onlyIn(row.before === undefined, row.section) : row.name}
          {markRef && (
            <span className="block pt-0.5 font-sans">
              <span className="text-2xs font-medium break-normal text-warn">first difference</span>
            </span>
          )}
        </th>
        {!row.isStep && (
          <>
            <td className={value}>{row.before ?? <Absent />}</td>
            <td className={value}>{row.after ?? <Absent />}</td>
          </>
        )}
      </tr>
    </>
  )
}

function Absent() {
  return <span className="font-sans text-muted">absent</span>
}

/** Puts the marked entry before the others, and leaves out the open one and repetitions. */
export function candidatesOf(
  openId: string,
  markedId: string | undefined,
  others: readonly (readonly [id: string | undefined, label: string])[],
): Candidate[] {
  const found = new Map<string, string>()
  if (markedId !== undefined) found.set(markedId, `Marked: ${shorten(markedId)}`)
  for (const [id, label] of others) if (id !== undefined && !found.has(id)) found.set(id, label)
  found.delete(openId)
  return [...found].map(([value, label]) => ({ value, label }))
}
