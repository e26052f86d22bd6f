import { NoBody, refusals } from '../../contract/control.ts'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import { LiveQuery } from '../../contract/live.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createLiveFeed } from '../../inspect/live/live-feed.ts'
import { writeRefusal } from '../../web/plugins/response-headers.ts'
import { type Upgrade, upgradeOf } from '../../web/plugins/take-upgrades.ts'

/**
 * The live feed: a WebSocket that replays recent facts, then streams.
 *
 * An upgrade comes here by the way of any other request, so the guards have seen it; the WebSocket library is loaded
 * when the first one comes.
 */
export const liveRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  const feed = createLiveFeed(deps.live)
  let webSockets: WebSocketServer | undefined
  let isClosing = false

  // Before the server waits for its connections to end: an upgraded one would not.
  app.addHook('preClose', async () => {
    isClosing = true
    feed.close()
  })

  app.get<{ Querystring: LiveQuery }>(
    '/_sandbox/live',
    {
      schema: {
        querystring: LiveQuery,
        summary: 'Follow the live feed',
        description:
          'WebSocket that replays recent facts, then streams new ones. `since` resumes after a cursor.',
        tags: ['live feed'],
        response: { 101: NoBody('WebSocket with JSON messages'), ...refusals },
      },
    },
    async (request, reply) => {
      const upgrade = upgradeOf(request.raw)
      if (upgrade === undefined) {
        return reply.code(426).header('upgrade', 'websocket').send({
          error: 'upgrade_required',
          message: 'The live feed is a WebSocket.',
        })
      }
      webSockets ??= await openWebSocketServer()
      // The feed would not close a socket that comes after it has closed the others.
      if (isClosing) {
        return reply.code(503).send({ error: 'closing', message: 'The sandbox is stopping.' })
      }
      reply.hijack()
      reply.raw.detachSocket(request.raw.socket)
      const socket = await accept(webSockets, request, upgrade)
      feed.add(socket, request.query.since)
      return reply
    },
  )
}

async function openWebSocketServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024 })
  server.on('wsClientError', (error, socket) => {
    writeRefusal(socket, {
      status: 400,
      error: 'malformed_request',
      message: error.message,
    })
    socket.end()
  })
  return server
}

function accept(
  server: WebSocketServer,
  { raw }: FastifyRequest,
  { socket, head }: Upgrade,
): Promise<WebSocket> {
  return new Promise((resolve) => server.handleUpgrade(raw, socket, head, resolve))
}
