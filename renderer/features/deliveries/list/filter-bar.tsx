import type { RefObject } from 'react'
import type { QueryIssue } from '../../../../server/contract/query/compile-query.ts'
import { shownDeliveryWords } from '../../../../server/contract/words/webhook-words.ts'
import { withChoices } from '../../../../server/contract/query/edit-query.ts'
import { QueryInput } from '../../../shared/query/query-input.tsx'
import type { QueryNames } from '../../../shared/query/use-query-names.ts'
import { ViewsMenu } from '../../../shared/query/views-menu.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatCount } from '../../../lib/format.ts'
import { stateLooks } from '../model/state-look.ts'
import { hasSpan, withoutSpan } from '../model/time-span.ts'
import { words } from '../words.ts'

interface FilterBarProps {
  inputRef: RefObject<HTMLInputElement | null>
  text: string
  known: QueryNames
  issues: readonly QueryIssue[]
  onText: (text: string) => void
  state: string
  onState: (state: string) => void
  skipped: boolean
  onSkipped: (skipped: boolean) => void
  audited: boolean
  onAudited: (audited: boolean) => void
  live: boolean
  onLive: (live: boolean) => void
  /** Rows that arrived while the list was stopped. */
  waitingCount: number
  shown: number
  onExport: () => void
  exporting: boolean
  /** Number of deliveries without query and state. */
  listed: number
  /** Rows can be selected for bulk actions. */
  choosing: boolean
  onChoosing: (choosing: boolean) => void
}

const stateOptions = [
  { value: '', label: 'All states' },
  // Skipped ones have a switch of their own.
  ...shownDeliveryWords
    .filter((word) => word !== 'skipped')
    .map((value) => ({ value, label: stateLooks[value].word })),
]

export function FilterBar({ inputRef, ...props }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-start gap-2 pb-3">
      <QueryInput
        list="deliveries"
        isCrowded
        label="Filter deliveries"
        placeholder="repo:acme/corpus kind:repo.* status:5xx attempt:>1"
        query={props.text}
        onQuery={props.onText}
        known={props.known}
        issues={props.issues}
        inputRef={inputRef}
      />
      <ViewsMenu
        list="deliveries"
        query={withChoices(props.text, { status: props.state })}
        onQuery={(query) => {
          props.onState('')
          props.onText(query)
        }}
      />
      <Select
        label={words.state}
        value={props.state}
        onChange={props.onState}
        options={stateOptions}
        className="w-38 max-sm:w-30"
      />
      <div className="flex h-8 items-center">
        <Switch checked={props.skipped} onChange={props.onSkipped}>
          {words.skipped}
        </Switch>
      </div>
      <div className="flex h-8 items-center">
        <Switch checked={props.audited} onChange={props.onAudited}>
          Audits
        </Switch>
      </div>
      <output className="px-1 pt-2 text-xs text-faint">
        {props.shown === props.listed
          ? formatCount(props.listed)
          : `${formatCount(props.shown)} of ${formatCount(props.listed)}`}
      </output>
      {hasSpan(props.text) && (
        <Button icon="clock" onClick={() => props.onText(withoutSpan(props.text))}>
          Any time
        </Button>
      )}
      <Button
        icon="check"
        aria-pressed={props.choosing}
        onClick={() => props.onChoosing(!props.choosing)}
        className={classNames(props.choosing && 'border-transparent! bg-accent-soft! text-accent!')}
      >
        Select
      </Button>
      <IconButton
        icon="download"
        label="Export as NDJSON"
        disabled={props.shown === 0}
        busy={props.exporting}
        onClick={props.onExport}
      />
      <Button
        aria-pressed={props.live}
        aria-keyshortcuts="Space"
        onClick={() => props.onLive(!props.live)}
        className={classNames(!props.live && 'border-transparent! bg-warn-soft! text-warn!')}
      >
        {props.live ? (
          <>
            <span className="pulse-live size-2 rounded-full bg-ok" /> Following live
          </>
        ) : (
          <>
            <Icon name="pause" />
            {props.waitingCount > 0
              ? `${formatCount(props.waitingCount)} new ↑`
              : 'Stopped following'}
          </>
        )}
      </Button>
    </div>
  )
}
