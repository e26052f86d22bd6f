import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import {
  builtIntercept,
  guard,
  interceptMissing,
  type ProgramOptions,
  runIntercepted,
} from '../helpers/intercepted-program.ts'

let sandbox: Sandbox
let url: string
beforeAll(async () => {
  sandbox = await startSandbox({ intercept: 'https://hub.invalid' })
  url = new URL(sandbox.dashboardUrl).origin
})
beforeEach(({ skip }) => skip(interceptMissing !== undefined, interceptMissing))
afterAll(() => sandbox.close())

/** Output of a program whose requests all stayed on this machine. */
async function told(code: string, options: Partial<ProgramOptions> = {}): Promise<unknown> {
  const ended = await runIntercepted(code, { url, ...options })
  expect(ended).toMatchObject({ code: 0, stderr: '', refused: [] })
  return ended.told
}

const ways: readonly [name: string, code: string][] = [
  ['fetch', `tell((await (await fetch(hub + metadata)).json()).issuer)`],
  [
    'fetch of undici',
    `const { fetch } = fromHere('undici'); tell((await (await fetch(hub + metadata)).json()).issuer)`,
  ],
  [
    'an agent of undici that the program made',
    `const { Agent, request } = fromHere('undici')
     const { body } = await request(hub + metadata, { dispatcher: new Agent({ allowH2: true }) })
     tell((await body.json()).issuer)`,
  ],
  [
    'a client of undici',
    `const { Client } = fromHere('undici')
     const { body } = await new Client(hub).request({ path: metadata, method: 'GET' })
     tell((await body.json()).issuer)`,
  ],
  [
    'undici that looks names up by itself',
    `const { Agent, interceptors, request } = fromHere('undici')
     const dispatcher = new Agent().compose(interceptors.dns())
     const { body } = await request(hub + metadata, { dispatcher })
     tell((await body.json()).issuer)`,
  ],
  [
    'https.get by address, named import',
    `import { get } from 'node:https'; tell(issuerOf(await read(get(hub + metadata))))`,
  ],
  [
    'https.request by URL and options',
    `import https from 'https'
     const request = https.request(new URL(metadata, hub), { method: 'GET', headers: { accept: '*/*' } })
     request.end(); tell(issuerOf(await read(request)))`,
  ],
  [
    'https.request by options, with an agent of its own',
    `import { Agent, request } from 'node:https'
     const sent = request({ hostname: 'hub.invalid', path: metadata, agent: new Agent({ keepAlive: true, rejectUnauthorized: true }) })
     sent.end(); tell(issuerOf(await read(sent)))`,
  ],
  [
    'https.request with a look-up of its own and a pinned certificate',
    `import { request } from 'node:https'
     const fail = (...args) => args.at(-1)(new Error('nobody asks'))
     const sent = request({ host: 'hub.invalid', path: metadata, agent: false, lookup: fail, ca: 'none', checkServerIdentity: () => new Error('not pinned') })
     sent.end(); tell(issuerOf(await read(sent)))`,
  ],
  [
    'http at the usual port',
    `import { get } from 'node:http'; tell(issuerOf(await read(get('http://hub.invalid' + metadata))))`,
  ],
  [
    'an address that was looked up before',
    `import { lookup } from 'node:dns/promises'
     import { get } from 'node:https'
     const { address } = await lookup('hub.invalid')
     tell(issuerOf(await read(get({ host: address, servername: 'hub.invalid', headers: { host: 'hub.invalid' }, path: metadata }))))`,
  ],
  [
    'a TLS connection',
    `import { connect } from 'node:tls'
     const socket = connect(443, 'hub.invalid', { servername: 'hub.invalid' }, () => {
       socket.end('GET ' + metadata + ' HTTP/1.1\\r\\nHost: hub.invalid\\r\\nConnection: close\\r\\n\\r\\n')
     })
     let text = ''
     for await (const chunk of socket.setEncoding('utf8')) text += chunk
     tell(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)).issuer)`,
  ],
]

describe('requests to an intercepted origin go to the sandbox by', () => {
  test.each(ways)('%s', async (_name, code) => {
    expect(await told(code)).toBe('https://hub.invalid')
  })

  test('CommonJS', async () => {
    const code = `const { get } = require('https')
      read(get(hub + metadata)).then((answer) => tell(issuerOf(answer)))`
    expect(await told(code, { commonJs: true })).toBe('https://hub.invalid')
  })

  test.skipIf(globalThis.WebSocket === undefined)('WebSocket', async () => {
    // There is none at the hub, and the answer to the upgrade is the sandbox's.
    const code = `const socket = new WebSocket('wss://hub.invalid/oauth/jwks')
      socket.onerror = () => tell('answered')`
    expect(await told(code)).toBe('answered')
  })

  test('the WebSocket of a package', async () => {
    const code = `const { WebSocket } = fromHere('ws')
      const socket = new WebSocket('wss://hub.invalid/oauth/nothing')
      socket.on('unexpected-response', (_request, { statusCode }) => { tell(statusCode); socket.terminate() })
      socket.on('error', () => undefined)`
    expect(await told(code)).toBe(404)
  })
})

