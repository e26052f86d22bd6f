import type { FastifyPluginAsync } from 'fastify'
import { isLoopbackHost } from '../../../core/loopback.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { openCallback } from '../../../lab/demos/callback.ts'
import { castOfState } from '../../../lab/demos/cast-of-state.ts'
import type { TryStage } from '../../../lab/demos/held-try.ts'
import type { Inject } from '../../inject.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { control } from './endpoint.ts'

export const tryRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const { tries } = deps

  control(app, 'GET tries', async () => ({ items: tries.list() }))
  control(app, 'POST tries', ({ body }) => tries.start(stageOf(inject, deps), body))
  control(app, 'POST tries/:id/next', ({ params }) => tries.next(params.id))
  control(app, 'DELETE tries/:id', async ({ params }) => {
    tries.drop(params.id)
    return {}
  })
}

/** A try goes through the same routes as a client outside, so that it is logged, limited and broken like one. */
function stageOf(inject: Inject, deps: ServerDeps): TryStage {
  const { baseUrl } = deps.settings
  const { host, hostname } = new URL(baseUrl)
  return {
    url: baseUrl,
    cast: castOfState(deps.state),
    ...(isLoopbackHost(hostname) ? { openCallback } : {}),
    async send({ method, path, headers, body }) {
      const sent = inject({
        method,
        url: path,
        headers: { 'user-agent': 'hub-sandbox', ...headers, host },
        ...omitUndefined({ payload: body }),
      })
      const { statusCode, ...reply } = await sent.catch((error: unknown) => {
        throw new Error(`${path.split('?', 1)[0]}: the connection was cut before the answer.`, {
          cause: error,
        })
      })
      return { status: statusCode, headers: reply.headers, body: reply.body }
    },
    findFlow: (first) => findFlow(deps, first),
  }
}

function findFlow(
  { requests }: Pick<ServerDeps, 'requests'>,
  first: Parameters<TryStage['findFlow']>[0],
): string | undefined {
  const found = requests
    .values()
    .findLast(({ url, response }) =>
      'path' in first ? url === first.path : response.headers['x-request-id'] === first.requestId,
    )
  return found === undefined ? undefined : requests.flows.ofRequest(found.id)?.id
}
