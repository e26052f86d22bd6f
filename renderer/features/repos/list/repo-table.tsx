import { Link } from 'wouter'
import type { RepoItem } from '../../../../server/contract/control-repos.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Empty, NoMatch } from '../../../ui/states.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { Moment } from '../../../ui/time.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { anyRepoTypes } from '../../../../server/contract/words/hub-words.ts'
import { words } from '../words.ts'

const filters = ['all', ...anyRepoTypes] as const

interface RepoTableProps {
  items: readonly RepoItem[]
  onOpen: (repo: RepoItem) => void
}

export function RepoTable({ items, onOpen }: RepoTableProps) {
  const [filter, setFilter] = useParameter('type', filters)
  const [text, setText] = useParameter('q')
  const rows = items.filter(
    ({ type, name }) =>
      (filter === 'all' || type === filter) && name.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <Segments
          label={words.type}
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'all', label: 'All', count: items.length },
            { value: 'model', label: 'Models' },
            { value: 'dataset', label: 'Datasets' },
            { value: 'space', label: 'Spaces' },
            { value: 'bucket', label: 'Buckets' },
          ]}
        />
        <TextInput
          type="search"
          aria-label="Filter repos"
          placeholder={words.name}
          className="w-56! max-w-full"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Panel flush>
        {rows.length > 0 ? (
          <Table
            label={words.repos}
            rows={rows}
            rowKey={({ id }) => id}
            columns={repoColumns(onOpen)}
          />
        ) : items.length > 0 ? (
          <NoMatch
            what="repos"
            onClear={() => {
              setFilter('all')
              setText('')
            }}
          />
        ) : (
          <Empty icon="repo" title="No repos yet">
            Create one here, or with a Hub client that uses this sandbox.
          </Empty>
        )}
      </Panel>
    </>
  )
}

function repoColumns(onOpen: (repo: RepoItem) => void): Column<RepoItem>[] {
  return [
    {
      title: words.repo,
      minWidth: 9,
      sortBy: ({ name }) => name,
      renderCell: (repo) => (
        <Link
          href={`/repos/${repo.type}/${repo.name}`}
          title={repo.name}
          className="flex max-w-full items-center gap-2 font-medium hover:underline"
        >
          <Icon name={repo.type} className="size-4 text-faint" />
          <span className="truncate">{repo.name}</span>
        </Link>
      ),
    },
    {
      title: 'Access',
      width: 9,
      sortBy: (repo) => Number(repo.private),
      renderCell: (repo) => (
        <span className="flex flex-wrap gap-1">
          {repo.visibility !== 'public' && <Badge icon="lock">{repo.visibility}</Badge>}
          {repo.gated !== false && <Badge tone="warn">{words.gatedBy(repo.gated)}</Badge>}
        </span>
      ),
    },
    {
      title: words.branches,
      width: 6,
      align: 'right',
      priority: 3,
      descendsFirst: true,
      sortBy: ({ branches }) => branches.length,
      renderCell: (repo) => repo.branches.length,
    },
    {
      title: words.tags,
      width: 4.5,
      align: 'right',
      priority: 3,
      descendsFirst: true,
      sortBy: ({ tags }) => tags.length,
      renderCell: (repo) => repo.tags.length,
    },
    {
      title: words.discussions,
      width: 7,
      align: 'right',
      priority: 3,
      descendsFirst: true,
      sortBy: ({ discussions }) => discussions,
      renderCell: (repo) => repo.discussions,
    },
    {
      title: 'Head',
      width: 7,
      priority: 3,
      renderCell: ({ headSha }) =>
        headSha && <CopyableId text={headSha} what="Commit" head={7} tail={0} />,
    },
    {
      title: 'Changed',
      priority: 2,
      width: 7.5,
      descendsFirst: true,
      sortBy: ({ updatedAt }) => updatedAt,
      renderCell: ({ updatedAt }) => (
        <span className="text-xs text-muted">
          <Moment time={updatedAt} />
        </span>
      ),
    },
    {
      title: words.settings,
      inCard: 'action',
      width: 5.5,
      align: 'right',
      renderCell: (repo) => (
        <IconButton
          icon="settings"
          size="small"
          label={`Settings of ${repo.name}`}
          onClick={() => onOpen(repo)}
        />
      ),
    },
  ]
}
