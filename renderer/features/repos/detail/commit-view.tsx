import type { CommitDetail } from '../../../../server/contract/control-repo-contents.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { useCommitDetail, type RepoPlace } from '../model/content-requests.ts'
import { DiffView } from './diff-view.tsx'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

interface CommitViewProps {
  place: RepoPlace
  id: string
  onClose: () => void
}

/** One commit with the files that it changes. */
export function CommitView({ place, id, onClose }: CommitViewProps) {
  const query = useCommitDetail(place, id)
  return (
    <Dialog wide open onOpenChange={onClose} title={query.data?.title ?? words.commit}>
      <DialogBody textOnly>
        <QueryView query={query} what="this commit">
          {(commit) => (
            <div className="flex flex-col gap-4">
              {commit.message && (
                <p className="text-sm break-words whitespace-pre-wrap">
                  {visibleControls(commit.message)}
                </p>
              )}
              <Facts
                items={[
                  [words.commit, <CopyableId key="c" text={commit.id} what="Commit" head={12} />],
                  ['Author', commit.author],
                  ['Date', formatDateTime(commit.date)],
                  ['Parent', commit.parents.map((parent) => parent.slice(0, 7)).join(', ')],
                ]}
              />
              <ChangedFiles commit={commit} />
              {commit.diff && <DiffView diff={commit.diff} />}
            </div>
          )}
        </QueryView>
      </DialogBody>
    </Dialog>
  )
}

const tones: Record<'added' | 'modified' | 'deleted', Tone> = {
  added: 'ok',
  modified: 'warn',
  deleted: 'bad',
}
const kinds = ['added', 'modified', 'deleted'] as const

function ChangedFiles({ commit }: { commit: CommitDetail }) {
  const files = kinds.flatMap((kind) => commit[kind].map((path) => ({ kind, path })))
  return (
    <section>
      <h3 className="eyebrow pb-1.5">{words.files}</h3>
      {files.length === 0 && <p className="text-sm text-muted">{words.noFilesChanged}</p>}
      <VirtualList
        label="Changed files"
        items={files}
        itemKey={({ path }) => path}
        estimateSize={32}
        renderItem={({ kind, path }) => (
          <span className="flex items-center gap-2">
            <Badge tone={tones[kind]}>{kind}</Badge>
            <span className="min-w-0 font-mono text-xs break-all">{visibleControls(path)}</span>
          </span>
        )}
      />
      {commit.more > 0 && (
        <p className="pt-2 text-xs text-muted">{`And ${formatCount(commit.more)} more.`}</p>
      )}
    </section>
  )
}
