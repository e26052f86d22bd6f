import http from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { listenersOfProcess, portsOfProcess } from '../../../../server/core/own-ports.ts'
import { createFrames } from '../../../../server/lab/frames/frames.ts'
import { createDomain } from '../../../helpers/deps.ts'
import {
  type AppRequest,
  framed,
  opened,
  sendPlain,
  startApp,
  startEcho,
} from '../../../helpers/framed-app.ts'
import { atEnd, loopbackOnly } from '../../../helpers/webhook-world.ts'

async function createWorld(target: string) {
  const { deps } = await createDomain()
  const policy = { ...loopbackOnly, ownPorts: portsOfProcess }
  const frames = createFrames(deps, policy, { realNow: () => Date.now() })
  atEnd(() => frames.clear())
  const frame = await frames.open({ target })
  return { frames, frame, url: `http://127.0.0.1:${frame.port}` }
}

const got = ({ body }: { body: string }) => JSON.parse(body) as AppRequest

describe('a Space frame', () => {
  test('forwards requests with the host that the browser used', async () => {
    const { url, frame } = await createWorld((await startEcho()).url)
    const answer = await sendPlain(
      `${url}/path?a=1`,
      {
        ...opened,
        cookie: 'a=1; hub_sandbox_session_1=x',
        connection: 'x-hop, close',
        'x-hop': '1',
      },
      { method: 'GET' },
    )
    expect(got(answer)).toMatchObject({
      method: 'GET',
      url: '/path?a=1',
      headers: {
        host: `127.0.0.1:${frame.port}`,
        cookie: 'a=1',
        'x-forwarded-host': `127.0.0.1:${frame.port}`,
        'x-forwarded-proto': 'http',
        'x-forwarded-for': '127.0.0.1',
        via: '1.1 hub-sandbox-link',
      },
    })
    expect(got(answer).headers).not.toHaveProperty('x-hop')
  })

  test.each(['GET', 'POST', 'DELETE'])('frames the body of a chunked %s', async (method) => {
    const { url } = await createWorld((await startEcho()).url)
    const answer = await sendPlain(
      url,
      { 'transfer-encoding': 'chunked', connection: 'content-length' },
      { method, body: 'GET /other HTTP/1.1\r\n\r\n' },
    )
    expect(got(answer)).toMatchObject({ method, body: 'GET /other HTTP/1.1\r\n\r\n' })
  })

  test('keeps the length of a body that Connection names', async () => {
    const { url } = await createWorld((await startEcho()).url)
    const answer = await sendPlain(
      url,
      { 'content-length': 5, connection: 'content-length' },
      { method: 'GET', body: 'hello' },
    )
    expect(got(answer).body).toBe('hello')
  })

  test.each([
    ['another host name', { host: 'evil.example' }, 403],
    ['a subdomain of a loopback address', { host: '127.0.0.1.evil.example' }, 403],
    ['a loopback address with a dot at its end', { host: '127.0.0.1.' }, 403],
    ['a short form of a loopback address', { host: '127.1' }, 403],
    [
      'a request in the background',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      403,
    ],
    [
      'a request of a page on another port',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      403,
    ],
    ['another origin', { origin: 'http://127.0.0.1:1' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['a request that a frame or link forwarded', { via: '1.1 hub-sandbox-link' }, 508],
  ])('refuses %s', async (_what, headers, status) => {
    const { url, frames, frame } = await createWorld((await startEcho()).url)
    expect((await sendPlain(url, headers)).status).toBe(status)
    expect(frames.get(frame.id)?.callCount).toBe(0)
  })

  test('refuses a form that another site posts, and lets its links through', async () => {
    const { url } = await createWorld((await startEcho()).url)
    const visit = { ...opened, 'sec-fetch-site': 'cross-site' }
    expect((await sendPlain(url, visit)).status).toBe(200)
    const post = { ...visit, origin: 'http://evil.example' }
    expect((await sendPlain(url, post, { method: 'POST' })).status).toBe(403)
  })

  test('accepts what the pages of the app send', async () => {
    const { url } = await createWorld((await startEcho()).url)
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
    expect((await sendPlain(url, { ...own, origin: url }, { method: 'POST' })).status).toBe(200)
    expect((await sendPlain(url, { ...own, origin: 'null' }, { method: 'POST' })).status).toBe(200)
  })

  test('refuses a whole URL as target', async () => {
    const { frame } = await createWorld((await startEcho()).url)
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(frame.port, '127.0.0.1', () =>
        socket.write(
          `GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
        ),
      )
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('streams the response as the app sends it', async () => {
    const { url } = await createWorld(
      (
        await startApp((_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write('data: 1\n\n')
        })
      ).url,
    )
    const response = await fetch(url)
    const reader = response.body!.getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toBe('data: 1\n\n')
    await reader.cancel()
  })

  test('says why the app cannot be reached', async () => {
    const { url, server } = await startEcho()
    await new Promise((resolve) => server.close(resolve))
    const { url: at } = await createWorld(url)
    const answer = await sendPlain(at)
    expect(answer.status).toBe(502)
    expect(answer.body).toMatch(
      /The app at http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
    )
  })

  test('passes a WebSocket on, and refuses one of another origin', async () => {
    const { url: target, server } = await startEcho()
    server.on('upgrade', (request, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSet-Cookie: ws=1\r\nX-Cookie: ${request.headers.cookie}\r\n\r\nhello `,
      )
      socket.on('data', (chunk) => socket.end(chunk))
    })
    const { url, frame, frames } = await createWorld(target)
    const upgrade = (origin: string) =>
      new Promise<string>((resolve) => {
        const request = http.request(url, {
          agent: false,
          headers: { connection: 'Upgrade', upgrade: 'websocket', cookie: 'a=1', origin },
        })
        request.on('response', (response) => resolve(String(response.statusCode)))
        request.on('upgrade', (response, socket, head) => {
          let text = `${String(response.headers['x-cookie'])} ${response.headers['set-cookie']?.join()} ${head.toString()}`
          socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
          socket.on('end', () => resolve(text))
          socket.write('echo')
        })
        request.end()
      })
    expect(await upgrade(url)).toBe('a=1 ws=1 hello echo')
    expect(await upgrade('http://evil.example')).toBe('403')
    expect(frames.findings(frame.id)?.calls).toHaveLength(1)
  })

  test('ends WebSockets and streams when it is closed', async () => {
    const { url: target, server } = await startEcho()
    server.on('upgrade', (_request, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      )
      // The app notices that its client is gone, too; else its server could not close below.
      socket
        .on('error', () => undefined)
        .on('end', () => socket.end())
        .resume()
    })
    const { url, frame, frames } = await createWorld(target)
    const closed = new Promise((resolve) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' }
      const request = http.request(url, { agent: false, headers })
      request.on('upgrade', (_response, socket) => {
        socket.on('error', () => undefined).on('close', resolve)
        void frames.close(frame.id)
      })
      request.end()
    })
    await closed
    expect(frames.list()).toEqual([])
    await expect(sendPlain(url)).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('opening a Space frame', () => {
  test.each([
    ['localhost:7860', /not an http or https URL/],
    ['file:///etc/passwd', /not an http or https URL/],
    ['http://user:pass@localhost:7860', /Remove the user name/],
    ['http://localhost:0', /Port 0/],
    ['http://0.0.0.0:7860', /means "all addresses"/],
  ])('refuses %s', async (target, message) => {
    const { frames } = await createWorld('http://localhost:1')
    await expect(frames.open({ target })).rejects.toThrow(message)
  })

  test('refuses the sandbox and other frames as targets', async () => {
    const { frames, frame } = await createWorld('http://localhost:1')
    await expect(frames.open({ target: `http://localhost:${frame.port}` })).rejects.toThrow(
      /belongs to this sandbox/,
    )
    await frames.close(frame.id)
    expect(portsOfProcess()).not.toContain(frame.port)
  })

  test('does not reach public or link-local addresses', async () => {
    for (const target of ['http://93.184.216.34/', 'http://169.254.169.254/']) {
      const { url } = await createWorld(target)
      const { status, body } = await sendPlain(url)
      expect([status, body]).toEqual([502, expect.stringMatching(/public address|never called/)])
    }
  })

  test('reports a port in use, and limits the number of frames', async () => {
    const { frames, frame } = await createWorld('http://localhost:1')
    const target = 'http://localhost:2'
    await expect(frames.open({ target, port: frame.port })).rejects.toThrow(/in use/)
    for (let count = 1; count < 20; count++) await frames.open({ target })
    await expect(frames.open({ target })).rejects.toThrow(/limit of 20 frames/)
    const before = listenersOfProcess().size
    await frames.clear()
    expect(listenersOfProcess().size).toBe(before - 20)
  })
})

describe('findings', () => {
  const app = () =>
    startApp((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      if (pathname === '/login') {
        response.writeHead(302, {
          location: `http://localhost:7420/oauth/authorize?client_id=c&state=s&redirect_uri=${encodeURIComponent('http://localhost:3000/callback')}`,
          'set-cookie': 'state=secret-value; Path=/; SameSite=Lax',
          'x-frame-options': 'DENY',
        })
      }
      response.end()
    })

  test('name the request, the place, the cookie and the problems, without values', async () => {
    const { url, frames, frame } = await createWorld((await app()).url)
    await sendPlain(`${url}/login`, framed)
    await sendPlain(`${url}/callback?code=secret-code&state=s`, framed)
    const findings = frames.findings(frame.id)
    expect(findings).toMatchObject({
      cookies: [{ name: 'state', inFrame: { state: 'not-sent', reason: 'same-site' } }],
      calls: [
        {
          path: '/callback',
          place: 'frame',
          cookies: [{ name: 'state', state: 'not-sent', reason: 'same-site' }],
        },
        { path: '/login', status: 302, set: [{ name: 'state', kept: false }] },
      ],
      problems: [
        expect.stringMatching(/redirect URI http:\/\/localhost:3000\/callback is on another host/),
        expect.stringMatching(/X-Frame-Options: DENY/),
      ],
    })
    const { signIn: _signIn, callback: _callback, ...shown } = findings!.calls[0]!
    expect(JSON.stringify([shown, findings?.cookies])).not.toMatch(/secret/)
  })

  test('are limited in number', async () => {
    const { url, frames, frame } = await createWorld((await app()).url)
    const agent = new http.Agent({ keepAlive: true })
    for (let count = 0; count < 310; count++) {
      await new Promise((resolve) =>
        http.get(`${url}/${count}`, { agent }, (response) => response.resume().on('end', resolve)),
      )
    }
    agent.destroy()
    expect(frames.findings(frame.id)?.calls).toHaveLength(300)
    expect(frames.get(frame.id)?.callCount).toBe(310)
    frames.forgetCalls()
    expect(frames.findings(frame.id)?.calls).toEqual([])
  })
})
