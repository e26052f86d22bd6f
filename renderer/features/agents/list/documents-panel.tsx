import { useRef, useState, type DragEvent } from 'react'
import type { MetadataDocumentCheck } from '../../../../server/contract/control-apps.ts'
import { formatBytes } from '../../../lib/format.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Panel } from '../../../ui/page.tsx'
import { notifyFailure } from '../../../ui/toast.tsx'
import {
  useCheckDocument,
  useDocuments,
  useRemoveDocument,
  useServeDocument,
} from '../model/requests.ts'
import { words } from '../words.ts'

/** Largest file that is sent to be checked: far more than the Hub reads. */
const mostBytes = 256 * 1024

interface Checked {
  file: string
  check: MetadataDocumentCheck
}

/** Checks a client metadata document line by line, serves it, and lists those that are served. */
export function DocumentsPanel() {
  const [checked, setChecked] = useState<Checked>()
  const check = useCheckDocument()
  const take = async (file: File) => {
    if (file.size > mostBytes) {
      notifyFailure(
        words.checkFailed,
        new Error(`The file has ${formatBytes(file.size)}: the Hub reads at most 5 KB.`),
      )
      return
    }
    const text = (await file.text()).replace(/^\uFEFF/, '')
    check.mutate(text, { onSuccess: (answer) => setChecked({ file: file.name, check: answer }) })
  }
  return (
    <Panel
      title="Client metadata documents"
      lead="Serve a document without a web site. The check shows what the Hub would refuse."
    >
      <div className="flex flex-col gap-3">
        <DropZone isBusy={check.isPending} onFile={(file) => void take(file)} />
        {checked && <CheckView key={checked.check.url} {...checked} />}
        <ServedDocuments />
      </div>
    </Panel>
  )
}

function DropZone({ isBusy, onFile }: { isBusy: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  return (
    // Files can also be chosen by the button.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-wrap items-center justify-center gap-2 rounded-lg border border-dashed p-4 text-sm text-muted ${isOver ? 'border-accent bg-sunken' : 'border-line-strong'}`}
    >
      Drop a JSON file here, or
      <Button size="small" busy={isBusy} onClick={() => input.current?.click()}>
        Choose file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        className="hidden"
        aria-label="Client metadata document"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
    </div>
  )
}

function CheckView({ file, check: { url, document, problems } }: Checked) {
  const served = useDocuments().data?.items ?? []
  const serve = useServeDocument()
  const isThere = served.some((one) => one.url === url)
  return (
    <section aria-label={`Check of ${file}`} className="flex flex-col gap-2" aria-live="polite">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 text-sm">
          <span className="font-mono text-xs">{file}</span>{' '}
          {problems.length === 0
            ? 'The Hub accepts this document.'
            : problems.length === 1
              ? 'The Hub refuses this document: 1 problem.'
              : `The Hub refuses this document: ${problems.length} problems.`}
        </p>
        {document && (
          <Button
            size="small"
            look={problems.length === 0 ? 'primary' : 'plain'}
            busy={serve.isPending}
            onClick={() => serve.mutate({ url, document, isThere })}
          >
            {isThere ? 'Replace document' : 'Serve document'}
          </Button>
        )}
      </div>
      {problems.length > 0 && (
        <ol aria-label="Problems" className="flex flex-col gap-2">
          {problems.map(({ line, column, member, message, fix }) => (
            <li key={`${member} ${message}`} className="rounded-lg border border-line p-2 text-sm">
              <span className="font-mono text-xs text-muted">{`Line ${line}, column ${column}`}</span>
              <p className="break-words">{message}</p>
              <p className="text-xs break-words text-muted">{`Fix: ${fix}`}</p>
            </li>
          ))}
        </ol>
      )}
      {document && (
        <p className="flex min-w-0 items-center gap-2 text-xs text-muted">
          {words.clientId} <CopyableId text={url} shown={url} what={words.clientId} />
        </p>
      )}
    </section>
  )
}

function ServedDocuments() {
  const documents = useDocuments()
  const remove = useRemoveDocument()
  return (
    <QueryView query={documents} what="documents">
      {({ items }) =>
        items.length === 0 ? null : (
          <ul aria-label="Served documents" className="flex flex-col divide-y divide-line">
            {items.map(({ url, problems = [] }) => (
              <li key={url} className="flex flex-wrap items-center gap-2 py-2">
                <span className="min-w-0 flex-1 truncate">
                  <CopyableId text={url} shown={url} what={words.clientId} />
                </span>
                <Badge tone={problems.length === 0 ? 'ok' : 'warn'}>
                  {problems.length === 0
                    ? 'accepted'
                    : problems.length === 1
                      ? '1 problem'
                      : `${problems.length} problems`}
                </Badge>
                <Button
                  size="small"
                  look="quiet"
                  aria-label={`Stop serving ${url}`}
                  busy={remove.isPending}
                  onClick={() => remove.mutate(url)}
                >
                  Stop serving
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}
