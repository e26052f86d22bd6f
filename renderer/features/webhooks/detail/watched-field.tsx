import { useId } from 'react'
import { useOrganizations, useUsers } from '../../../api/accounts.ts'
import { useRepos } from '../../../api/repos.ts'
import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Watched, type WebhookForm, withTyped } from '../model/webhook-form.ts'

const types: readonly { value: Watched['type']; label: string }[] = [
  { value: 'user', label: 'User' },
  { value: 'org', label: 'Organization' },
  { value: 'model', label: 'Model' },
  { value: 'dataset', label: 'Dataset' },
  { value: 'space', label: 'Space' },
  { value: 'bucket', label: 'Bucket' },
  { value: 'kernel', label: 'Kernel' },
]

interface WatchedFieldProps {
  form: WebhookForm
  error: string | undefined
  onChange: (part: Pick<Partial<WebhookForm>, 'watched' | 'adding'>) => void
}

export function WatchedField({ form, error, onChange }: WatchedFieldProps) {
  const id = useId()
  const { watched, adding } = form
  const { type, name } = adding
  const suggestions = useSuggestions(type)
  const edit = (part: Partial<Watched>) => onChange({ adding: { ...adding, ...part } })
  const add = () => onChange({ watched: withTyped(form), adding: { ...adding, name: '' } })

  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 text-xs font-medium">Watches</legend>
      {watched.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {watched.map((item) => (
            <li
              key={`${item.type} ${item.name}`}
              className="flex items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pr-1 pl-2 font-mono text-xs"
            >
              {item.type}:{item.name}
              <button
                type="button"
                aria-label={`Do not watch ${item.name}`}
                className="rounded p-0.5 text-faint hover:text-bad"
                onClick={() => onChange({ watched: watched.filter((other) => other !== item) })}
              >
                <Icon name="cross" className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-1.5">
        <Select
          label="Kind"
          value={type}
          onChange={(next) => edit({ type: next })}
          options={types}
        />
        <TextInput
          aria-label="Name"
          list={id}
          className="min-w-32 flex-1"
          placeholder={type === 'user' || type === 'org' ? 'acme' : 'acme/corpus'}
          value={name}
          onChange={(event) => edit({ name: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <datalist id={id}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion}>
              {suggestion}
            </option>
          ))}
        </datalist>
        <Button icon="plus" onClick={add} disabled={!name.trim()}>
          Add
        </Button>
      </div>
      {error && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  )
}

function useSuggestions(type: Watched['type']): string[] {
  const users = useUsers().data?.items ?? []
  const organizations = useOrganizations().data?.items ?? []
  const repos = useRepos().data?.items ?? []
  if (type === 'user') return users.map(({ username }) => username)
  if (type === 'org') return organizations.map(({ name }) => name)
  return repos.filter((repo) => repo.type === type).map(({ name }) => name)
}
