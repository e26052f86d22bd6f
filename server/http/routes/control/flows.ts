import { Refusal } from '../../../core/refusal.ts'
import { flowSubject } from '../../../contract/query/subjects.ts'
import { performance } from '../../../core/timers.ts'
import { exportFixtures, withoutSigningKey } from '../../../fixtures/export-fixtures.ts'
import { describeStep } from '../../../requests/details/describe-step.ts'
import type { DrawingInput } from '../../../requests/drawing/context.ts'
import { drawFlow } from '../../../requests/drawing/draw-flow.ts'
import { mermaidOf } from '../../../requests/exports/mermaid.ts'
import { testFileOf } from '../../../requests/exports/test-file.ts'
import type { Flow } from '../../../requests/flows/flows.ts'
import { writeHar } from '../../../requests/exports/har.ts'
import { control, type ControlRoutes } from './endpoint.ts'
import { requireFlow } from './logged.ts'
import { sendJsonParts } from '../../send-json.ts'
import { filtered, mapped, newestFirst, pageOf } from './page.ts'
import { readQuery } from './queries.ts'
import { describeFlow, describeFlowInDetail, describeStepInDetail } from './views/flows.ts'
import { describeExtent, describeRequestInDetail } from './views/requests.ts'

export const flowRoutes: ControlRoutes = async (app, { deps }) => {
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
