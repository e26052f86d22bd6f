import { createServer, type OutgoingHttpHeaders } from 'node:http'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import {
  registerResponseHeaders,
  SandboxResponse,
  sentHeaders,
} from '../../../../server/web/plugins/response-headers.ts'

const addedByNode = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

async function answering() {
  const noted: OutgoingHttpHeaders[] = []
  const app = Fastify({
    serverFactory: (handler) => createServer({ ServerResponse: SandboxResponse }, handler),
  })
  registerResponseHeaders(app)
  app.addHook('onResponse', async (_request, reply) => void noted.push(sentHeaders(reply)))
  app.get('/whole', async (_request, reply) => reply.header('etag', '"a"').send({}))
  app.get('/beside', async (_request, reply) => {
    reply.raw.setHeader('vary', 'origin')
    return reply.header('etag', '"a"').send({})
  })
  app.get('/hijacked', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { etag: '"a"' }).end()
  })
  const url = await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  const ask = async (path: string) => {
    const { headers } = await fetch(url + path)
    await expect.poll(() => noted.length).toBeGreaterThan(0)
    return { headers, noted: noted.pop() }
  }
  return { app, ask, noted }
}

test.each(['/whole', '/beside', '/hijacked'])(
  'the recorded headers of the response to %s are those sent, wherever they were set',
  async (path) => {
    const { ask } = await answering()
    const { headers, noted } = await ask(path)
    const said = [...headers].filter(([name]) => !addedByNode.has(name))
    expect(noted).toEqual(Object.fromEntries(said))
  },
)

test('a response without a connection has its headers, too', async () => {
  const { app, noted } = await answering()
  await app.inject('/beside')
  expect(noted).toMatchObject([
    { etag: '"a"', vary: 'origin', 'x-content-type-options': 'nosniff' },
  ])
})
