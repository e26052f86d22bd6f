import { omitUndefined } from '../core/omit-undefined.ts'
import type { EmbeddedServer } from '../embedded/embedded-server.ts'
import type { RunningSandbox } from './run.ts'

const deliveryMoves = [
  'delivery.queued',
  'delivery.succeeded',
  'delivery.waiting',
  'delivery.failed',
] as const

/** A sandbox that runs, as its handle in this process asks for it. */
export function embed(running: RunningSandbox): EmbeddedServer {
  const { app, deps, url, dashboardUrl, notices, certificatePath } = running
  const { controlToken } = deps.settings
  return {
    url,
    dashboardUrl,
    notices,
    ...omitUndefined({ certificatePath, controlToken }),
    fixtures: () => deps.fixtures(),
    async request({ method, path, headers, body }) {
      const answer = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { ...headers },
        ...omitUndefined({ payload: body }),
      })
      return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() }
    },
    followDeliveries(listener) {
      const stops = deliveryMoves.map((type) =>
        deps.bus.on(type, ({ data }) => listener(data.deliveryId)),
      )
      return () => {
        for (const stop of stops) stop()
      }
    },
    captureState: () => deps.captureState(),
    close: () => running.close(),
  }
}
