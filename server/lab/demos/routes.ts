import type { FastifyPluginAsync } from 'fastify'
import { isLoopbackHost } from '../../core/loopback.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { ownAgent } from '../../core/own-agent.ts'
import { openCallback } from './callback.ts'
import { castOfState } from './cast-of-state.ts'
import type { DemoStage } from './held-demo.ts'
import type { Inject } from '../../web/inject.ts'
import type { ServerDeps } from '../server-deps.ts'
import { openWebhook } from '../control/demo-webhook.ts'
import { control } from '../../web/control-route.ts'

export const demoRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const { demos } = deps

  control(app, 'GET demos', async () => ({ items: demos.list() }))
  control(app, 'POST demos', ({ body }) => demos.start(stageOf(inject, deps), body))
  control(app, 'POST demos/:id/next', ({ params }) => demos.next(params.id))
  control(app, 'DELETE demos/:id', async ({ params }) => {
    demos.drop(params.id)
    return {}
  })
}

/** A demo uses the same routes as an outside client, so it is logged, rate-limited and subject to faults like one. */
export function stageOf(inject: Inject, deps: ServerDeps): DemoStage {
  const { baseUrl, strict, sendIss } = deps.settings
  const { host, hostname } = new URL(baseUrl)
  return {
    url: baseUrl,
    announcesIss: strict || sendIss,
    cast: castOfState(deps.state),
    ...(isLoopbackHost(hostname) ? { openCallback } : {}),
    openWebhook: (owner) => openWebhook(deps, owner),
    async send({ method, path, headers, body }) {
      const sent = inject({
        method,
        url: path,
        headers: { 'user-agent': ownAgent, ...headers, host },
        ...omitUndefined({ payload: body }),
      })
      const { statusCode, ...reply } = await sent.catch((error: unknown) => {
        throw new Error(
          `${path.split('?', 1)[0]}: the connection was closed before the response.`,
          {
            cause: error,
          },
        )
      })
      return { status: statusCode, headers: reply.headers, body: reply.body }
    },
    findFlow: (first) => findFlow(deps, first),
  }
}

function findFlow(
  { requests }: Pick<ServerDeps, 'requests'>,
  first: Parameters<DemoStage['findFlow']>[0],
): string | undefined {
  const found = requests
    .values()
    .findLast(({ url, response }) =>
      'path' in first ? url === first.path : response.headers['x-request-id'] === first.requestId,
    )
  return found === undefined ? undefined : requests.flows.ofRequest(found.id)?.id
}
