import { once } from 'node:events'
import { webhookAt } from '../helpers/json-receiver.ts'
import { cpSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../server/index.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const make = (sandbox: Sandbox) =>
  sandbox.control<{ id: string }>(
    'POST',
    'webhooks',
    webhookAt('http://localhost:9/', { temporary: true }),
  )

const idsOf = async (sandbox: Sandbox) => {
  const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'webhooks?limit=1000')
  return items.map(({ id }) => id)
}

/** @returns what ends the connection as a killed program would */
async function follow(sandbox: Sandbox, id: string): Promise<() => void> {
  // Matches a delivery, so that the answer begins at once.
  await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus', mode: 'send' })
  const request = get(`${sandbox.url}/_sandbox/api/deliveries?follow=1&webhookId=${id}`)
  request.on('error', () => undefined)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined).resume()
  return () => request.destroy()
}

test('a temporary webhook ends with its last follower', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await make(sandbox)
  const [endFirst, endSecond] = [await follow(sandbox, id), await follow(sandbox, id)]
  endFirst()
  const { id: later } = await make(sandbox)
  const endLater = await follow(sandbox, later)
  endLater()
  await expect.poll(() => idsOf(sandbox), { timeout: 20_000 }).not.toContain(later)
  expect(await idsOf(sandbox)).toContain(id)
  endSecond()
  await expect.poll(() => idsOf(sandbox), { timeout: 20_000 }).not.toContain(id)
})

test('a temporary webhook survives a reset and is not saved', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await make(sandbox)
  const end = await follow(sandbox, id)
  const { name } = await sandbox.snapshot()
  await sandbox.reset()
  expect(await idsOf(sandbox)).toContain(id)
  const fork = await sandbox.fork()
  expect(await idsOf(fork)).not.toContain(id)
  await fork.close()
  expect(JSON.stringify(await sandbox.control('GET', 'export'))).not.toContain(id)
  end()
  await expect.poll(() => idsOf(sandbox), { timeout: 20_000 }).not.toContain(id)
  await sandbox.restore(name)
  expect(await idsOf(sandbox)).not.toContain(id)
})

test('a stopped or killed sandbox has no temporary webhooks after a restart', async () => {
  const [data, copy] = [temporaryDirectory(), temporaryDirectory()]
  const sandbox = await startTestSandbox({ data })
  const { id } = await make(sandbox)
  await follow(sandbox, id)
  // What a killed process would leave: all that was answered is in the journal.
  cpSync(data, copy, { recursive: true })
  rmSync(join(copy, 'lock.json'), { force: true })
  await sandbox.close()
  for (const folder of [data, copy]) {
    const again = await startTestSandbox({ data: folder })
    expect(await idsOf(again)).not.toContain(id)
    await again.close()
  }
})
