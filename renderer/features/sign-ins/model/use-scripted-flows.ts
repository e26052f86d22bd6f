import { useLocation } from 'wouter'
import { presentationOf } from '../../../lib/present.ts'
import type { DemoRequest } from '../../../../server/contract/control-demos.ts'
import { useDemos, useNextStep, useStartDemo } from '../../../api/demos.ts'
import { type Hotkeys, useHotkeys } from '../../../lib/hotkeys.ts'
import { scriptedFlows } from './scripted-flows.ts'

/** Flows that the presenter starts by a key and plays step by step. */
export function useScriptedFlows() {
  const [, navigate] = useLocation()
  const { data: demos = [] } = useDemos()
  const start = useStartDemo()
  const next = useNextStep()
  const running = demos.find(({ done }) => !done)

  function run(request: DemoRequest): void {
    if (start.isPending) return
    start.mutate(
      { ...request, pace: 'steps' },
      {
        onSuccess: ({ id }) => {
          // Follows the newest sign-in, or the delivery, which the first step begins.
          const show = (deliveryId?: string) =>
            navigate(presentationOf(deliveryId), { replace: true })
          show()
          next.mutate(id, { onSuccess: ({ deliveryId }) => show(deliveryId) })
        },
      },
    )
  }
  const keys: Hotkeys = Object.fromEntries(
    scriptedFlows.flatMap((flow) => [
      [flow.key, () => run(flow.run)],
      [flow.key.toUpperCase(), () => run(flow.refused)],
    ]),
  )
  useHotkeys(keys)

  return {
    /** Flow in progress, if one is. */
    running,
    /** Failure that only the presenter should read. */
    error: start.error ?? next.error,
    playNext(): void {
      if (running !== undefined && running.waiting === undefined && !next.isPending)
        next.mutate(running.id)
    },
  }
}

export type Scripted = ReturnType<typeof useScriptedFlows>
