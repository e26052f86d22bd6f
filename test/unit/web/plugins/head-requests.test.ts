import { once } from 'node:events'
import { request } from 'node:http'
import { PassThrough } from 'node:stream'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  registerHeadRequests,
  routeHeadAsGet,
} from '../../../../server/web/plugins/head-requests.ts'

let app: FastifyInstance
const endless = new PassThrough()
beforeAll(async () => {
  app = fastify({
    exposeHeadRoutes: false,
    rewriteUrl(request) {
      routeHeadAsGet(request)
      return request.url ?? '/'
    },
  })
  registerHeadRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Method', request.method)
    done()
  })
  app.get('/json', () => ({ text: 'äöü' }))
  app.get('/endless', (_request, reply) => reply.type('text/plain').send(endless))
  app.get('/moved', (_request, reply) => reply.redirect('/json', 303))
  app.post('/posted', () => 'posted')
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Over a socket: the answer as Node reads it, and how many bytes came as its body. */
async function head(path: string) {
  const { port } = app.server.address() as AddressInfo
  const sent = request({ host: '127.0.0.1', port, path, method: 'HEAD' }).end()
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode, headers: answer.headers as Record<string, string> }
}

describe('HEAD (RFC 9110 §9.3.2)', () => {
  test('has the headers of GET, including the content length', async () => {
    const body = JSON.stringify({ text: 'äöü' })
    const { status, headers } = await head('/json')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
  })

  test('has no body, with inject either', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/json' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
  })

  test('appears as HEAD in the request', async () => {
    expect((await head('/json')).headers['x-method']).toBe('HEAD')
    expect((await app.inject('/json')).headers['x-method']).toBe('GET')
  })

  test('does not wait for an endless stream, and releases it', async () => {
    expect((await head('/endless')).status).toBe(200)
    expect(endless.destroyed).toBe(true)
  })

  test('is redirected, and returns 404 where GET does', async () => {
    expect(await head('/moved')).toMatchObject({ status: 303, headers: { location: '/json' } })
    expect((await head('/posted')).status).toBe(404)
    const nowhere = await head('/nowhere')
    expect(nowhere).toMatchObject({ status: 404, headers: { 'x-method': 'HEAD' } })
  })
})
