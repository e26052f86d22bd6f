import { useState } from 'react'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Moment } from '../../../ui/time.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { useParameter } from '../../../lib/parameters.ts'
import { statusTones } from '../model/status-tones.ts'
import { DiscussionView } from './discussion-view.tsx'
import { OpenDiscussionDialog } from './open-discussion-dialog.tsx'
import type { TabProps } from '../model/tab.ts'
import { words } from '../words.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** Discussions and pull requests, newest first, or one of them with its comments. */
export function DiscussionsTab({ place, repo, actor }: TabProps) {
  const [openNum, setOpenNum] = useParameter('num')
  const [opening, setOpening] = useState(false)
  const num = Number(openNum)
  if (openNum && Number.isInteger(num) && num > 0) {
    return (
      <DiscussionView
        key={num}
        place={place}
        num={num}
        actor={actor}
        onClose={() => setOpenNum('')}
      />
    )
  }
  const open = (next: number) => setOpenNum(String(next), { push: true })
  return (
    <>
      <div className="flex pb-3">
        <Button icon="plus" className="ml-auto" onClick={() => setOpening(true)}>
          {words.openDiscussion}
        </Button>
      </div>
      {repo.discussionList.length === 0 ? (
        <Empty icon="info" title="No discussions yet">
          Open one here, or commit as a pull request.
        </Empty>
      ) : (
        <Panel flush>
          <VirtualList
            label={words.discussions}
            divided
            items={repo.discussionList.toReversed()}
            itemKey={(item) => String(item.num)}
            estimateSize={45}
            renderItem={(item) => (
              <div className="flex items-center gap-2 px-4 py-2.5">
                <Badge tone={statusTones[item.status]}>{item.status}</Badge>
                {item.isPullRequest && <Chip>PR</Chip>}
                <button
                  type="button"
                  title={visibleControls(item.title)}
                  className="min-w-0 flex-1 truncate text-left hover:underline"
                  onClick={() => open(item.num)}
                >
                  {visibleControls(item.title)} <span className="text-faint">#{item.num}</span>
                </button>
                <span className="max-w-1/3 truncate text-xs text-muted">
                  {item.author.username} · <Moment time={item.createdAt} />
                </span>
              </div>
            )}
          />
        </Panel>
      )}
      {opening && (
        <OpenDiscussionDialog
          place={place}
          actor={actor}
          onOpened={open}
          onClose={() => setOpening(false)}
        />
      )}
    </>
  )
}
