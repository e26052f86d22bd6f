import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { SnapshotList } from '../../../../server/contract/control-sandbox.ts'
import { apiAddress } from '../../../api/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ExportLink } from '../../../shared/export-link.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { notifyFailure } from '../../../ui/toast.tsx'
import { formatBytes, formatDateTime } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { RestoreQuestion } from '../detail/restore-question.tsx'
import {
  useCreateSnapshot,
  useDeleteSnapshot,
  useRestoreSnapshot,
  useSnapshots,
} from '../model/requests.ts'

export function SnapshotsPanel() {
  const snapshots = useSnapshots()
  const restoring = useQuestion(useRestoreSnapshot())
  const deleting = useQuestion(useDeleteSnapshot())
  return (
    <Panel title="Snapshots" lead="Named copies of the whole state.">
      <KeepForm />
      <QueryView query={snapshots} what="snapshots">
        {({ items }) => (
          <ul className="flex flex-col divide-y divide-line pt-1">
            {items.map((snapshot) => (
              <SnapshotRow
                key={snapshot.name}
                snapshot={snapshot}
                onRestore={() => restoring.ask(snapshot.name)}
                onDelete={() => deleting.ask(snapshot.name)}
              />
            ))}
          </ul>
        )}
      </QueryView>
      <RestoreQuestion of={restoring} />
      <Question of={deleting} title={(unwanted) => `Delete ${unwanted}?`} action="Delete snapshot">
        {() => 'The current state stays. The snapshot cannot be recovered.'}
      </Question>
    </Panel>
  )
}

/** Saves the current state, or one from a file, as a snapshot with an optional name. */
function KeepForm() {
  const create = useCreateSnapshot()
  const [name, setName] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const named = omitUndefined({ name: name || undefined })

  async function importFile(chosen: File): Promise<void> {
    try {
      const fixtures: unknown = JSON.parse(await chosen.text())
      create.mutate({ fixtures, ...named })
    } catch (error) {
      notifyFailure(`${chosen.name} is not a fixtures file`, error)
    }
  }

  return (
    <>
      <form
        className="flex flex-wrap gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(named, { onSuccess: () => setName('') })
        }}
      >
        <TextInput
          aria-label="Snapshot name"
          placeholder="before-upgrade"
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
          className="min-w-40 flex-1"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" icon="camera" busy={create.isPending}>
          Save snapshot
        </Button>
        <Button onClick={() => file.current?.click()}>Import…</Button>
        <input
          ref={file}
          type="file"
          accept=".json,.hubsandbox,application/json"
          className="hidden"
          aria-label="Fixtures file to import"
          onChange={(event) => {
            const [chosen] = event.target.files ?? []
            if (chosen) void importFile(chosen)
            event.target.value = ''
          }}
        />
      </form>
      <FormError error={create.error} />
    </>
  )
}

interface SnapshotRowProps {
  snapshot: SnapshotList['items'][number]
  onRestore: () => void
  onDelete: () => void
}

function SnapshotRow({
  snapshot: { name, createdAt, size },
  onRestore,
  onDelete,
}: SnapshotRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-2 py-2">
      <span className="min-w-48 flex-1">
        <Link
          href={`/snapshots/${name}`}
          className="block truncate font-medium hover:underline"
          title={name}
        >
          {name}
        </Link>
        <span className="text-xs text-muted">
          {formatDateTime(createdAt)} · {formatBytes(size)}
        </span>
      </span>
      <span className="flex items-center gap-2">
        <Button size="small" onClick={onRestore}>
          Restore
          <span className="sr-only"> {name}</span>
        </Button>
        <ExportLink
          href={apiAddress('GET snapshots/:name', { params: { name } })}
          name={`${name}.json`}
          size="small"
        >
          Export
        </ExportLink>
        <IconButton icon="trash" size="small" label={`Delete ${name}`} onClick={onDelete} />
      </span>
    </li>
  )
}
