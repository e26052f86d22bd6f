import { describe, expect, test } from 'vitest'
import { connectSandbox, type Sandbox } from '../../server/index.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { startJsonReceiver } from '../helpers/json-receiver.ts'
import { defaultApps, startTestSandbox, controlAt } from '../helpers/sandbox.ts'
import { callerAt } from '../helpers/cast.ts'

// Calls of the control API that a delivery could make: each is a POST with a JSON body.
const calls = ['reset', 'stop', 'tokens', 'users', 'clock', 'faults', 'snapshots', 'forks']

const webhookTo = (url: string) => ({
  user: 'alice',
  url,
  watched: [{ type: 'user', name: 'alice' }],
})
const event = { event: 'repo.content', repo: 'alice/tiny-sentiment' }

const isTried = ({ attempts }: { attempts: readonly { durationMs?: number }[] }) =>
  attempts[0]?.durationMs !== undefined

/** State that the control API could change, as text. */
async function stateOf(sandbox: Sandbox): Promise<string> {
  const lists = ['tokens', 'users', 'apps', 'webhooks', 'faults', 'snapshots', 'forks', 'links']
  const read = await Promise.all(lists.map((list) => sandbox.control('GET', list)))
  const { offsetMs, frozen } = await sandbox.clock.read()
  return JSON.stringify([...read, offsetMs, frozen])
}

describe('several sandboxes in one process, forks included', () => {
  test('refuse each other as targets of webhooks and links, under every name', async () => {
    const [one, other] = [await startTestSandbox(), await startTestSandbox()]
    const fork = await one.fork()
    const sandboxes = [one, other, fork]
    const before = await Promise.all(sandboxes.map(stateOf))
    for (const from of sandboxes) {
      for (const { url } of sandboxes) {
        const { port } = new URL(url)
        for (const host of ['localhost', '127.0.0.1', 'other.localhost', '[::1]']) {
          const target = `http://${host}:${port}/_sandbox/api/reset`
          // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
          await expect(from.control('POST', 'webhooks', webhookTo(target))).rejects.toThrow(
            `Port ${port} belongs to this sandbox`,
          )
          // eslint-disable-next-line no-await-in-loop -- as above
          await expect(from.control('POST', 'links', { target })).rejects.toThrow(
            `Port ${port} belongs to this sandbox`,
          )
        }
      }
    }
    expect(await Promise.all(sandboxes.map(stateOf))).toEqual(before)
    await fork.close()
  })

  test('do not deliver to another sandbox on the former port of a fork', async () => {
    const sandbox = await startTestSandbox()
    const fork = await sandbox.fork()
    const { port } = new URL(fork.url)
    await fork.close()
    await sandbox.control(
      'POST',
      'webhooks',
      webhookTo(`http://localhost:${port}/_sandbox/api/reset`),
    )
    const link = await sandbox.control<{ url: string }>('POST', 'links', {
      target: `http://localhost:${port}/_sandbox/api/reset`,
    })
    const later = await startTestSandbox({ port: Number(port) })
    const before = await stateOf(later)
    expect(await sandbox.trigger(event)).toMatchObject({
      deliveries: [],
      skipped: [{ reason: 'offline-target-blocked' }],
    })
    const forwarded = await callerAt(link).post('', {})
    expect(forwarded.status).toBe(502)
    expect(await stateOf(later)).toBe(before)
  })

  test('refuse requests from a page of another sandbox', async () => {
    const [one, other] = [await startTestSandbox(), await startTestSandbox()]
    const fork = await other.fork()
    const ofOther = { origin: other.url, 'sec-fetch-site': 'same-site' }
    for (const target of [one, fork]) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const before = await stateOf(target)
      for (const path of calls) {
        // eslint-disable-next-line no-await-in-loop -- as above
        const response = await controlAt(target.url).post(path, {}, ofOther)
        expect([path, response.status]).toEqual([path, 403])
      }
      // eslint-disable-next-line no-await-in-loop -- as above
      expect(await stateOf(target)).toBe(before)
    }
    await fork.close()
  })

  test('deliver, forward and sign in independently', async () => {
    const [one, other] = [await startTestSandbox(), await startTestSandbox()]
    const fork = await one.fork()
    const before = await Promise.all([one, fork].map(stateOf))
    const receiver = await startJsonReceiver()
    const link = await other.control<{ url: string }>('POST', 'links', { target: receiver.url })
    await other.control('POST', 'webhooks', webhookTo(link.url))
    await other.trigger(event)
    const { state } = await other.waitForDelivery(isTried)
    expect([state, receiver.bodies.length]).toEqual(['succeeded', 1])
    const token = await other.signIn({
      user: 'alice',
      clientId: defaultApps(other).public.clientId,
    })
    for (const { url } of [one, fork]) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const userinfo = await callerAt({ url }, token.access_token).get('/oauth/userinfo')
      expect(userinfo.status).toBe(401)
    }
    expect(await Promise.all([one, fork].map(stateOf))).toEqual(before)
    for (const sandbox of [one, fork]) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      expect(await sandbox.control('GET', 'deliveries')).toMatchObject({ items: [] })
    }
    await fork.close()
  })
})

describe('a sandbox of another process', { timeout: 60_000 }, () => {
  const { start } = commandLineWorld()

  test('gets no delivery and no forwarded request at its control API', async () => {
    const { sandbox: started } = await start(['--ephemeral'])
    const { url } = started
    const sandbox = await startTestSandbox()
    await using target = await connectSandbox(url)
    const before = await stateOf(target)
    const posts = calls.map((path) => `${url}/_sandbox/api/${path}`)
    for (const post of posts) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const link = await sandbox.control<{ url: string }>('POST', 'links', { target: post })
      for (const to of [post, link.url]) {
        // eslint-disable-next-line no-await-in-loop -- as above
        await sandbox.control('POST', 'webhooks', webhookTo(to))
      }
      // eslint-disable-next-line no-await-in-loop -- as above
      const forwarded = await callerAt(link).post('', {})
      expect([post, forwarded.status]).toEqual([post, 403])
      // eslint-disable-next-line no-await-in-loop -- as above
      expect(forwarded.body).toMatchObject({ error: 'forbidden_delivery' })
    }
    const { deliveries } = await sandbox.trigger(event)
    expect(deliveries).toHaveLength(2 * posts.length)
    for (const { id } of deliveries) {
      // eslint-disable-next-line no-await-in-loop -- one after the other, to tell which failed
      const { attempts } = await sandbox.waitForDelivery(
        (delivery) => delivery.id === id && isTried(delivery),
      )
      expect(attempts[0]).toMatchObject({ status: 403 })
    }
    expect(await stateOf(target)).toBe(before)
  })
})
