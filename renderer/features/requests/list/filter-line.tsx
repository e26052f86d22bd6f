import type { QueryIssue } from '../../../../server/contract/query/compile-query.ts'
import { valueOfKey, withKey } from '../../../../server/contract/query/edit-query.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useApps } from '../../../api/apps.ts'
import { QueryInput } from '../../../shared/query/query-input.tsx'
import type { QueryNames } from '../../../shared/query/use-query-names.ts'
import { ViewsMenu } from '../../../shared/query/views-menu.tsx'
import { Select } from '../../../ui/select.tsx'
import { Toggles } from '../../../ui/toggles.tsx'
import { chosenWords, offeredWords, withOffered, wordsForModels } from '../model/filter-words.ts'
import { words } from '../words.ts'

interface FilterLineProps {
  filter: string
  onFilter: (filter: string) => void
  known: QueryNames
  /** Problems of the filter's words. */
  issues: readonly QueryIssue[]
  /** Number of matching requests. */
  count: string
  /** The list has requests to models only. */
  toModels: boolean
}

/** Query of the list, with menus and buttons that write into it. */
export function FilterLine({ filter, onFilter, known, issues, count, toModels }: FilterLineProps) {
  const offered = toModels ? wordsForModels : offeredWords
  return (
    <div className="flex flex-col gap-2 pb-3">
      <div className="flex flex-wrap items-start gap-2">
        <QueryInput
          list="requests"
          label="Filter requests"
          placeholder={
            toModels ? 'model:llama rule:0 from:5m' : 'status:4xx user:alice from:5m /oauth'
          }
          query={filter}
          onQuery={onFilter}
          known={known}
          issues={issues}
        />
        {/* A saved view opens the list of all requests. */}
        {!toModels && <ViewsMenu list="requests" query={filter} onQuery={onFilter} />}
        <UserSelect filter={filter} onFilter={onFilter} />
        {!toModels && <AppSelect filter={filter} onFilter={onFilter} />}
      </div>
      <div className="flex items-start gap-2">
        <Toggles
          label="Quick filters"
          options={offered}
          chosen={chosenWords(offered, filter)}
          onChange={(chosen) => onFilter(withOffered(offered, filter, chosen))}
        />
        <output
          aria-label="Matching requests"
          className="ml-auto whitespace-nowrap min-w-8 pt-1 text-right text-xs text-faint"
        >
          {count}
        </output>
      </div>
    </div>
  )
}

type SelectProps = Pick<FilterLineProps, 'filter' | 'onFilter'>

function UserSelect({ filter, onFilter }: SelectProps) {
  const users = useUsers().data?.items ?? []
  const names = users.map(({ username }) => ({ value: username, label: username }))
  return (
    <Select
      label={words.user}
      className="w-32"
      value={valueOfKey('requests', filter, 'user')}
      onChange={(user) => onFilter(withKey('requests', filter, 'user', user))}
      options={[{ value: '', label: 'Any user' }, ...names]}
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
      value={valueOfKey('requests', filter, 'app')}
      onChange={(app) => onFilter(withKey('requests', filter, 'app', app))}
      options={[
        { value: '', label: 'Any app' },
        ...names.map((name) => ({ value: name, label: name })),
      ]}
    />
  )
}
