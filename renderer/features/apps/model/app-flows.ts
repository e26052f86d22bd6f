import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { resultOf } from '../../../../server/contract/flow-result.ts'
import type { FlowResult } from '../../../../server/contract/words/sandbox-words.ts'

/** Returns the sign-ins of an app, newest first. */
export function flowsOf(
  flows: readonly FlowItem[],
  { clientId }: { clientId: string },
): readonly FlowItem[] {
  return flows.filter(({ app }) => app?.clientId === clientId)
}

export interface FlowCounts extends Record<FlowResult, number> {
  completed: number
  refused: number
  /** Denied by the user; the app has made no mistake. */
  denied: number
  /** The user did not decide in time, or the app did not use its code. */
  expired: number
  pending: number
}

/** Counts sign-ins by their result. Those of audits count nowhere. */
export function countFlows(flows: readonly FlowItem[]): FlowCounts {
  const counts: FlowCounts = { completed: 0, refused: 0, denied: 0, expired: 0, pending: 0 }
  for (const flow of flows) if (flow.audit !== true) counts[resultOf(flow)] += 1
  return counts
}

/** Returns the share of completed sign-ins among completed and refused ones, such as `67 %`. */
export function passRate({ completed, refused }: FlowCounts): string | undefined {
  const finished = completed + refused
  if (finished === 0) return undefined
  // Rounded down: 100 % means that none was refused.
  return `${Math.floor((completed / finished) * 100)} %`
}
