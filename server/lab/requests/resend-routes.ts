import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { resendHeader } from '../../inspect/log/resends.ts'
import { resentRequest } from '../../inspect/log/resent-request.ts'
import type { Inject } from '../../web/inject.ts'
import type { ServerDeps } from '../server-deps.ts'
import { control } from '../../web/control-route.ts'
import { requireRequest } from '../../inspect/log/logged.ts'

/** Sends logged requests again by the same routes as an outside client, so that they are logged and subject to faults. */
export const resendRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  const { requests, settings } = deps

  control(app, 'POST requests/:id/resend', async ({ params: { id }, body }) => {
    const record = requireRequest(requests, id)
    const { method, path, headers, body: payload } = resentRequest(record, body ?? {})
    const secret = randomUUID()
    requests.resends.start(secret, id)
    try {
      const { statusCode } = await inject({
        method: method as 'GET',
        url: path,
        headers: { host: new URL(settings.baseUrl).host, ...headers, [resendHeader]: secret },
        ...omitUndefined({ payload }),
      }).catch(() => ({ statusCode: 0 }))
      const sent = requests.resends.end(secret)
      if (sent === undefined) throw new Refusal('invalid', `The sandbox could not read ${path}.`)
      return { id: sent, status: statusCode }
    } finally {
      requests.resends.end(secret)
    }
  })
}
