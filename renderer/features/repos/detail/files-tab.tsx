import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Empty } from '../../../ui/states.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { CommitDialog } from './commit-dialog.tsx'
import { Document } from './document.tsx'
import { FileView } from './file-view.tsx'
import { FolderPath } from './folder-path.tsx'
import { MoreButton } from './more-button.tsx'
import { useFile, useFiles } from '../model/content-requests.ts'
import { RevisionSelect, useRevision } from './revision-select.tsx'
import type { TabProps } from '../model/tab.ts'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** The files of a revision, or one of them. */
export function FilesTab({ place, repo, actor }: TabProps) {
  const { revision } = useRevision()
  const [path, setPath] = useParameter('path')
  const [folder, setFolder] = useParameter('folder')
  const [adding, setAdding] = useState(false)
  const openFolder = (next: string) => {
    setFolder(next, { push: true })
    setPath('')
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <RevisionSelect repo={repo} />
        {(path || folder) && (
          <FolderPath root={place.name} path={path || folder} onOpen={openFolder} />
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
          repoUrl={repo.url}
        />
      ) : (
        <FileList
          key={folder}
          place={place}
          revision={revision}
          folder={folder}
          onOpen={(next) => setPath(next, { push: true })}
          onOpenFolder={openFolder}
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
  folder: string
  onOpen: (path: string) => void
  onOpenFolder: (folder: string) => void
}

function FileList({ place, revision, folder, onOpen, onOpenFolder }: FileListProps) {
  const query = useFiles(place, revision, folder)
  return (
    <QueryView query={query} what={`files at ${revision}`}>
      {({ pages }) => {
        const files = pages.flatMap(({ items }) => items)
        if (files.length === 0) return <Empty icon="repo" title="No files at this revision" />
        const readme = files.find(({ path }) => nameOf(path).toLowerCase() === 'readme.md')
        return (
          <div className="flex flex-col gap-4">
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
                    onClick={() => (file.type === 'folder' ? onOpenFolder : onOpen)(file.path)}
                  >
                    <Icon
                      name={file.type === 'folder' ? 'folder' : 'repo'}
                      className="size-3.5 text-faint"
                    />
                    <span className="min-w-0 flex-1 font-mono text-xs break-all">
                      {visibleControls(nameOf(file.path))}
                      {file.type === 'folder' && '/'}
                    </span>
                    {file.storage && <Badge>{words.storages[file.storage]}</Badge>}
                    {file.type === 'file' && (
                      <span className="text-xs whitespace-nowrap text-muted">
                        {formatBytes(file.size)}
                      </span>
                    )}
                  </button>
                )}
              />
              <MoreButton query={query} />
            </Panel>
            {readme && <Readme place={place} revision={revision} path={readme.path} />}
          </div>
        )
      }}
    </QueryView>
  )
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

interface ReadmeProps {
  place: TabProps['place']
  revision: string
  path: string
}

/** Rendered README of a folder, as the Hub shows it. */
function Readme({ place, revision, path }: ReadmeProps) {
  const html = useFile(place, revision, path).data?.html
  if (!html) return null
  return (
    <Panel title={nameOf(path)}>
      <Document html={html} />
    </Panel>
  )
}
