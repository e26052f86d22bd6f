import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { KilledSandbox } from '../helpers/killed-sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

// A folder that was filled to its limits must start again in the heap that filled it.

const timeout = 240_000
const heapMb = 256
const content = 'é'.repeat(30_000)
const mebibyte = 1024 * 1024

const receiver = createServer((request, response) => {
  request.resume().once('end', () => response.end(content))
})

beforeAll(async () => {
  await prepare(fileURLToPath(new URL('../..', import.meta.url)), ['server', 'library'])
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
}, timeout)
afterAll(() => receiver.close())

interface Delivery {
  state: string
}

function countsOf(deliveries: readonly Delivery[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { state } of deliveries) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

test(
  'a filled folder starts at the heap that filled it',
  async () => {
    const sandbox = new KilledSandbox({
      directory: temporaryDirectory(),
      within: ['env', `NODE_OPTIONS=--max-old-space-size=${heapMb}`],
    })
    await sandbox.start()
    // Retries wait for the clock.
    await sandbox.call('POST', 'clock', { frozen: true })
    const { port } = receiver.address() as AddressInfo
    const watched = [{ type: 'org', name: 'acme' }]
    for (let count = 0; count < 100; count++) {
      const url = count % 2 === 0 ? 'http://127.0.0.1:9/' : `http://127.0.0.1:${port}/`
      await sandbox.call('POST', 'webhooks', {
        user: 'alice',
        url,
        watched,
        domains: ['discussion'],
      })
    }
    const discussions = 'repos/dataset/acme/corpus/discussions'
    await sandbox.call('POST', discussions, { user: 'alice', title: 'Full', description: 'x' })
    for (let count = 0; count < 60; count++) {
      await sandbox.call('POST', `${discussions}/1/comments`, { user: 'alice', content })
    }
    const moving = 'deliveries?view=rows&state=held,queued,sending'
    await expect.poll(() => sandbox.list(moving), { timeout, interval: 500 }).toEqual([])
    const readCounts = async () => countsOf(await sandbox.list<Delivery>('deliveries?view=rows'))
    const before = await readCounts()
    // The bodies of those that wait, and of those in the log, are limited to 64 MiB each.
    const { waiting = 0, succeeded = 0 } = before
    expect((waiting + succeeded) * Buffer.byteLength(content)).toBeGreaterThan(40 * mebibyte)
    await sandbox.kill()

    await sandbox.start()
    expect(await readCounts()).toEqual(before)
    await sandbox.kill()
  },
  timeout,
)
