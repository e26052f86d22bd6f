import {
  type EndpointState,
  endpointStates,
} from '../../../../server/contract/words/endpoint-words.ts'
import { Badge } from '../../../ui/badge.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { stateTones } from '../model/state-tone.ts'
import { words } from '../words.ts'

/** States of an endpoint with what leads out of each; the present one is marked. */
export function StateMachine({ present }: { present: EndpointState }) {
  return (
    <ol aria-label={words.states} className="flex flex-col gap-0.5">
      {endpointStates.map((state) => (
        <li
          key={state}
          aria-current={state === present ? 'step' : undefined}
          className={classNames(
            'grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-2 rounded-md px-2 py-1',
            state === present && 'bg-accent-soft',
          )}
        >
          <span className="flex items-center gap-1.5">
            <Badge tone={state === present ? stateTones[state] : 'neutral'}>
              {words.stateNames[state]}
            </Badge>
            {state === present && <span className="sr-only">now</span>}
          </span>
          <span className="text-xs text-muted">{words.leaves[state]}</span>
        </li>
      ))}
    </ol>
  )
}
