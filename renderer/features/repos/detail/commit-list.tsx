import { CopyableId } from '../../../ui/copy.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Moment } from '../../../ui/time.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { CommitView } from './commit-view.tsx'
import { MoreButton } from './more-button.tsx'
import { useCommits } from '../model/content-requests.ts'
import { RevisionSelect, useRevision } from './revision-select.tsx'
import type { TabProps } from '../model/tab.ts'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** Commits of a revision, newest first; the URL may name an open one. */
export function CommitList({ place, repo }: TabProps) {
  const { revision } = useRevision()
  const [openId, setOpenId] = useParameter('commit')
  const query = useCommits(place, revision)
  return (
    <>
      <div className="pb-3">
        <RevisionSelect repo={repo} />
      </div>
      <QueryView query={query} what={`commits at ${revision}`}>
        {({ pages }) => (
          <Panel flush>
            <VirtualList
              label={words.commits}
              divided
              items={pages.flatMap(({ items }) => items)}
              itemKey={({ id }) => id}
              estimateSize={53}
              renderItem={({ id, title, author, date }) => (
                <div className="flex items-center gap-3 px-4 py-2">
                  <div className="min-w-0 flex-1">
                    <button
                      type="button"
                      className="max-w-full truncate text-left font-medium hover:underline"
                      title={visibleControls(title)}
                      onClick={() => setOpenId(id, { push: true })}
                    >
                      {visibleControls(title)}
                    </button>
                    <p className="truncate text-xs text-muted">
                      {author} · <Moment time={date} />
                    </p>
                  </div>
                  <CopyableId text={id} what="Commit" head={7} tail={0} />
                </div>
              )}
            />
            <MoreButton query={query} />
          </Panel>
        )}
      </QueryView>
      {openId && <CommitView place={place} id={openId} onClose={() => setOpenId('')} />}
    </>
  )
}
