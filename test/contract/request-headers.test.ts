import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { withListener } from '../../server/cli/demo-listener.ts'
import { openLinkServer } from '../../server/lab/links/link-server.ts'
import { createWebhooks } from '../../server/receiver/index.ts'
import { readOrigins } from '../../server/core/routed-origins.ts'
import { openProxy } from '../../server/client/reroute/proxy/open-proxy.ts'
import { makeCertificate } from '../../server/app/certificate.ts'
import { openCallback } from '../../server/lab/demos/callback.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

/** Cookies of other apps on localhost, with as many bytes. */
function cookiesOf(bytes: number): string {
  const one = `other=${'x'.repeat(4000)}; `
  return one.repeat(Math.ceil(bytes / one.length)).slice(0, bytes)
}

/** The most that a browser sends to a host: 180 cookies of 4 KB. */
const most = cookiesOf(180 * 4096)

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

async function ask(url: string, headers: Record<string, string>): Promise<Answer> {
  const { get } = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false, rejectUnauthorized: false }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      )
    }).on('error', reject)
  })
}

describe('requests with the cookies of other apps on localhost', () => {
  test.each([{}, { https: true }])(
    'are accepted by every route, started with %j',
    async (flags) => {
      const { url } = await startTestSandbox({ ...flags, data: temporaryDirectory() })
      const paths = {
        '/api/models': 200,
        '/login': 200,
        '/alice': 200,
        '/.well-known/openid-configuration': 200,
        '/alice/tiny-sentiment/resolve/main/README.md': 307,
        '/_sandbox/api/clock': 200,
        '/api/papers/x': 501,
      }
      for (const [path, status] of Object.entries(paths)) {
        const answer = await ask(url + path, { cookie: most, accept: 'text/html' })
        expect([path, answer.status]).toEqual([path, status])
      }
    },
  )

  test('open the live feed', async () => {
    const { url } = await startTestSandbox()
    const socket = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/live`, {
      headers: { cookie: most },
    })
    onTestFinished(() => socket.close())
    await once(socket, 'open')
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  test('reach the other servers of the sandbox', async () => {
    const callback = await openCallback('localhost', '/callback', 'the-state')
    onTestFinished(() => callback.close())
    expect((await ask(`${callback.url}?state=the-state`, { cookie: most })).status).toBe(200)

    const link = await openLinkServer(
      0,
      (_request, response) => response.end(),
      () => undefined,
    )
    onTestFinished(() => link.close())
    expect((await ask(`http://127.0.0.1:${link.port}/`, { cookie: most })).status).toBe(200)

    const receiver = await createWebhooks().listen({ port: 0 })
    onTestFinished(() => receiver.close())
    expect((await ask(receiver.url, { cookie: most })).status).not.toBe(431)

    await withListener('/callback', async (listener) => {
      expect((await ask(listener.url, { cookie: most })).status).toBe(200)
    })
  })

  test('pass the proxy', async () => {
    const { url } = await startTestSandbox({ allowHost: 'hub.invalid' })
    const proxy = await openProxy({
      origins: readOrigins(['http://hub.invalid']).origins,
      sandbox: new URL(url),
      certificate: await makeCertificate(['hub.invalid']),
      allowNetwork: false,
      resolve: () => Promise.reject(new Error('no name is looked up')),
    })
    onTestFinished(() => proxy.close())
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .get(proxy.url, { path: 'http://hub.invalid/api/models', headers: { cookie: most } })
        .on('response', resolve)
        .on('error', reject)
    })
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })

  test('are shortened in the request log', async () => {
    const sandbox = await startTestSandbox()
    await ask(`${sandbox.url}/api/models`, { 'x-mine': 'kept', cookie: most })
    const [item] = await sandbox.requests()
    expect(JSON.stringify(item).length).toBeLessThan(10_000)
    const kept = await sandbox.control('GET', `requests/${item?.id}`)
    expect(JSON.stringify(kept).length).toBeLessThan(100_000)
    expect(JSON.stringify(kept)).toContain('"kept"')
  })
})

test.each(['/api/models', '/oauth/authorize', '/_sandbox/api/requests', '/nowhere'])(
  'a URL of %s longer than 64 KiB is refused with 414',
  async (path) => {
    const sandbox = await startTestSandbox()
    const ask = (length: number) =>
      fetch(`${sandbox.url}${path}?q=${'a'.repeat(length - path.length - 3)}`)
    const refused = await ask(64 * 1024 + 1)
    expect(refused.status).toBe(414)
    expect(await refused.text()).toContain('The URL is longer than 64 KiB')
    expect((await ask(64 * 1024)).status).not.toBe(414)
  },
)

describe('headers larger than 1 MiB', () => {
  const cookie = cookiesOf(1.5 * 1024 * 1024)

  test('are refused with the cause and the fix, as a page or as data', async () => {
    const sandbox = await startTestSandbox()
    const fix = /larger than 1 MiB.* clear its cookies of localhost/
    for (const path of ['/login', '/', '/alice', '/nowhere', '/_sandbox/']) {
      const page = await ask(sandbox.url + path, { cookie, accept: 'text/html' })
      expect([path, page.status]).toEqual([path, 431])
      expect(page.headers['content-type']).toMatch(/^text\/html/)
      expect(page.body).toMatch(fix)
    }
    for (const path of ['/api/models', '/oauth/userinfo', '/_sandbox/api/clock', '/nowhere']) {
      const data = await ask(sandbox.url + path, { cookie })
      expect([path, data.status]).toEqual([path, 431])
      expect(data.headers['content-type']).toMatch(/^application\/json/)
      expect(data.body).toMatch(fix)
    }
    const items = await sandbox.requests()
    expect(items.filter(({ status }) => status === 431)).toHaveLength(7)
    expect(items).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        path: '/login',
        status: 431,
        detail: expect.stringMatching(fix),
      }),
    )
  })

  test('are refused on upgrades to WebSocket', async () => {
    const { url } = await startTestSandbox()
    const socket = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/live`, {
      headers: { cookie },
    })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('431')
  })
})

describe('an unreadable request', () => {
  /** Returns the response while the client is still sending. */
  async function exchange(url: string, text: string): Promise<string> {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (data) => (answer += data))
    socket.on('error', () => undefined)
    socket.write(text)
    await once(socket, 'close')
    return answer
  }

  test('with too large headers is refused and logged without its path', async () => {
    const sandbox = await startTestSandbox()
    const head = 'GET /login HTTP/1.1\r\nHost: localhost\r\nCookie: '
    const answer = await exchange(sandbox.url, `${head}${cookiesOf(6 * 1024 * 1024)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('clear its cookies of localhost')
    await expect(sandbox.requests()).resolves.toMatchObject([
      { method: '*', path: '*', status: 431, error: 'headers_too_large' },
    ])
  })

  test('is logged with all that is known', async () => {
    const sandbox = await startTestSandbox()
    const answer = await exchange(
      sandbox.url,
      'GET /api/models?search=a b HTTP/1.1\r\nHost: localhost\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    await expect(sandbox.requests()).resolves.toMatchObject([
      { method: 'GET', path: '/api/models?search=a', status: 400, error: 'malformed_request' },
    ])
  })

  test('is not logged if it is not HTTP at all', async () => {
    const sandbox = await startTestSandbox()
    expect(await exchange(sandbox.url, '\u0016\u0003\u0001 hello\r\n\r\n')).toMatch(/ 400 /)
    await expect(sandbox.requests()).resolves.toEqual([])
  })
})
