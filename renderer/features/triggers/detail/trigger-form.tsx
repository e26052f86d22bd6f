import { useId } from 'react'
import type { EventDescription } from '../../../../server/contract/control-events.ts'
import type { RepoItem } from '../../../../server/contract/control-repos.ts'
import { ApiError } from '../../../api/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field, TextField, TextInput } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Select } from '../../../ui/select.tsx'
import { repoAddress } from '../../../lib/repo-address.ts'
import { edgeCases, type DraftChange, type Draft } from '../model/draft.ts'
import { words } from '../words.ts'

interface TriggerFormProps {
  draft: Draft
  onChange: (draft: Draft) => void
  repos: readonly RepoItem[]
  description: EventDescription | undefined
  /** Error of the request. */
  error: Error | null
}

/** Fields that show their own errors, see FormError. */
export const triggerFieldPaths = ['repo', 'repeat.times']

const modes = [
  { value: 'do', label: words.apply },
  { value: 'send', label: words.payloadOnly },
] as const

const modeHints = {
  do: 'Changes the sandbox exactly as the API would, including side events.',
  send: 'Sends payloads marked as synthetic; nothing changes.',
}

export function TriggerForm({ draft, onChange, repos, description, error }: TriggerFormProps) {
  const listId = useId()
  const issue = (path: string) => (error instanceof ApiError ? error.issue(path) : undefined)
  const patch = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  const nextId = Math.max(0, ...draft.changes.map(({ id }) => id)) + 1
  const changeOne = (id: number, part: Partial<DraftChange>) =>
    patch({
      changes: draft.changes.map((change) => (change.id === id ? { ...change, ...part } : change)),
    })
  const fittingEdgeCases = edgeCases.filter(({ changes }) =>
    changes.every(
      ({ path }) => path === 'event.scope' || description?.fields.some((f) => f.path === path),
    ),
  )
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_6rem]">
        <Field label="Repo" error={issue('repo')}>
          {(control) => (
            <>
              <TextInput
                {...control}
                list={listId}
                value={draft.repo}
                placeholder="datasets/acme/corpus"
                onChange={(event) => patch({ repo: event.target.value })}
              />
              <datalist id={listId}>
                {repos.map((repo) => (
                  <option key={repo.id} value={repoAddress(repo)}>
                    {repo.private ? 'private' : repo.visibility}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <TextField
          label="Times"
          error={issue('repeat.times')}
          type="number"
          min={1}
          max={100_000}
          value={draft.times}
          onChange={(times) => patch({ times })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Segments
          label="Mode"
          value={draft.mode}
          onChange={(mode) => patch({ mode })}
          options={modes}
        />
        <p className="min-w-48 flex-1 text-xs text-muted">{modeHints[draft.mode]}</p>
      </div>
      {draft.changes.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {draft.changes.map((change) => (
            <ChangeRow
              key={change.id}
              change={change}
              description={description}
              onChange={(part) => changeOne(change.id, part)}
              onRemove={() =>
                patch({ changes: draft.changes.filter(({ id }) => id !== change.id) })
              }
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="small"
          icon="plus"
          onClick={() =>
            patch({
              changes: [
                ...draft.changes,
                {
                  id: nextId,
                  path: description?.fields[0]?.path ?? '',
                  remove: false,
                  value: '',
                },
              ],
            })
          }
        >
          Change the payload
        </Button>
        {fittingEdgeCases.map(({ title, changes }) => (
          <Button
            key={title}
            size="small"
            look="quiet"
            onClick={() =>
              patch({
                mode: 'send',
                changes: changes.map(({ path, value, remove = false }, index) => ({
                  id: nextId + index,
                  path,
                  value,
                  remove,
                })),
              })
            }
          >
            {title}
          </Button>
        ))}
      </div>
    </div>
  )
}

function ChangeRow({
  change,
  description,
  onChange,
  onRemove,
}: {
  change: DraftChange
  description: EventDescription | undefined
  onChange: (part: Partial<DraftChange>) => void
  onRemove: () => void
}) {
  const listId = useId()
  return (
    <li className="flex items-center gap-1.5">
      <TextInput
        aria-label="Path in the payload"
        list={listId}
        className="w-44! font-mono text-xs!"
        placeholder="discussion.title"
        value={change.path}
        onChange={(event) => onChange({ path: event.target.value })}
      />
      <datalist id={listId}>
        {description?.fields.map((field) => (
          <option key={field.path} value={field.path}>
            {field.description}
          </option>
        ))}
      </datalist>
      <Select
        label="Change"
        value={change.remove ? 'remove' : 'set'}
        onChange={(value) => onChange({ remove: value === 'remove' })}
        options={[
          { value: 'set', label: 'set to' },
          { value: 'remove', label: 'remove' },
        ]}
      />
      {!change.remove && (
        <TextInput
          aria-label="Value"
          className="min-w-0 flex-1"
          value={change.value}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      )}
      <IconButton icon="trash" size="small" label="Undo this change" onClick={onRemove} />
    </li>
  )
}
