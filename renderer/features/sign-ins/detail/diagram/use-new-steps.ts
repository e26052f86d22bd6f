import { useState } from 'react'
import type { FlowDetail } from '../../../../../server/contract/control-flows.ts'

/** Tells which steps arrived while the flow was open; only these are animated. */
export function useNewSteps(flow: FlowDetail): (id: string) => boolean {
  const [first] = useState(() => new Set(flow.steps.map(({ id }) => id)))
  return (id) => !first.has(id)
}
