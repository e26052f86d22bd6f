import { performance } from '../../core/timers.ts'
import { isoTime } from '../../core/time.ts'
import { Refusal } from '../../core/refusal.ts'
import { describeStep } from '../../inspect/details/describe-step.ts'
import { drawFlow } from '../../inspect/drawing/draw-flow.ts'
import type {
  DeliveryEvidence,
  FlowEvidence,
  ReportEvidence,
} from '../../inspect/exports/report/report-evidence.ts'
import { writeReport } from '../../inspect/exports/report/html-report.ts'
import type { Flow } from '../../inspect/flows/flows.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import { findDelivery, listDeliveryIds } from '../../hub/webhooks/views/activity.ts'
import { answerInTime } from '../../web/patience.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { requireFlow } from '../../inspect/log/logged.ts'
import { describeFlowInDetail, describeStepInDetail } from './view.ts'
import { learnSecrets } from './report-secrets.ts'
import { describeRequestInDetail } from '../requests/view.ts'

/** Most deliveries in the report of a run. */
const mostDeliveries = 1000

export const reportRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { requests, settings, state, clock } = deps

  control(app, 'GET flows/:id/report', async ({ params: { id } }) => {
    const flow = requireFlow(requests, id)
    const evidence = { ...emptyReport(`Sign-in ${id}`), flows: [flowEvidence(flow, true)] }
    return { filename: `sign-in-${id}.html`, text: write(evidence, flow.records) }
  })

  control(app, 'GET deliveries/:id/report', async ({ params: { id } }) => {
    const deliveries = deliveryEvidence([id])
    const [found] = deliveries
    if (found === undefined) throw new Refusal('not_found', `There is no delivery ${id}.`)
    const evidence = { ...emptyReport(`Delivery ${id}`), deliveries }
    return { filename: `delivery-${id}.html`, text: write(evidence, requests.values()) }
  })

  control(app, 'GET report', (_request, reply) =>
    deps.oneAtATime.run(async () => {
      answerInTime(reply)
      const records = requests.values()
      const ids = listDeliveryIds(deps, {})
      const { kept, received } = requests.extent()
      const recorded = deps.recordedRun.describe()
      const evidence = {
        ...emptyReport(recorded?.command === undefined ? 'Run' : `Run of ${recorded.command}`),
        missing: [
          ...(recorded?.leftOut ?? []),
          ...(received > kept
            ? [`The log keeps ${kept} of ${received} requests: the oldest are missing.`]
            : []),
          ...(ids.length > mostDeliveries
            ? [`The latest ${mostDeliveries} of ${ids.length} deliveries are listed.`]
            : []),
        ],
        flows: mapped([...requests.flows.values()], (flow) => flowEvidence(flow, false)),
        deliveries: deliveryEvidence(ids.slice(0, mostDeliveries).toReversed()),
        requests: mapped(records, (record) =>
          describeRequestInDetail(deps, record, requests.flows.ofRequest(record.id)?.id),
        ),
      }
      return { filename: 'hub-sandbox-run.html', text: write(evidence, records) }
    }),
  )

  function emptyReport(title: string): ReportEvidence {
    return {
      title,
      madeAt: isoTime(clock.now()),
      version: settings.version,
      baseUrl: settings.baseUrl,
      missing: [],
      flows: [],
      deliveries: [],
      requests: [],
    }
  }

  function flowEvidence(flow: Flow, withDetails: boolean): FlowEvidence {
    const clockMoves = requests.clockMoves()
    const drawing = drawFlow(deps, {
      flow,
      clockMoves,
      frameCalls: deps.frames.signInCalls(),
      nowMs: performance.now(),
    })
    const details = withDetails
      ? drawing.steps.map((step) =>
          describeStepInDetail(deps, describeStep(deps, flow, step, undefined)),
        )
      : []
    return { flow: describeFlowInDetail(deps, drawing), details }
  }

  function deliveryEvidence(ids: readonly string[]): DeliveryEvidence[] {
    return ids.flatMap((id) => {
      const delivery = findDelivery(deps, id)
      if (delivery === undefined || delivery.audit !== undefined) return []
      const webhook = state.webhooks.get(delivery.webhookId)
      return [{ delivery, webhook: webhook?.name ?? webhook?.url ?? delivery.webhookId }]
    })
  }

  function write(evidence: ReportEvidence, records: readonly RequestRecord[]): string {
    return writeReport(evidence, learnSecrets(deps, records))
  }
}

function* mapped<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}
