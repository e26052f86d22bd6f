import type { RefObject } from 'react'
import { withChoices } from '../../../../server/contract/query/edit-query.ts'
import { QueryInput } from '../../../shared/query/query-input.tsx'
import { ViewsMenu } from '../../../shared/query/views-menu.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { formatCount } from '../../../lib/format.ts'
import { kindChoices, outcomeChoices } from '../model/filter-flows.ts'
import { outcomeLooks } from '../../../shared/flow-looks.ts'
import type { FlowView } from '../model/use-flow-view.ts'
import { kindTitles } from '../../../shared/words.ts'
import { words } from '../words.ts'

interface FlowFilterBarProps {
  view: FlowView
  inputRef: RefObject<HTMLInputElement | null>
  shown: number
  loaded: number
}

const kindOptions = kindChoices.map((value) => ({
  value,
  label: value === '' ? 'Any kind' : kindTitles[value],
}))
const outcomeOptions = outcomeChoices.map((value) => ({
  value,
  label: value === '' ? 'Any outcome' : outcomeLooks[value].word,
}))

export function FlowFilterBar({ view, inputRef, shown, loaded }: FlowFilterBarProps) {
  const { text, kind, outcome, audited } = view.filter
  return (
    <div className="grid grid-cols-2 gap-2 border-b border-line px-4 py-3">
      <div className="col-span-2 flex items-start gap-1">
        <div className="relative min-w-0 flex-1">
          <QueryInput
            list="flows"
            label="Filter sign-ins"
            placeholder="App, user, id"
            query={text}
            onQuery={view.setText}
            known={view.known}
            issues={view.issues}
            inputRef={inputRef}
          />
          <output className="pointer-events-none absolute top-2 right-8 bg-surface pl-1 text-xs text-faint">
            {shown === loaded
              ? formatCount(loaded)
              : `${formatCount(shown)} of ${formatCount(loaded)}`}
          </output>
        </div>
        <ViewsMenu
          list="flows"
          query={withChoices(text, { kind, status: outcome })}
          onQuery={(query) => {
            view.setKind('')
            view.setOutcome('')
            view.setText(query)
          }}
        />
      </div>
      <Select label="Kind" value={kind} onChange={view.setKind} options={kindOptions} />
      <Select
        label={words.outcome}
        value={outcome}
        onChange={view.setOutcome}
        options={outcomeOptions}
      />
      {view.auditCount > 0 && (
        <div className="col-span-2 pt-0.5">
          <Switch checked={audited} onChange={view.setAudited}>
            {words.ofAudits(formatCount(view.auditCount))}
          </Switch>
        </div>
      )}
    </div>
  )
}
