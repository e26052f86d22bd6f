import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { RepoItem } from '../../../server/contract/control-repos.ts'
import { useRepos } from '../../api/repos.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyableId } from '../../components/copy.tsx'
import { Dialog, DialogBody } from '../../components/dialog.tsx'
import { TextInput } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Segments } from '../../components/segments.tsx'
import { Empty, Unknown } from '../../components/states.tsx'
import { Table, type Column } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'
import { CreateRepoDialog } from './create-repo-dialog.tsx'
import { RepoDialog } from './repo-dialog.tsx'

type Filter = 'all' | RepoItem['type']

export function ReposPage() {
  const repos = useRepos()
  const [parameters, setParameters] = useSearchParams()
  const [creating, setCreating] = useState(false)
  const filter = (parameters.get('type') ?? 'all') as Filter
  const text = parameters.get('q') ?? ''
  const openId = parameters.get('open')
  const set = (name: string, value: string) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current)
        if (value === '' || value === 'all') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const columns: Column<RepoItem>[] = [
    {
      title: 'Repo',
      minWidth: 9,
      renderCell: (repo) => (
        <button
          type="button"
          title={repo.name}
          className="flex max-w-full items-center gap-2 text-left font-medium hover:underline"
          onClick={() => set('open', repo.id)}
        >
          <Icon name={repo.type} className="size-4 text-faint" />
          <span className="truncate">{repo.name}</span>
        </button>
      ),
    },
    {
      title: 'Access',
      width: 9,
      renderCell: (repo) => (
        <span className="flex flex-wrap gap-1">
          {repo.visibility !== 'public' && <Badge icon="lock">{repo.visibility}</Badge>}
          {repo.gated !== false && <Badge tone="warn">gated, {repo.gated}</Badge>}
        </span>
      ),
    },
    {
      title: 'Branches',
      width: 6,
      align: 'right',
      wideOnly: true,
      renderCell: (repo) => repo.branches.length,
    },
    {
      title: 'Tags',
      width: 4.5,
      align: 'right',
      wideOnly: true,
      renderCell: (repo) => repo.tags.length,
    },
    {
      title: 'Discussions',
      width: 7,
      align: 'right',
      wideOnly: true,
      renderCell: (repo) => repo.discussions,
    },
    {
      title: 'Head',
      width: 7,
      wideOnly: true,
      renderCell: ({ headSha }) =>
        headSha && <CopyableId text={headSha} what="Commit" head={7} tail={0} />,
    },
    {
      title: 'Changed',
      width: 5.5,
      renderCell: ({ updatedAt }) => (
        <span className="text-xs text-muted">
          <Ago time={updatedAt} />
        </span>
      ),
    },
  ]
  return (
    <Page
      title="Repos"
      lead="Models, datasets and Spaces. Every change is a real one and may call webhooks."
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          Create a repo
        </Button>
      }
    >
      <QueryView query={repos} what="repos">
        {({ items }) => {
          const rows = items.filter(
            (repo) =>
              (filter === 'all' || repo.type === filter) &&
              repo.name.toLowerCase().includes(text.toLowerCase()),
          )
          const opened = items.find(({ id }) => id === openId)
          return (
            <>
              <div className="flex flex-wrap items-center gap-2 pb-3">
                <Segments<Filter>
                  label="Type"
                  value={filter}
                  onChange={(value) => set('type', value)}
                  options={[
                    { value: 'all', label: 'All', count: items.length },
                    { value: 'model', label: 'Models' },
                    { value: 'dataset', label: 'Datasets' },
                    { value: 'space', label: 'Spaces' },
                  ]}
                />
                <TextInput
                  type="search"
                  aria-label="Filter repos"
                  placeholder="Name"
                  className="w-56! max-w-full"
                  value={text}
                  onChange={(event) => set('q', event.target.value)}
                />
              </div>
              <Panel flush>
                {rows.length > 0 ? (
                  <Table label="Repos" rows={rows} rowKey={({ id }) => id} columns={columns} />
                ) : (
                  <Empty
                    icon="repo"
                    title={items.length === 0 ? 'No repos yet' : 'No repo matches'}
                  >
                    Create one here, or with the hub’s own client pointed at this sandbox.
                  </Empty>
                )}
              </Panel>
              {openId && !opened && (
                <Dialog open onOpenChange={() => set('open', '')} title="Repo">
                  <DialogBody textOnly>
                    <Unknown title="There is no such repo">No repo has the id {openId}.</Unknown>
                  </DialogBody>
                </Dialog>
              )}
              {opened && <RepoDialog repo={opened} onClose={() => set('open', '')} />}
            </>
          )
        }}
      </QueryView>
      {creating && <CreateRepoDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
