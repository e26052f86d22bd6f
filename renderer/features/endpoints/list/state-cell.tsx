import type { InferenceEndpointItem } from '../../../../server/contract/control-inference.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Countdown } from '../../../ui/time.tsx'
import { stateTones } from '../model/state-tone.ts'
import { words } from '../words.ts'

const next: Readonly<Partial<Record<InferenceEndpointItem['state'], string>>> = words.nextState

/** State of an endpoint, with the time at which the next one follows by itself. */
export function StateCell({ endpoint }: { endpoint: InferenceEndpointItem }) {
  const { state, changesAt } = endpoint
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
      <Badge tone={stateTones[state]}>{words.stateNames[state]}</Badge>
      {changesAt !== undefined && (
        <span className="text-2xs text-muted">
          {next[state]}
          {' in '}
          <Countdown time={changesAt} />
        </span>
      )}
    </span>
  )
}
