import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { describeMatch } from '../../../shared/fault-text.ts'
import { useBarriers, useReleaseBarrier } from '../model/requests.ts'
import { words } from '../words.ts'

/** Shown only while a test holds requests back. */
export function BarriersPanel() {
  const barriers = useBarriers().data?.items ?? []
  const release = useReleaseBarrier()
  if (barriers.length === 0) return null
  return (
    <Panel title={words.barriers} lead="Hold matching requests until you release them.">
      <ul aria-label={words.barriers} className="flex flex-col divide-y divide-line">
        {barriers.map((barrier) => (
          <li key={barrier.id} className="flex items-center gap-3 py-2">
            <span className="min-w-0 flex-1">
              <span className="block font-mono text-xs">{describeMatch(barrier.match)}</span>
              <span className="text-xs text-muted">
                {`${barrier.held.length} of ${barrier.count} requests held`}
              </span>
            </span>
            <Button
              size="small"
              icon="play"
              busy={release.isPending}
              onClick={() => release.mutate(barrier.id)}
            >
              Release
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