describe('a thread reroutes as its process does', () => {
  const inThread = `const { parentPort } = require('node:worker_threads')
    fetch('https://hub.invalid/.well-known/openid-configuration')
      .then((answer) => answer.json())
      .then(({ issuer }) => parentPort.postMessage(issuer), (error) => parentPort.postMessage(String(error.cause)))`
  const start = (options: string) => `
    import { writeFileSync } from 'node:fs'
    import { Worker } from 'node:worker_threads'
    const code = ${JSON.stringify(inThread)}
    writeFileSync('thread.cjs', code)
    writeFileSync('thread.mjs', code.replace(/.*\\n/, "import { parentPort } from 'node:worker_threads'\\n"))
    ${options}
    worker.on('error', (error) => tell(error.message))
    worker.on('message', tell)`

  test.each([
    ['of a text', `const worker = new Worker(code, { eval: true })`],
    ['of CommonJS', `const worker = new Worker('./thread.cjs')`],
    ['of a module', `const worker = new Worker('./thread.mjs')`],
    ['without variables', `const worker = new Worker('./thread.mjs', { env: {} })`],
    [
      'of a process with arguments for it alone',
      `process.execArgv.push('--max-old-space-size=512', '--expose-gc'); const worker = new Worker(code, { eval: true })`,
    ],
    ['without arguments', `const worker = new Worker('./thread.mjs', { execArgv: [] })`],
  ])('%s', async (_name, options) => {
    expect(await told(start(options))).toBe('https://hub.invalid')
  })
})

test('a child process reroutes as its parent does', async () => {
  const inChild = `fetch('https://hub.invalid/oauth/jwks').then(({ status }) => console.log(status))`
  const code = `import { execFileSync } from 'node:child_process'
    tell(execFileSync(process.execPath, ['-e', ${JSON.stringify(inChild)}], { encoding: 'utf8' }).trim())`
  const env = {
    NODE_OPTIONS: `--import ${guard} --require ${JSON.stringify(fileURLToPath(builtIntercept))}`,
  }
  expect(await told(code, { nodeArguments: [], env })).toBe('200')
})

describe('what is sent arrives as it was sent', () => {
  test('the host is the one of the hub, and a redirect to the hub comes back to the sandbox', async () => {
    const code = `
      const sent = await fetch(hub + '/oauth/authorize?client_id=nobody', { redirect: 'manual' })
      const moved = await fetch(hub + '/settings/tokens')
      tell({ status: sent.status, moved: moved.redirected, url: moved.url, at: moved.status })`
    // Where that leads is the dashboard, which is not under the hub's name.
    expect(await told(code)).toEqual({
      status: 400,
      moved: true,
      url: 'https://hub.invalid/_sandbox/tokens',
      at: 403,
    })
  })

  test('bodies that stream, connections that are kept', async () => {
    const code = `
      import { Agent, request } from 'node:https'
      import { Readable } from 'node:stream'
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const authorization = 'Bearer hf_sandbox_alice'
      const reused = []
      for (let count = 0; count < 3; count++) {
        const sent = request(hub + '/api/whoami-v2', { agent, headers: { authorization } })
        sent.end()
        const { body } = await read(sent)
        reused.push([sent.reusedSocket, JSON.parse(body).name])
        await new Promise((resolve) => setImmediate(resolve))
      }
      agent.destroy()
      const url = 'http://127.0.0.1:9/' + 'a-path-of-some-length-'.repeat(4)
      const watched = [{ type: 'user', name: 'alice' }]
      const body = JSON.stringify({ domains: ['repo'], watched, url })
      const stream = Readable.from(body.match(/.{1,8}/g))
      const headers = { authorization, 'content-type': 'application/json' }
      const made = await fetch(hub + '/api/settings/webhooks', { method: 'POST', headers, body: stream, duplex: 'half' })
      tell({ reused, made: made.status, isWhole: (await made.json()).webhook.url === url })`
    const answer = (await told(code)) as { reused: unknown }
    expect(answer.reused).toEqual([
      [false, 'alice'],
      [true, 'alice'],
      [true, 'alice'],
    ])
    expect(answer).toMatchObject({ made: 200, isWhole: true })
  })

  test('an aborted request', async () => {
    const code = `
      const controller = new AbortController()
      const asked = fetch(hub + metadata, { signal: controller.signal })
      controller.abort(new Error('enough'))
      tell([await why(asked), (await fetch(hub + metadata)).status])`
    expect(await told(code)).toEqual(['enough', 200])
  })
})

