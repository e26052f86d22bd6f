import type { DemoItem } from '../../../server/contract/control-demos.ts'

/** The demo fields that decide where its bar is shown. */
export type DemoPlace = Pick<DemoItem, 'id' | 'kind' | 'done' | 'pace' | 'outcome' | 'flowId'>

/**
 * Returns the demo whose bar belongs to a diagram: that of its sign-in only. A demo without a sign-in so far has its bar
 * where no sign-in is chosen.
 * @param demos newest first
 * @param chosenId sign-in of the address
 * @param newestId newest sign-in, which is drawn where none is chosen
 */
export function shownDemo<Demo extends DemoPlace>(
  demos: readonly Demo[],
  chosenId: string | undefined,
  newestId: string | undefined,
): Demo | undefined {
  const begins = demos.find(({ kind, flowId, done }) => {
    const isWebhook = kind === 'webhook' || kind === 'failing-webhook'
    return !isWebhook && !done && flowId === undefined
  })
  if (chosenId === undefined && begins !== undefined) return begins
  const drawnId = chosenId ?? newestId
  if (drawnId === undefined) return undefined
  return demos.find((demo) => demo.flowId === drawnId && hasBar(demo))
}

/** A demo that ran at once and succeeded has nothing to say beyond its diagram. */
function hasBar({ done, pace, outcome }: DemoPlace): boolean {
  return !done || pace === 'steps' || outcome !== 'completed'
}
