import { isoTime } from '../../core/time.ts'
import { firstAndLatest } from '../../core/first-and-latest.ts'
import type { FlowDetail, FlowStepDetail } from '../../contract/control-flows.ts'
import type { FlowItem } from '../../contract/control-requests.ts'
import type { StepDescription } from '../../inspect/details/describe-step.ts'
import type { FlowDrawing } from '../../inspect/drawing/draw-flow.ts'
import { standingOf } from '../../inspect/drawing/flow-outcome.ts'
import type { Flow } from '../../inspect/flows/flows.ts'
import { partiesOfAll } from '../../inspect/flows/parties.ts'
import { appRef, organizationRef, userRef, type ViewDeps } from '../../hub/access/refs.ts'
import { isFlowOfAudit } from '../audit/of-audit.ts'
import { describeRequest, type LogViewDeps } from '../requests/view.ts'

/** Number of first and of latest requests in a list: a device may poll for hours. */
const listedRequests = 50

export function describeFlow(deps: LogViewDeps, flow: Flow): FlowItem {
  const { id, kind, records } = flow
  const listed = firstAndLatest(records, listedRequests)
  return {
    id,
    kind,
    ...partiesView(deps, partiesOfAll(deps, records)),
    startedAt: isoTime(records[0]?.at ?? 0),
    lastAt: isoTime(records.at(-1)?.at ?? 0),
    ...standingOf(deps, flow),
    ...auditMark(deps, flow),
    requestCount: records.length,
    requests: listed.map((record) => describeRequest(deps, record, id)),
  }
}

export function describeFlowInDetail(deps: LogViewDeps, drawing: FlowDrawing): FlowDetail {
  const { clientId, userId, ...rest } = drawing
  const flow = deps.requests.flows.get(drawing.id)
  return { ...rest, ...partiesView(deps, { clientId, userId }), ...auditMark(deps, flow) }
}

function auditMark(deps: LogViewDeps, flow: Flow | undefined): Pick<FlowItem, 'audit'> {
  return flow !== undefined && isFlowOfAudit(deps, flow) ? { audit: true } : {}
}

export function describeStepInDetail(deps: ViewDeps, description: StepDescription): FlowStepDetail {
  const { organizationIds, ...rest } = description
  return organizationIds.length === 0
    ? rest
    : { ...rest, organizations: organizationIds.map((id) => organizationRef(deps, id)) }
}

export function partiesView(
  deps: ViewDeps,
  { clientId, userId }: { clientId?: string | undefined; userId?: string | undefined },
): Pick<FlowItem, 'app' | 'user'> {
  return {
    ...(clientId === undefined ? {} : { app: appRef(deps, clientId) }),
    ...(userId === undefined ? {} : { user: userRef(deps, userId) }),
  }
}
