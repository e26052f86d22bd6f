import { useState } from 'react'
import type { RefKind } from '../../../../server/contract/words/hub-words.ts'
import { Chip } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { useCreateRef, useDeleteRef } from '../model/content-requests.ts'
import { RevisionSelect, useRevision } from './revision-select.tsx'
import type { TabProps } from '../model/tab.ts'
import { words } from '../words.ts'

/** Branches and tags: created at the selected revision, and deleted. */
export function RefsTab({ place, repo, actor }: TabProps) {
  const deleting = useQuestion(useDeleteRef(place))
  const refs = [
    ...repo.branches.map((name) => ({ kind: 'branch' as const, name })),
    ...repo.tags.map((name) => ({ kind: 'tag' as const, name })),
  ]
  return (
    <div className="flex flex-col gap-4">
      <CreateRef place={place} repo={repo} actor={actor} />
      <Panel flush>
        <VirtualList
          label={words.branchesAndTags}
          divided
          items={refs}
          itemKey={({ kind, name }) => `${kind} ${name}`}
          estimateSize={45}
          renderItem={({ kind, name }) => (
            <div className="flex items-center gap-2 px-4 py-2">
              <Chip>{kind}</Chip>
              <span className="min-w-0 flex-1 truncate font-mono text-xs" title={name}>
                {name}
              </span>
              <IconButton
                icon="trash"
                size="small"
                label={`Delete ${kind} ${name}`}
                disabled={kind === 'branch' && name === 'main'}
                onClick={() => deleting.ask({ user: actor, kind, name })}
              />
            </div>
          )}
        />
      </Panel>
      <Question
        of={deleting}
        title={({ kind, name }) => `Delete ${kind} ${name}?`}
        action={words.delete}
      >
        {({ user }) =>
          `As ${user}. Commits that are reachable from other branches or tags are kept.`
        }
      </Question>
    </div>
  )
}

function CreateRef({ place, repo, actor }: TabProps) {
  const { revision } = useRevision()
  const [kind, setKind] = useState<RefKind>('branch')
  const [name, setName] = useState('')
  const create = useCreateRef(place)
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ user: actor, kind, name, revision }, { onSuccess: () => setName('') })
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Segments
          label="Kind"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'branch', label: 'Branch' },
            { value: 'tag', label: 'Tag' },
          ]}
        />
        <TextInput
          aria-label="Name"
          required
          placeholder={kind === 'branch' ? 'experiment' : 'v1.0'}
          className="w-56! max-w-full"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <span className="text-xs text-muted">at</span>
        <RevisionSelect repo={repo} />
        <Button type="submit" icon="plus" busy={create.isPending}>
          {words.create}
        </Button>
      </div>
      <FormError error={create.error} />
    </form>
  )
}
