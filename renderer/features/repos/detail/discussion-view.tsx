import type { DiscussionDetail } from '../../../../server/contract/control-repo-contents.ts'
import type { ChangedStatus } from '../../../../server/contract/words/hub-words.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { statusTones } from '../model/status-tones.ts'
import { DiffView } from './diff-view.tsx'
import { CommentForm } from './comment-form.tsx'
import {
  useDiscussion,
  useMerge,
  useUpdateDiscussion,
  type RepoPlace,
} from '../model/content-requests.ts'
import { TimelineEntry } from './timeline-entry.tsx'
import { words } from '../words.ts'

interface DiscussionViewProps {
  place: RepoPlace
  num: number
  actor: string
  onClose: () => void
}

/** Discussion or pull request with its comments and actions. */
export function DiscussionView({ place, num, actor, onClose }: DiscussionViewProps) {
  const query = useDiscussion(place, num)
  const back = (
    <Button icon="chevron" onClick={onClose} className="[&>svg]:rotate-180">
      All discussions
    </Button>
  )
  return (
    <QueryView query={query} what={`discussion #${num}`} wayOut={back}>
      {(discussion) => (
        <>
          <div className="flex flex-wrap items-center gap-2 pb-3">
            {back}
            <Badge tone={statusTones[discussion.status]}>{discussion.status}</Badge>
          </div>
          <Panel
            title={`${discussion.title} #${num}`}
            lead={
              discussion.base === undefined ? 'Discussion' : `Pull request for ${discussion.base}`
            }
          >
            <VirtualList
              label="Comments"
              items={discussion.timeline}
              itemKey={({ id }) => id}
              estimateSize={90}
              renderItem={(entry) => <TimelineEntry entry={entry} />}
            />
            <div className="mt-3 flex flex-col gap-3 border-t border-line pt-3">
              <CommentForm place={place} num={num} actor={actor} />
              <Moves place={place} discussion={discussion} actor={actor} />
            </div>
          </Panel>
          {discussion.diff !== undefined && (
            <div className="pt-4">
              <Panel title={words.changes}>
                <DiffView diff={discussion.diff} />
              </Panel>
            </div>
          )}
        </>
      )}
    </QueryView>
  )
}

interface MovesProps {
  place: RepoPlace
  discussion: DiscussionDetail
  actor: string
}

/** Actions that change its status. The Hub's rules decide on each attempt whether the user may. */
function Moves({ place, discussion, actor }: MovesProps) {
  const { num, status, isPullRequest, conflicts } = discussion
  const update = useUpdateDiscussion(place, num)
  const merge = useMerge(place, num)
  const change = (next: ChangedStatus) => update.mutate({ user: actor, status: next })
  return (
    <>
      {conflicts.length > 0 && (
        <p className="rounded-lg bg-warn-soft px-3 py-2 text-xs text-warn">
          Cannot be merged: {conflicts.slice(0, 5).join(', ')} changed on both sides.
        </p>
      )}
      <FormError error={update.error ?? merge.error} />
      <div className="flex flex-wrap gap-2">
        {isPullRequest && status === 'open' && (
          <Button
            look="primary"
            icon="check"
            busy={merge.isPending}
            onClick={() => merge.mutate({ user: actor })}
          >
            Merge
          </Button>
        )}
        {(status === 'open' || status === 'draft') && (
          <Button icon="cross" busy={update.isPending} onClick={() => change('closed')}>
            Close
          </Button>
        )}
        {(status === 'closed' || status === 'draft') && (
          <Button icon="play" busy={update.isPending} onClick={() => change('open')}>
            {status === 'draft' ? 'Ready for review' : 'Reopen'}
          </Button>
        )}
      </div>
    </>
  )
}
