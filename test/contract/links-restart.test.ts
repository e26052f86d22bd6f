import { createServer, type Server } from 'node:http'
import { webhookAt } from '../helpers/json-receiver.ts'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LinkItem, LinkList } from '../../server/contract/control-sandbox.ts'
import type { DeliveryList } from '../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../server/contract/control-webhooks.ts'
import { type Sandbox } from '../../server/index.ts'
import { definitions, stateFormatVersion } from '../../server/store/state.ts'
import { openStore } from '../../server/store/store.ts'
import { freePort } from '../helpers/free-port.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const day = 86_400_000
const soon = { timeout: 15_000, interval: 20 }

const start = (data?: string, port = 0) =>
  startTestSandbox({ port, ...(data === undefined ? {} : { data }) })

/** Another program at a port: what it is sent would be a secret given away. */
async function occupy(port: number): Promise<{ server: Server; called: () => number }> {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { server, called: () => calls }
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port)
const links = async (sandbox: Sandbox) => (await sandbox.control<LinkList>('GET', 'links')).items
const makeLink = (sandbox: Sandbox, body: object = {}) =>
  sandbox.control<LinkItem>('POST', 'links', body)
const post = async (url: string) => (await fetch(url, { method: 'POST', body: '{}' })).status

const makeWebhook = (sandbox: Sandbox, url: string) =>
  sandbox.control<WebhookItem>('POST', 'webhooks', webhookAt(url, { secret: 'kept to ourselves' }))
const webhook = (sandbox: Sandbox, { id }: { id: string }) =>
  sandbox.control<WebhookItem>('GET', `webhooks/${id}`)
