import { useState } from 'react'
import { Link } from 'wouter'
import type { RepoDetail } from '../../../../server/contract/control-repos.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page, Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { repoAddress } from '../../../lib/repo-address.ts'
import { useRepo } from '../model/requests.ts'
import { RepoDialog } from './repo-dialog.tsx'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** The files of a bucket, which has no history. */
export function BucketPage({ name }: { name: string }) {
  const bucket = useRepo(repoAddress({ type: 'bucket', name }))
  const [changing, setChanging] = useState(false)
  return (
    <Page
      title={name}
      lead={bucket.data && <Lead bucket={bucket.data} />}
      actions={
        <>
          {bucket.data && (
            <Button icon="settings" onClick={() => setChanging(true)}>
              {words.settings}
            </Button>
          )}
          <Link href="/repos" className={buttonClass()}>
            <Icon name="repo" /> {words.allRepos}
          </Link>
          {bucket.data && changing && (
            <RepoDialog repo={bucket.data} onClose={() => setChanging(false)} />
          )}
        </>
      }
    >
      <QueryView
        query={bucket}
        what={`the bucket ${name}`}
        wayOut={
          <Link href="/repos" className={buttonClass()}>
            {words.allRepos}
          </Link>
        }
      >
        {(data) => <Files bucket={data} />}
      </QueryView>
    </Page>
  )
}

function Lead({ bucket: { name, visibility, storage } }: { bucket: RepoDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Badge icon="bucket">bucket</Badge>
      {visibility !== 'public' && <Badge icon="lock">{visibility}</Badge>}
      {storage && words.filesWithSize(storage.files, formatBytes(storage.bytes))}
      <CopyButton text={`hf buckets sync hf://buckets/${name} .`} what="Sync command" look="quiet">
        Sync
      </CopyButton>
    </span>
  )
}

function Files({ bucket: { files, moreFiles, url } }: { bucket: RepoDetail }) {
  if (files.length === 0) {
    return (
      <Empty icon="bucket" title="No files">
        {words.emptyBucketHint}
      </Empty>
    )
  }
  return (
    <Panel flush>
      <VirtualList
        label={words.files}
        divided
        items={files}
        itemKey={({ path }) => path}
        estimateSize={37}
        renderItem={({ path, size }) => (
          <a
            href={`${url}/resolve/${path.split('/').map(encodeURIComponent).join('/')}`}
            target="_blank"
            rel="noreferrer"
            className="flex w-full items-center gap-2 px-4 py-2 text-left hover:bg-hover/60"
          >
            <Icon name="repo" className="size-3.5 text-faint" />
            <span className="min-w-0 flex-1 font-mono text-xs break-all">
              {visibleControls(path)}
            </span>
            <span className="text-xs whitespace-nowrap text-muted">{formatBytes(size)}</span>
          </a>
        )}
      />
      {moreFiles !== undefined && (
        <p className="px-4 py-2 text-xs text-muted">{`And ${moreFiles} more`}</p>
      )}
    </Panel>
  )
}
