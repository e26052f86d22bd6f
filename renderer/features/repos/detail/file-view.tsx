import { useState } from 'react'
import type { RepoFile } from '../../../../server/contract/control-repo-contents.ts'
import { ApiError } from '../../../api/client.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyButton, CopyableId } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { Segments } from '../../../ui/segments.tsx'
import { Document } from './document.tsx'
import { CommitDialog } from './commit-dialog.tsx'
import { foldText } from '../model/fold-text.ts'
import { useFile, type RepoPlace } from '../model/content-requests.ts'
import { words } from '../words.ts'

const fileViews = ['source', 'preview'] as const

interface FileViewProps {
  place: RepoPlace
  revision: string
  path: string
  actor: string
  /** Page of the repo on the Hub. */
  repoUrl: string
}

/** One file as text; long files are folded, and binary files are only named. */
export function FileView({ place, revision, path, actor, repoUrl }: FileViewProps) {
  const query = useFile(place, revision, path)
  const [changing, setChanging] = useState<RepoFile>()
  const [view, setView] = useParameter('as-html', fileViews)
  const isGone = query.error instanceof ApiError && query.error.status === 404
  return (
    <>
      <QueryView query={query} what="this file">
        {(file) => (
          <Panel
            title={file.path}
            lead={
              <span className="flex flex-wrap items-center gap-x-3">
                {formatBytes(file.size)}
                <CopyableId text={file.commitId} what="Commit" head={7} tail={0} />
                {file.truncated && 'Only the first MiB is shown; the file cannot be edited here.'}
              </span>
            }
            actions={
              <>
                {file.html !== undefined && (
                  <Segments
                    label="View as"
                    value={view}
                    onChange={setView}
                    options={[
                      { value: 'source', label: 'Source' },
                      { value: 'preview', label: 'Preview' },
                    ]}
                  />
                )}
                {file.content === undefined ? (
                  <a
                    href={`${repoUrl}/resolve/${[revision, ...path.split('/')].map(encodeURIComponent).join('/')}`}
                    className={buttonClass('plain', 'small')}
                  >
                    <Icon name="download" /> Download
                  </a>
                ) : (
                  <CopyButton text={file.content} what="text" />
                )}
                <Button
                  size="small"
                  icon="edit"
                  disabled={file.binary || file.truncated}
                  onClick={() => setChanging(file)}
                >
                  Edit
                </Button>
              </>
            }
          >
            {file.content === undefined ? (
              <p className="py-4 text-sm text-muted">
                {words.fileWithoutText(formatBytes(file.size), file.storage)}
              </p>
            ) : view === 'preview' && file.html !== undefined ? (
              <Document html={file.html} />
            ) : (
              <Text text={file.content} label={file.path} />
            )}
          </Panel>
        )}
      </QueryView>
      {/* Beside it: what is typed stays when the file goes. */}
      {changing && (
        <CommitDialog
          place={place}
          revision={revision}
          actor={actor}
          file={changing}
          latest={isGone ? undefined : query.data}
          onOutdated={() => void query.refetch()}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  )
}

function Text({ text, label }: { text: string; label: string }) {
  const [whole, setWhole] = useState(false)
  const { shown, isFolded, hiddenLines } = foldText(text)
  return (
    <>
      <Code text={whole ? text : shown} json={label.endsWith('.json')} label={label} />
      {isFolded && (
        <Button size="small" className="mt-2" onClick={() => setWhole(!whole)}>
          {whole
            ? 'Show less'
            : hiddenLines > 1
              ? words.showMoreLines(formatCount(hiddenLines))
              : `Show all of ${formatBytes(text.length)}`}
        </Button>
      )}
    </>
  )
}
