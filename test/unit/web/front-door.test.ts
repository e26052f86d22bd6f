import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { messageOf } from '../../../server/core/background.ts'
import { isApiAddress, isControlAddress } from '../../../server/web/app-of-url.ts'
import { createLateApp, openFrontDoor } from '../../../server/web/front-door.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function appThatSays(name: string): Promise<FastifyInstance> {
  const app = fastify()
  app.all('/*', (request) => ({ name, path: request.url, body: request.body }))
  await app.ready()
  return app
}

/** A door whose control app is ready when the test says so; each build is one of `builds`. The API is at once. */
async function open() {
  const builds: PromiseWithResolvers[] = []
  const control = await appThatSays('control')
  const lateControl = createLateApp(isControlAddress, async () => {
    const build = withResolvers()
    builds.push(build)
    await build.promise
    return { app: control }
  })
  const api = createLateApp(isApiAddress, async () => ({ app: await appThatSays('api') }))
  const door = openFrontDoor(await appThatSays('first'), [lateControl, api])
  return { door, control, builds }
}

type PromiseWithResolvers = ReturnType<typeof withResolvers>

function withResolvers() {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((...parts) => ([resolve, reject] = parts))
  return { promise, resolve, reject }
}

async function listen(door: ReturnType<typeof openFrontDoor>) {
  const server = http.createServer(door.routing).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const arrivals = (count: number) =>
    new Promise<void>((resolve) => {
      let left = count
      server.on('request', () => --left === 0 && resolve())
    })
  return { url, arrivals }
}

describe('the router between the apps of a sandbox', () => {
  test.each([
    ['/', 'first'],
    ['/oauth/token?client_id=/api/', 'first'],
    ['/.well-known/openid-configuration', 'first'],
    ['/apis', 'first'],
    ['/acme/tiny', 'first'],
    ['/datasets/acme/corpus/discussions', 'first'],
    ['/acme/resolve', 'first'],
    ['/login?next=/acme/tiny/resolve/main/x', 'first'],
    ['/_sandboxes', 'first'],
    ['/models/_sandbox/', 'first'],
    ['/api/whoami-v2', 'api'],
    ['http://localhost/api/models?search=x', 'api'],
    ['/acme/tiny/resolve/main/README.md', 'api'],
    ['/datasets/acme/corpus/raw/main/a', 'api'],
    ['/spaces/acme/demo.git/info/refs?service=git-upload-pack', 'api'],
    ['/acme/tiny.git/info/lfs/objects/batch', 'api'],
    ['/acme/tiny/git-upload-pack', 'api'],
    ['/acme/tiny.git/git-receive-pack', 'api'],
    ['/_sandbox', 'control'],
    ['/_sandbox?token=x', 'control'],
    ['/_sandbox/', 'control'],
    ['/_sandbox/api/clock', 'control'],
    ['http://localhost/_sandbox/api/clock', 'control'],
  ])('routes %s to the %s', async (url, name) => {
    const { door, builds } = await open()
    const answer = door.inject(url)
    builds[0]?.resolve()
    expect((await answer).json()).toMatchObject({ name })
    expect(builds).toHaveLength(name === 'control' ? 1 : 0)
  })

  test('queues requests while the control app is built, and each gets one complete response', async () => {
    const { door, builds } = await open()
    const { url, arrivals } = await listen(door)
    const arrived = arrivals(3)
    const posts = ['one', 'two', 'three'].map((body) =>
      fetch(`${url}/_sandbox/${body}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ body }),
      }),
    )
    const injected = door.inject('/_sandbox/injected')
    await arrived
    // The hub does not wait for it.
    expect((await fetch(`${url}/elsewhere`)).status).toBe(200)
    expect(builds).toHaveLength(1)
    builds[0]?.resolve()
    const answers = await Promise.all(posts.map(async (post) => (await post).json()))
    expect(answers).toEqual(
      ['one', 'two', 'three'].map((body) => ({
        name: 'control',
        path: `/_sandbox/${body}`,
        body: { body },
      })),
    )
    expect((await injected).statusCode).toBe(200)
    expect(builds).toHaveLength(1)
  })

  test('returns 500 with a message when the build fails, and builds again', async () => {
    const { door, builds } = await open()
    const { url, arrivals } = await listen(door)
    const arrived = arrivals(1)
    const failing = fetch(`${url}/_sandbox/health`)
    const injected = door.inject('/_sandbox/health').catch(messageOf)
    await arrived
    builds[0]?.reject(new Error('no such file'))
    const failed = await failing
    expect(failed.status).toBe(500)
    expect(failed.headers.get('cache-control')).toBe('no-store')
    expect(await failed.json()).toEqual({
      error: 'failed',
      message:
        'This part of the server failed to start; the log has the reason. The next request starts it again.',
    })
    expect(await injected).toBe('no such file')
    const again = door.inject('/_sandbox/health')
    builds[1]?.resolve()
    expect((await again).statusCode).toBe(200)
    expect(builds).toHaveLength(2)
  })

  test('responds to queued requests before it closes, and closes what it built', async () => {
    const { door, control, builds } = await open()
    const waiting = door.inject('/_sandbox/health')
    const closing = door.close()
    expect((await door.inject('/_sandbox/health')).statusCode).toBe(503)
    builds[0]?.resolve()
    expect((await waiting).statusCode).toBe(200)
    await closing
    await expect(control.inject('/')).rejects.toThrow(/closed/)
  })

  test('builds nothing after close', async () => {
    const { door, builds } = await open()
    await door.close()
    await expect(door.inject('/_sandbox/health')).rejects.toThrow(/closed/)
    expect(builds).toEqual([])
  })

  test('closes while the build fails', async () => {
    const { door, builds } = await open()
    const waiting = door.inject('/_sandbox/health').catch(messageOf)
    const closing = door.close()
    builds[0]?.reject(new Error('too late'))
    expect(await waiting).toBe('too late')
    await closing
  })
})
