import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { WebSocket, WebSocketServer } from 'ws'
import { LiveQuery } from '../../../contract/live.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { createLiveFeed } from '../../../events/live-feed.ts'
import { SandboxResponse, writeRefusal } from '../../plugins/answer-headers.ts'

interface Upgrade {
  socket: Duplex
  head: Buffer
}

/**
 * The live feed: a WebSocket that replays recent facts, then streams.
 *
 * An upgrade takes the way of any other request, so the guards see it, and the WebSocket library is loaded when
 * the first one comes.
 */
export const liveRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  const feed = createLiveFeed(deps.live)
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  let webSockets: WebSocketServer | undefined
  let isClosing = false

  const onUpgrade = (raw: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(raw)) return ignoreUpgrade(app.server, raw, socket, head)
    // Node takes its own error listener off an upgraded socket; without one, a reset would end the process.
    socket.on('error', () => socket.destroy())
    upgrades.set(raw, { socket, head })
    const response = new SandboxResponse(raw)
    response.assignSocket(raw.socket)
    // Whatever else answers (a guard, a 404) answers HTTP and is done with the connection.
    response.on('finish', () => socket.end())
    app.routing(raw, response)
  }
  app.server.on('upgrade', onUpgrade)
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
        summary: 'Live feed',
        description: 'WebSocket: replays recent facts, then streams. `since` resumes.',
        tags: ['live feed'],
      },
    },
    async (request, reply) => {
      const upgrade = upgrades.get(request.raw)
      if (upgrade === undefined) {
        return reply.code(426).header('Upgrade', 'websocket').send({
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
    writeRefusal(socket, 400, error.message)
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

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket'
}

const upgradeHeaders = new Set(['connection', 'upgrade', 'http2-settings'])

/**
 * Takes a request as if it had not asked for another protocol, which a server may (RFC 9110 §7.8): Java's HTTP client
 * offers HTTP/2 with its first request, a form with a body it may be. Node hands such a request over without its
 * body, so the server is given the connection once more, with a head that does not ask.
 */
function ignoreUpgrade(server: Server, raw: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${raw.method} ${raw.url} HTTP/${raw.httpVersion}`]
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index] ?? ''
    if (!upgradeHeaders.has(name.toLowerCase())) lines.push(`${name}: ${raw.rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}
