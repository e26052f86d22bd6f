import { ResourcePage } from '../../shared/resource-page.tsx'
import { useState } from 'react'
import type { PublisherItem } from '../../../server/contract/control-publishers.ts'
import { ciProviderNames } from '../../../server/contract/words/ci-words.ts'
import { Button } from '../../ui/button.tsx'
import { Chips } from '../../ui/chips.tsx'
import { Empty } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Column } from '../../ui/table.tsx'
import { Moment } from '../../ui/time.tsx'
import { PublisherDialog } from './detail/publisher-dialog.tsx'
import { usePublishers, useUpdatePublisher } from './model/requests.ts'
import { words } from './words.ts'

export function PublishersPage() {
  const publishers = usePublishers()
  const update = useUpdatePublisher()
  const [edited, setEdited] = useState<PublisherItem>()
  const columns: Column<PublisherItem>[] = [
    {
      title: 'Publisher',
      minWidth: 9,
      sortBy: ({ name }) => name,
      renderCell: ({ name, provider }) => (
        <span className="flex min-w-0 flex-col">
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
          <span className="text-2xs text-muted">{ciProviderNames[provider]}</span>
        </span>
      ),
    },
    {
      title: words.resource,
      minWidth: 8,
      sortBy: ({ resource }) => resource,
      renderCell: ({ resource }) => (
        <span className="block truncate font-mono text-xs" title={resource}>
          {resource}
        </span>
      ),
    },
    {
      title: words.claims,
      minWidth: 10,
      renderCell: ({ claims }) => (
        <Chips
          words={Object.entries(claims).map(([name, value]) => `${name}=${value}`)}
          what="claims"
        />
      ),
    },
    {
      title: 'Last used',
      width: 7.5,
      priority: 2,
      descendsFirst: true,
      sortBy: ({ lastUsedAt }) => lastUsedAt,
      renderCell: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span className="text-muted">never</span>
        ) : (
          <Moment time={lastUsedAt} />
        ),
    },
    {
      title: words.enabled,
      width: 6.5,
      sortBy: ({ disabled }) => Number(disabled),
      renderCell: ({ id, name, disabled }) => (
        <Switch
          checked={!disabled}
          busy={update.isPending}
          onChange={(enabled) => update.mutate({ id, disabled: !enabled })}
        >
          <span className="sr-only">
            {words.enabled}: {name}
          </span>
        </Switch>
      ),
    },
    {
      title: 'Actions',
      inCard: 'action',
      width: 6.5,
      align: 'right',
      renderCell: (publisher) => (
        <Button
          size="small"
          aria-label={`Edit publisher ${publisher.name}`}
          onClick={() => setEdited(publisher)}
        >
          Edit
        </Button>
      ),
    },
  ]
  return (
    <ResourcePage
      title={words.title}
      lead="CI jobs that exchange the ID token of their provider for a token of a repo or user."
      query={publishers}
      what="trusted publishers"
      rowKey={({ id }) => id}
      columns={columns}
      renderEmpty={() => (
        <Empty icon="key" title="No trusted publishers yet" command={words.example}>
          Add one for a repo or user, then run a job:
        </Empty>
      )}
      create={{
        label: words.add,
        renderDialog: (close) => <PublisherDialog publisher={undefined} onClose={close} />,
      }}
    >
      {edited && <PublisherDialog publisher={edited} onClose={() => setEdited(undefined)} />}
    </ResourcePage>
  )
}
