import { useRef, useState } from 'react'
import { part } from '../../api/client.ts'
import { Button, IconButton, buttonClass } from '../../components/button.tsx'
import { Question } from '../../components/dialog.tsx'
import { TextInput } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { notifyFailure } from '../../components/toast.tsx'
import { formatBytes, formatDateTime } from '../../lib/format.ts'
import { ForgottenRequests } from './forgotten-requests.tsx'
import {
  useCreateSnapshot,
  useDeleteSnapshot,
  useRestoreSnapshot,
  useSnapshots,
} from './settings-requests.ts'

export function SnapshotsPanel() {
  const snapshots = useSnapshots()
  const create = useCreateSnapshot()
  const restore = useRestoreSnapshot()
  const remove = useDeleteSnapshot()
  const [restoring, setRestoring] = useState<string>()
  const [deleting, setDeleting] = useState<string>()
  const [name, setName] = useState('')
  const file = useRef<HTMLInputElement>(null)

  async function importFile(chosen: File): Promise<void> {
    try {
      const fixtures: unknown = JSON.parse(await chosen.text())
      create.mutate({ fixtures, ...(name && { name }) })
    } catch (error) {
      notifyFailure(`${chosen.name} is not a fixtures file`, error)
    }
  }

  return (
    <Panel title="Snapshots" lead="The whole state under a name, to go back to.">
      <form
        className="flex flex-wrap gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(name ? { name } : {}, { onSuccess: () => setName('') })
        }}
      >
        <TextInput
          aria-label="Name of the snapshot"
          placeholder="before-upgrade"
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
          className="min-w-40 flex-1"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" icon="camera" busy={create.isPending}>
          Keep
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
      <QueryView query={snapshots} what="snapshots">
        {({ items }) => (
          <ul className="flex flex-col divide-y divide-line pt-1">
            {items.map((snapshot) => (
              <li key={snapshot.name} className="flex flex-wrap items-center gap-2 py-2">
                <span className="min-w-48 flex-1">
                  <span className="block truncate font-medium" title={snapshot.name}>
                    {snapshot.name}
                  </span>
                  <span className="text-xs text-muted">
                    {formatDateTime(snapshot.createdAt)} · {formatBytes(snapshot.size)}
                  </span>
                </span>
                <Button size="small" onClick={() => setRestoring(snapshot.name)}>
                  Restore<span className="sr-only"> {snapshot.name}</span>
                </Button>
                <a
                  href={`${import.meta.env.BASE_URL}api/snapshots/${part(snapshot.name)}`}
                  download={`${snapshot.name}.json`}
                  className={buttonClass('plain', 'small')}
                >
                  Export
                </a>
                <IconButton
                  icon="trash"
                  size="small"
                  label={`Delete ${snapshot.name}`}
                  onClick={() => setDeleting(snapshot.name)}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <Question
        about={restoring}
        onClose={() => setRestoring(undefined)}
        title={(wanted) => `Go back to ${wanted}?`}
        action="Restore it"
        busy={restore.isPending}
        onConfirm={(wanted) => restore.mutate(wanted, { onSettled: () => setRestoring(undefined) })}
      >
        {() => (
          <>
            What there is now is lost unless you keep it under a name first: tokens, sessions,
            repos, webhooks, deliveries and the clock become those of the snapshot, and faults are
            cleared.
            <ForgottenRequests />
          </>
        )}
      </Question>
      <Question
        about={deleting}
        onClose={() => setDeleting(undefined)}
        title={(unwanted) => `Delete ${unwanted}?`}
        action="Delete it"
        busy={remove.isPending}
        onConfirm={(unwanted) =>
          remove.mutate(unwanted, { onSettled: () => setDeleting(undefined) })
        }
      >
        {() => 'The present state stays; there is no way back to this one.'}
      </Question>
    </Panel>
  )
}
