import http from 'node:http'
import { describe, expect, test } from 'vitest'
import { createLinks } from '../../../../server/lab/links/links.ts'
import { createDomain } from '../../../helpers/deps.ts'
import { atEnd, loopbackOnly, startReceiver } from '../../../helpers/webhook-world.ts'

const hour = 3_600_000

async function createWorld() {
  const { deps, clock } = await createDomain()
  clock.freeze()
  const links = createLinks(deps, loopbackOnly, { retryMs: 20 })
  atEnd(() => links.close())
  return { deps, clock, links }
}

const post = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { method: 'POST', body: 'hello', headers })
  return { status: response.status, text: await response.text() }
}

describe('temporary links', () => {
  test('forward requests with path, headers and body, and return the response', async () => {
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(201, { 'X-Answer': 'yes' }).end('done'),
    )
    const { links } = await createWorld()
    const link = await links.create({ target: `${receiver.url}?a=1` })
    const response = await fetch(`${link.url}/below?b=2`, {
      method: 'PUT',
      body: 'hello',
      headers: { 'X-Webhook-Secret': 's' },
    })
    expect([response.status, response.headers.get('x-answer'), await response.text()]).toEqual([
      201,
      'yes',
      'done',
    ])
    expect(receiver.received[0]).toMatchObject({
      method: 'PUT',
      path: '/hook/below?a=1&b=2',
      body: 'hello',
      headers: { 'x-webhook-secret': 's', host: `127.0.0.1:${receiver.port}` },
    })
  })

  test.each([
    ['?token=t', '', '/hook?token=t'],
    ['?token=t', '?secret=a%20secret', '/hook?token=t&secret=a%20secret'],
    ['', '?secret=a%20secret', '/hook?secret=a%20secret'],
    ['', '/?a=1?b', '/hook?a=1?b'],
    ['', '', '/hook'],
    ['/', '', '/hook/'],
    ['/', '/below', '/hook/below'],
  ])('with target …/hook%s, called at %j, call %s', async (target, called, path) => {
    const receiver = await startReceiver()
    const { links } = await createWorld()
    const { url } = await links.create({ target: receiver.url + target })
    expect((await post(url + called)).status).toBe(200)
    expect(receiver.received.map((request) => request.path)).toEqual([path])
  })

  test('expire after 72 hours of the sandbox clock, used or not', async () => {
    const receiver = await startReceiver()
    const { clock, links } = await createWorld()
    const link = await links.create({ target: receiver.url })
    expect(link.expiresAt).toBe(clock.now() + 72 * hour)
    clock.advance(72 * hour - 1)
    expect((await post(link.url)).status).toBe(200)
    clock.advance(1)
    expect(await post(link.url)).toEqual({
      status: 410,
      text: 'This link has expired after 72 h.\n',
    })
    expect(receiver.received).toHaveLength(1)
  })

  test('of hosted receivers stop 48 hours after the last request', async () => {
    const receiver = await startReceiver()
    const { clock, links } = await createWorld()
    const link = await links.create({ target: receiver.url, hosted: true })
    for (let count = 0; count < 3; count++) {
      clock.advance(47 * hour)
      expect((await post(link.url)).status).toBe(200)
    }
    expect((await links.list())[0]?.expiresAt).toBe(clock.now() + 48 * hour)
    clock.advance(48 * hour)
    expect((await post(link.url)).status).toBe(503)
    expect((await post(link.url)).status).toBe(503)

    expect((await links.wake(link.id))?.expiresAt).toBe(clock.now() + 48 * hour)
    expect((await post(link.url)).status).toBe(200)
  })

  test('without a target are receivers themselves', async () => {
    const { clock, links } = await createWorld()
    const link = await links.create({})
    expect(link).not.toHaveProperty('target')
    expect(await post(link.url)).toMatchObject({ status: 200, text: '{"processed":true}\n' })
    clock.advance(72 * hour)
    expect((await post(link.url)).status).toBe(410)
  })

  test('of tunnels cannot be renewed', async () => {
    const { links } = await createWorld()
    const { id } = await links.create({ target: 'http://127.0.0.1:9/' })
    await expect(links.wake(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await links.wake('none')).toBeUndefined()
  })

  test('report an unreachable or forbidden receiver', async () => {
    const { links } = await createWorld()
    const gone = await links.create({ target: 'http://127.0.0.1:9/' })
    expect(await post(gone.url)).toMatchObject({
      status: 502,
      text: expect.stringContaining('ECONNREFUSED'),
    })
    const far = await links.create({ target: 'http://8.8.8.8/' })
    expect(await post(far.url)).toMatchObject({
      status: 502,
      text: expect.stringContaining('--allow-network'),
    })
    await expect(links.create({ target: 'nonsense' })).rejects.toMatchObject({
      issues: [{ path: 'target' }],
    })
  })

  test('respond under loopback names only, as protection against DNS rebinding', async () => {
    const receiver = await startReceiver()
    const { links } = await createWorld()
    const { url } = await links.create({ target: receiver.url })
    const status = await new Promise((resolve, reject) => {
      const request = http.get(url, { headers: { host: 'evil.example' } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.on('error', reject)
    })
    expect(status).toBe(403)
    expect(receiver.received).toEqual([])
  })

  test('return a type that is neither a script nor a page', async () => {
    const { links } = await createWorld()
    for (const target of [{}, { target: 'http://127.0.0.1:9/' }]) {
      const { url } = await links.create(target)
      const { headers } = await fetch(url, { method: 'POST' })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('end when removed', async () => {
    const receiver = await startReceiver()
    const { links } = await createWorld()
    const { id, url } = await links.create({ target: receiver.url })
    expect(await links.remove(id)).toBe(true)
    expect(await links.remove(id)).toBe(false)
    await expect(post(url)).rejects.toThrow('fetch failed')
    expect(await links.list()).toEqual([])
  })
})