const trigger = (sandbox: Sandbox) =>
  sandbox.control('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
const deliveriesOf = async (sandbox: Sandbox, { id }: { id: string }) =>
  (await sandbox.control<DeliveryList>('GET', `deliveries?webhookId=${id}`)).items
const statesOf = async (sandbox: Sandbox, of: { id: string }) =>
  (await deliveriesOf(sandbox, of)).map(({ state }) => state)

test('links keep their ports and expiry after a restart', async () => {
  const data = temporaryDirectory()
  const receiver = await occupy(0)
  const target = `http://127.0.0.1:${(receiver.server.address() as AddressInfo).port}`
  const first = await start(data)
  await first.clock.freeze()
  const made = [
    await makeLink(first, { target }),
    await makeLink(first, { hosted: true }),
    await makeLink(first),
  ]
  const hook = await makeWebhook(first, made[2]?.url ?? '')
  await first.clock.advance('71h')
  expect(await post(made[1]?.url ?? '')).toBe(503)
  await first.control('POST', `links/${made[1]?.id}/wake`)
  const before = await links(first)
  await first.close()
  await expect(fetch(made[0]?.url ?? '')).rejects.toThrow('fetch failed')

  const second = await start(data)
  expect(await links(second)).toEqual(before)
  expect(before.map(({ url }) => url)).toEqual(made.map(({ url }) => url))
  await trigger(second)
  await second.idle()
  expect(await statesOf(second, hook)).toEqual(['succeeded'])
  expect(await post(made[0]?.url ?? '')).toBe(200)
  expect(receiver.called()).toBe(1)
  await second.clock.advance('2h')
  expect(await Promise.all(made.map(({ url }) => post(url)))).toEqual([410, 200, 410])
  await second.close()

  // Expiry is a matter of the clock, not of the run.
  const third = await start(data)
  expect(await Promise.all(made.map(({ url }) => post(url)))).toEqual([410, 200, 410])
  await third.reset()
  expect(await links(third)).toEqual([])
  await third.close()
  expect(await links(await start(data))).toEqual([])
})

test('a link whose port is taken is paused, and its deliveries continue when it is free', async () => {
  const data = temporaryDirectory()
  const first = await start(data)
  const link = await makeLink(first)
  const hook = await makeWebhook(first, `${link.url}/hook`)
  await first.close()

  const other = await occupy(portOf(link))
  const second = await start(data)
  const problem = expect.stringMatching(/is paused: port \d+ is in use by another program/)
  expect(await links(second)).toEqual([{ ...link, problem }])
  expect(await webhook(second, hook)).toMatchObject({ problem, status: 'enabled' })
  await expect(second.control('POST', `links/${link.id}/wake`)).rejects.toThrow('is paused')
  await trigger(second)
  await second.idle()
  const [waiting] = await deliveriesOf(second, hook)
  expect(waiting).toMatchObject({ state: 'held', attempts: [], explanation: problem })
  // By hand neither: the program that has the port now is a stranger.
  const replayed = await second.control('POST', `deliveries/${waiting?.id}/replay`)
  expect(replayed).toMatchObject({ error: { class: 'sender_fault', message: problem } })
  expect(other.called()).toBe(0)

  other.server.close()
  await vi.waitFor(async () => {
    expect(await statesOf(second, hook)).toEqual(['succeeded'])
  }, soon)
  expect(await links(second)).toEqual([link])
  expect(await webhook(second, hook)).not.toHaveProperty('problem')
})

test('a paused link created again gets another port, and its webhooks follow', async () => {
  const data = temporaryDirectory()
  const first = await start(data)
  const link = await makeLink(first)
  const hook = await makeWebhook(first, `${link.url}/hook?a=1`)
  await first.close()

  const other = await occupy(portOf(link))
  const second = await start(data)
  await trigger(second)
  const again = await makeLink(second)
  expect(again.id).toBe(link.id)
  expect(portOf(again)).not.toBe(portOf(link))
  expect(await links(second)).toEqual([again])
  const moved = await webhook(second, hook)
  expect(moved.url).toBe(`${again.url}/hook?a=1`)
  expect(moved).not.toHaveProperty('problem')
  await second.idle()
  expect(await statesOf(second, hook)).toEqual(['succeeded'])
  expect(other.called()).toBe(0)
  await second.close()
  expect(await links(await start(data))).toEqual([again])
})

test('a start survives any stored links', async () => {
  const data = temporaryDirectory()
  await (await start(data)).close()
  const store = await openStore(definitions, { directory: data, formatVersion: stateFormatVersion })
  const taken = await occupy(0)
  const { port: takenPort } = taken.server.address() as AddressInfo
  const ports = [takenPort, takenPort, 0, -1, 1.5, 70_000]
  for (const [index, port] of ports.entries()) {
    const id = index.toString(16).padStart(24, '0')
    store.collections.links.put({ id, port, hosted: false, expiresAt: Date.now() + day })
  }
  store.collections.links.put({
    id: 'f'.repeat(24),
    port: await freePort(),
    target: 'http://[',
    hosted: true,
    expiresAt: Date.now() + day,
  })
  await store.close()

  const sandbox = await start(data)
  const listed = await links(sandbox)
  expect(listed).toHaveLength(ports.length + 1)
  expect(listed.filter(({ problem }) => problem !== undefined)).toHaveLength(ports.length)
  expect(await post(listed.at(-1)?.url ?? '')).toBe(502)
  for (const { id } of listed) await sandbox.control('DELETE', `links/${id}`)
  expect(await links(sandbox)).toEqual([])
})

test('a snapshot restores its links, paused if their ports are taken', async () => {
  const sandbox = await start()
  const kept = await makeLink(sandbox)
  const ended = await makeLink(sandbox, { hosted: true })
  await sandbox.control('POST', 'snapshots', { name: 'before' })
  await sandbox.control('DELETE', `links/${ended.id}`)
  const later = await makeLink(sandbox)
  const other = await occupy(portOf(ended))

  await sandbox.control('POST', 'snapshots/before/restore')
  expect(await links(sandbox)).toEqual([
    kept,
    { ...ended, problem: expect.stringContaining('is in use') },
  ])
  expect(await post(kept.url)).toBe(200)
  await expect(fetch(later.url)).rejects.toThrow('fetch failed')
  other.server.close()
  await vi.waitFor(async () => expect(await links(sandbox)).toEqual([kept, ended]), soon)
})

test('a fork has its own links, which its webhooks use', async () => {
  const sandbox = await start()
  const link = await makeLink(sandbox)
  const hook = await makeWebhook(sandbox, link.url)
  const fork = await sandbox.fork()
  onTestFinished(() => fork.close())
  const [own] = await links(fork)
  expect(own).not.toHaveProperty('problem')
  expect(own?.url).not.toBe(link.url)
  expect((await webhook(fork, hook)).url).toBe(`${own?.url}/`)
  expect((await webhook(sandbox, hook)).url).toBe(link.url)
})

test('a webhook whose target has become the sandbox itself reports it', async () => {
  const data = temporaryDirectory()
  const port = await freePort()
  const first = await start(data)
  const hook = await makeWebhook(first, `http://localhost:${port}/hook`)
  expect(hook).not.toHaveProperty('problem')
  await first.close()
  const { problem } = await webhook(await start(data, port), hook)
  expect(problem).toContain(`Port ${port} belongs to this sandbox`)
})
