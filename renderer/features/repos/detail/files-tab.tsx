import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Empty } from '../../../ui/states.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { CommitDialog } from './commit-dialog.tsx'
import { FileView } from './file-view.tsx'
import { MoreButton } from './more-button.tsx'
import { useFiles } from '../model/content-requests.ts'
import { RevisionSelect, useRevision } from './revision-select.tsx'
import type { TabProps } from '../model/tab.ts'
import { words } from '../words.ts'

/** The files of a revision, or one of them. */
export function FilesTab({ place, repo, actor }: TabProps) {
  const { revision } = useRevision()
  const [path, setPath] = useParameter('path')
  const [adding, setAdding] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <RevisionSelect repo={repo} />
        {path && (
          <Button icon="chevron" onClick={() => setPath('')} className="[&>svg]:rotate-180">
            {words.allFiles}
          </Button>
        )}
        <Button icon="plus" className="ml-auto" onClick={() => setAdding(true)}>
          {words.addFile}
        </Button>
      </div>
      {path ? (
        <FileView
          key={`${revision} ${path}`}
          place={place}
          path={path}
          revision={revision}
          actor={actor}
        />
      ) : (
        <FileList
          place={place}
          revision={revision}
          onOpen={(next) => setPath(next, { push: true })}
        />
      )}
      {adding && (
        <CommitDialog
          place={place}
          revision={revision}
          actor={actor}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

interface FileListProps {
  place: TabProps['place']
  revision: string
  onOpen: (path: string) => void
}

function FileList({ place, revision, onOpen }: FileListProps) {
  const query = useFiles(place, revision)
  return (
    <QueryView query={query} what={`files at ${revision}`}>
      {({ pages }) => {
        const files = pages.flatMap(({ items }) => items)
        if (files.length === 0) return <Empty icon="repo" title={words.noFilesAtThisRevision} />
        return (
          <Panel flush>
            <VirtualList
              label={words.files}
              divided
              items={files}
              itemKey={(file) => file.path}
              estimateSize={37}
              renderItem={(file) => (
                <button
                  type="button"
                  className="flex w-full items-center gap-2 px-4 py-2 text-left hover:bg-hover/60"
                  onClick={() => onOpen(file.path)}
                >
                  <Icon name="repo" className="size-3.5 text-faint" />
                  <span className="min-w-0 flex-1 font-mono text-xs break-all">{file.path}</span>
                  <span className="text-xs whitespace-nowrap text-muted">
                    {formatBytes(file.size)}
                  </span>
                </button>
              )}
            />
            <MoreButton query={query} />
          </Panel>
        )
      }}
    </QueryView>
  )
}
