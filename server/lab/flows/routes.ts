import { Refusal } from '../../core/refusal.ts'
import { flowSubject } from '../../contract/query/subjects.ts'
import { performance } from '../../core/timers.ts'
import { exportFixtures, withoutSigningKey } from '../../fixtures/export-fixtures.ts'
import { describeStep } from '../../inspect/details/describe-step.ts'
import type { DrawingInput } from '../../inspect/drawing/context.ts'
import { drawFlow } from '../../inspect/drawing/draw-flow.ts'
import { mermaidOf } from '../../inspect/exports/mermaid.ts'
import { testFileOf } from '../../inspect/exports/test-file.ts'
import type { Flow } from '../../inspect/flows/flows.ts'
import { writeHar } from '../../inspect/exports/har.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { requireFlow } from '../../inspect/log/logged.ts'
import { sendJsonParts } from '../../web/send-json.ts'
import { filtered, mapped, newestFirst, pageOf } from '../../web/page.ts'
import { readQuery } from '../control/queries.ts'
import { describeFlow, describeFlowInDetail, describeStepInDetail } from './view.ts'
import { describeExtent, describeRequestInDetail } from '../requests/view.ts'

export const flowRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  const { requests, settings } = deps

  control(app, 'GET flows', async ({ query: { q = '', ...page } }) => {
    const query = readQuery(deps, 'flows', q)
    const described = mapped(newestFirst(requests.flows.values()), (flow) =>
      describeFlow(deps, flow),
    )
    const items = filtered(described, (item) => query.test(flowSubject(item)))
    return {
      ...pageOf(
        items,
        page,
        ({ id }) => id,
        (item) => item,
      ),
      kept: describeExtent(requests),
    }
  })

  control(app, 'GET flows/:id', async ({ params: { id } }) =>
    describeFlowInDetail(deps, drawFlow(deps, inputOf(requireFlow(requests, id)))),
  )

  control(app, 'GET flows/:id/steps/:step', async ({ params, query }) => {
    const flow = requireFlow(requests, params.id)
    const step = drawFlow(deps, inputOf(flow)).steps.find(({ id }) => id === params.step)
    if (step === undefined) {
      throw new Refusal('not_found', `The sign-in ${flow.id} has no step ${params.step}.`)
    }
    return describeStepInDetail(deps, describeStep(deps, flow, step, query.reveal))
  })

  control(app, 'GET flows/:id/har', async ({ params: { id } }, reply) => {
    const { records } = requireFlow(requests, id)
    reply.header('content-disposition', `attachment; filename="sign-in-${id}.har"`)
    const items = mapped(records, (record) => describeRequestInDetail(deps, record, id))
    return sendJsonParts(reply, writeHar(items, settings.baseUrl, settings.version))
  })

  control(app, 'GET flows/:id/mermaid', async ({ params: { id } }) => ({
    filename: `sign-in-${id}.mmd`,
    text: mermaidOf(drawFlow(deps, inputOf(requireFlow(requests, id)))),
  }))

  control(app, 'GET flows/:id/test', async ({ params: { id } }) => {
    const input = inputOf(requireFlow(requests, id))
    const fixtures = exportFixtures(deps, withoutSigningKey(deps.fixtures()))
    return { filename: `sign-in-${id}.test.ts`, text: testFileOf(deps, input, fixtures) }
  })

  function inputOf(flow: Flow): DrawingInput {
    return {
      flow,
      clockMoves: requests.clockMoves(),
      frameCalls: deps.frames.signInCalls(),
      nowMs: performance.now(),
    }
  }
}
