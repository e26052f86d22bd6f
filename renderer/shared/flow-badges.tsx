import type { FlowItem } from '../../server/contract/control-requests.ts'
import { Badge } from '../ui/badge.tsx'
import type { Look } from './flow-looks.ts'
import { words } from './words.ts'

/** Outcome of a sign-in, with marks if an audit began it, or a fault rule changed one of its responses. */
export function FlowBadges({
  look: { tone, icon, word },
  flow,
}: {
  look: Look
  flow: Pick<FlowItem, 'changed' | 'audit'>
}) {
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      {flow.audit && <Badge>{words.audit}</Badge>}
      {flow.changed && (
        <Badge tone="warn" icon="warning">
          {words.changedByFault}
        </Badge>
      )}
    </>
  )
}