test('other origins are left as they are', async () => {
  const server = createServer((_request, response) => response.end('the other'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const code = `
    const other = await (await fetch('http://localhost:${port}/')).text()
    tell([other, await why(fetch('https://other.invalid')), await why(fetch('https://hub.invalid:8443'))])`
  const ended = await runIntercepted(code, { url })
  expect(ended.told).toEqual([
    'the other',
    expect.stringContaining('refused beyond this machine: other.invalid'),
    expect.stringContaining('refused beyond this machine: hub.invalid'),
  ])
  expect(ended.refused).toEqual(['other.invalid', 'hub.invalid'])
})

describe('what cannot be rerouted fails, and says so', () => {
  test('the sandbox is gone', async () => {
    const code = `
      import { get } from 'node:http'
      tell([await why(fetch(hub)), await why(read(get('http://hub.invalid')))])`
    const why =
      /https:\/\/hub\.invalid is rerouted to the sandbox at http:\/\/localhost:9, which cannot be reached \(ECONNREFUSED\)\./
    expect(await told(code, { url: 'http://localhost:9' })).toEqual([
      expect.stringMatching(why),
      expect.stringMatching(why),
    ])
  })

  test('HTTP/2 without a way back', async () => {
    const code = `
      import { connect } from 'node:http2'
      const session = connect(hub)
      session.on('error', (error) => tell(error.message))`
    expect(await told(code)).toMatch(/by h2: the sandbox speaks HTTP\/1\.1/)
  })

  test('a proxy of the program is not asked to lead to the hub', async () => {
    const proxy = createServer()
    const asked: string[] = []
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '')
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.on('data', (chunk: Buffer) => asked.push(chunk.toString('latin1')))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo
    const code = `
      const { fetch, ProxyAgent } = fromHere('undici')
      const dispatcher = new ProxyAgent('http://127.0.0.1:${port}')
      tell((await (await fetch(hub + metadata, { dispatcher })).json()).issuer)
      await dispatcher.close()`
    expect(await told(code)).toBe('https://hub.invalid')
    // The name, which a proxy is told first, and nothing of the request.
    expect(asked).toEqual(['hub.invalid:443'])
  })

  test.each([
    [
      { HUB_SANDBOX_INTERCEPT: '' },
      'set HUB_SANDBOX_INTERCEPT to the comma-separated origins to reroute',
    ],
    [{ HUB_SANDBOX_URL: '' }, 'set HUB_SANDBOX_URL to the URL of the sandbox'],
    [{ HUB_SANDBOX_URL: 'localhost:7420' }, 'must be like http://localhost:7420'],
    [{ HUB_SANDBOX_URL: 'https://hub.invalid' }, 'cannot reroute https://hub.invalid to itself'],
    [{ HUB_SANDBOX_INTERCEPT: 'hub.invalid' }, 'must be an origin such as'],
  ])('a program told %j does not run', async (env, sentence) => {
    const ended = await runIntercepted(`tell('it ran')`, { url, env })
    expect(ended).toMatchObject({ code: 2, told: '' })
    expect(ended.stderr).toMatch(/^hub-sandbox\/intercept: .*\.\n$/)
    expect(ended.stderr).toContain(sentence)
  })
})

test('what is the sandbox’s own is not under the hub’s name, however it is written', async () => {
  const code = `
    import { get } from 'node:https'
    const paths = ['/_sandbox/', '/_sandbox/api/tokens', '/_sandbox/health', '/_sandbox/live']
    const spellings = ['/%5fsandbox/api/tokens', '//_sandbox/api/tokens', '/_SANDBOX/api/tokens', '/x/../_sandbox/api/tokens']
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(hub + path)).status))
    const others = await Promise.all(spellings.map(async (path) => (await read(get({ host: 'hub.invalid', path }))).status))
    const refused = await (await fetch(hub + '/_sandbox/health')).json()
    const own = await fetch(process.env.HUB_SANDBOX_URL + '/_sandbox/health')
    tell({ statuses, isAnyThere: others.some((status) => status !== 403 && status !== 404), message: refused.message, own: own.status })`
  expect(await told(code)).toEqual({
    statuses: [403, 403, 403, 403],
    isAnyThere: false,
    message: expect.stringContaining('which has no /_sandbox'),
    own: 200,
  })
})
