import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listenTestApp } from '../helpers/app.ts'
import { bearerOf } from '../helpers/user-token.ts'
import { callerOf } from '../helpers/cast.ts'

const stallMs = 300

async function start() {
  const world = await listenTestApp({}, { stallMs })
  const { authorization = '' } = bearerOf(world, world.users.alice)
  const alice = callerOf(world, { authorization })
  const created = await alice.post('/api/repos/create', { name: 'stalled', type: 'model' })
  expect(created.status).toBe(200)
  const open = (): Socket => {
    const socket = connect(world.port, '127.0.0.1')
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    return socket
  }
  /** Head and beginning of a request whose body does not come to its end. */
  const begin = (method: string, path: string, type: string, body: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${body}`
  const uploadUrl = async () => {
    const batch = await world.server.inject({
      method: 'POST',
      url: '/alice/stalled.git/info/lfs/objects/batch',
      headers: { authorization, 'content-type': 'application/vnd.git-lfs+json' },
      payload: JSON.stringify({
        operation: 'upload',
        objects: [{ oid: 'a'.repeat(64), size: 1000 }],
      }),
    })
    const { objects } = batch.json<{ objects: { actions: { upload: { href: string } } }[] }>()
    const { pathname, search } = new URL(objects[0]?.actions.upload.href ?? '')
    return pathname + search
  }
  return { ...world, open, begin, uploadUrl }
}

type World = Awaited<ReturnType<typeof start>>

const requests: [string, (world: World) => string | Promise<string>][] = [
  ['JSON', ({ begin }) => begin('POST', '/api/repos/create', 'application/json', '{"name":')],
  ['form', ({ begin }) => begin('POST', '/oauth/token', 'application/x-www-form-urlencoded', 'a=')],
  [
    'control API call',
    ({ begin }) => begin('POST', '/_sandbox/api/tokens', 'application/json', '{'),
  ],
  [
    'NDJSON commit',
    ({ begin }) =>
      begin('POST', '/api/models/alice/stalled/commit/main', 'application/x-ndjson', '{"key":'),
  ],
  [
    'Git LFS upload',
    async ({ begin, uploadUrl }) =>
      begin('PUT', await uploadUrl(), 'application/octet-stream', 'part'),
  ],
  [
    'push',
    ({ begin }) =>
      begin(
        'POST',
        '/alice/stalled.git/git-receive-pack',
        'application/x-git-receive-pack-request',
        '00',
      ),
  ],
]

test.each(requests)(
  'a %s whose body stalls gets a 408, and a closed connection',
  async (_, make) => {
    const world = await start()
    const bytes = await make(world)
    const socket = world.open()
    const response = text(socket)
    socket.write(bytes)
    expect(await response).toMatch(
      /^HTTP\/1\.1 408 [^]*The request body stalled: no byte came for /,
    )
  },
)

test('a stalled request is in the request log', async () => {
  const { open, begin, requests } = await start()
  const socket = open()
  socket.resume()
  socket.write(begin('POST', '/api/repos/create', 'application/json', '{'))
  await once(socket, 'close')
  expect([...requests.values()].find(({ status }) => status === 408)).toMatchObject({
    url: '/api/repos/create',
    detail: expect.stringContaining('stalled') as string,
  })
})

test('fifty stalled uploads end and leave nothing behind', async () => {
  const world = await start()
  const url = await world.uploadUrl()
  const bytes = world.begin('PUT', url, 'application/octet-stream', 'part')
  const responses = Array.from({ length: 50 }, () => {
    const socket = world.open()
    socket.write(bytes)
    return text(socket)
  })
  for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1\.1 408 /)
})

test('a body that stalls after the refusal of its request is ended, too', async () => {
  const { open, begin } = await start()
  const socket = open()
  const response = text(socket)
  socket.write(begin('POST', '/', 'text/plain', 'x').replace('Host: localhost', 'Host: evil.test'))
  expect(await response).toMatch(/^HTTP\/1\.1 403 /)
})

test('a slow body is read to its end', async () => {
  const { open, begin } = await start()
  const socket = open()
  let response = ''
  socket.on('data', (part: Buffer) => (response += part.toString()))
  const body = JSON.stringify({ name: 'slow', type: 'model' }).padEnd(1000)
  socket.write(begin('POST', '/api/repos/create', 'application/json', ''))
  for (let at = 0; at < body.length; at += 125) {
    socket.write(body.slice(at, at + 125))
    // eslint-disable-next-line no-await-in-loop -- the pauses are what is tested
    await new Promise((resolve) => setTimeout(resolve, stallMs / 4))
  }
  await expect.poll(() => response).toMatch(/^HTTP\/1\.1 200 /)
})
