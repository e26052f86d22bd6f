import type { FlowItem } from '../../server/contract/control-requests.ts'
import { Badge } from '../ui/badge.tsx'
import type { Look } from './flow-looks.ts'
import { words } from './words.ts'

/** Outcome of a sign-in, and a mark if a fault rule changed one of its responses. */
export function FlowBadges({
  look: { tone, icon, word },
  flow,
}: {
  look: Look
  flow: Pick<FlowItem, 'changed'>
}) {
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
      {flow.changed && (
        <Badge tone="warn" icon="warning">
          {words.changedByFault}
        </Badge>
      )}
    </>
  )
}
