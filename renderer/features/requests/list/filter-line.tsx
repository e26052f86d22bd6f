import { useEffect, useId, useState } from 'react'
import { requestFilterKeys } from '../../../../server/contract/request-filter.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useApps } from '../../../api/apps.ts'
import { TextInput } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Select } from '../../../ui/select.tsx'
import { Toggles } from '../../../ui/toggles.tsx'
import {
  chosenWords,
  holdsSecret,
  offeredWords,
  valueOf,
  withOffered,
  withValue,
} from '../model/filter-words.ts'
import { words } from '../words.ts'

/** Delay after which a typed word applies. */
const settleMs = 250

interface FilterLineProps {
  filter: string
  onFilter: (filter: string) => void
  /** Problems of the filter's words. */
  problems: readonly string[]
  /** Number of matching requests. */
  count: string
}

/** Filter as one line of words, with buttons for the usual ones. */
export function FilterLine({ filter, onFilter, problems, count }: FilterLineProps) {
  const [draft, setDraft] = useDraft(filter, onFilter)
  const problemsId = useId()
  const told = holdsSecret(draft) ? [words.tokenInFilter] : problems
  return (
    <div className="flex flex-col gap-2 pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="relative min-w-52 flex-1">
          <Icon name="search" className="absolute top-2 left-2.5 size-4 text-faint" />
          <TextInput
            type="search"
            aria-label={words.filterRequests}
            aria-describedby={problemsId}
            aria-invalid={told.length > 0 ? true : undefined}
            placeholder="status:4xx user:alice last 5m /oauth"
            title={words.filterHelp(Object.keys(requestFilterKeys).join(', '))}
            className="pl-8"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
          />
        </div>
        <UserSelect filter={filter} onFilter={onFilter} />
        <AppSelect filter={filter} onFilter={onFilter} />
        <output aria-label={words.matching} className="min-w-8 text-right text-xs text-faint">
          {count}
        </output>
      </div>
      <Toggles
        label={words.quickFilters}
        options={offeredWords}
        chosen={chosenWords(filter)}
        onChange={(chosen) => onFilter(withOffered(filter, chosen))}
      />
      <div id={problemsId} role="alert" className="text-xs text-bad empty:hidden">
        {told.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  )
}

/** Typed text; the filter follows after a pause. */
function useDraft(filter: string, onFilter: (filter: string) => void) {
  const [draft, setDraft] = useState(filter)
  const [taken, setTaken] = useState(filter)
  // Changed by a button or by going back.
  if (filter !== taken) {
    setTaken(filter)
    setDraft(filter)
  }
  useEffect(() => {
    if (draft === filter || holdsSecret(draft)) return undefined
    const timer = setTimeout(() => {
      setTaken(draft)
      onFilter(draft)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [draft, filter, onFilter])
  return [draft, setDraft] as const
}

type SelectProps = Pick<FilterLineProps, 'filter' | 'onFilter'>

function UserSelect({ filter, onFilter }: SelectProps) {
  const users = useUsers().data?.items ?? []
  const names = users.map(({ username }) => ({ value: username, label: username }))
  return (
    <Select
      label={words.user}
      className="w-32"
      value={valueOf(filter, 'user')}
      onChange={(user) => onFilter(withValue(filter, 'user', user))}
      options={[{ value: '', label: words.anyUser }, ...names]}
    />
  )
}

function AppSelect({ filter, onFilter }: SelectProps) {
  const apps = useApps().data?.items ?? []
  const names = [...new Set(apps.map(({ name }) => name))]
  return (
    <Select
      label={words.app}
      className="w-40"
      value={valueOf(filter, 'app')}
      onChange={(app) => onFilter(withValue(filter, 'app', app))}
      options={[
        { value: '', label: words.anyApp },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
    />
  )
}
