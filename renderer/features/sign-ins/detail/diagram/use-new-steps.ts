import { useState } from 'react'
import type { FlowDetail } from '../../../../../server/contract/control-flows.ts'

/** Which steps came while one looked on: a flow that is opened stands there at once, and only then something moves. */
export function useNewSteps(flow: FlowDetail): (id: string) => boolean {
  const [first] = useState(() => new Set(flow.steps.map(({ id }) => id)))
  return (id) => !first.has(id)
}
