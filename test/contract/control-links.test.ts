import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'

test('links are created, listed and ended', async () => {
  const receiver = createServer((_request, response) => response.end('received'))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const { now } = await sandbox.clock.freeze()

  const link = await sandbox.control<{ id: string; url: string; expiresAt: string }>(
    'POST',
    'links',
    { target },
  )
  expect(link).toEqual({
    id: expect.any(String),
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    target,
    hosted: false,
    expiresAt: new Date(Date.parse(now) + 72 * 3_600_000).toISOString(),
  })
  expect(new URL(link.url).port).not.toBe(new URL(sandbox.url).port)
  expect(await (await fetch(link.url, { method: 'POST' })).text()).toBe('received')
  expect(await sandbox.control('GET', 'links')).toEqual({ items: [link] })

  await expect(sandbox.control('POST', `links/${link.id}/wake`)).rejects.toThrow('hosted')
  await expect(sandbox.control('POST', 'links/none/wake')).rejects.toThrow('none')
  const hosted = await sandbox.control<{ id: string }>('POST', 'links', { target, hosted: true })
  await sandbox.clock.advance('50h')
  expect(await sandbox.control('POST', `links/${hosted.id}/wake`)).toMatchObject({
    id: hosted.id,
    expiresAt: new Date(Date.parse(now) + (50 + 48) * 3_600_000).toISOString(),
  })
  await sandbox.control('DELETE', `links/${hosted.id}`)
  await sandbox.control('DELETE', `links/${link.id}`)
  await expect(sandbox.control('DELETE', `links/${link.id}`)).rejects.toThrow(link.id)
  await expect(sandbox.control('POST', 'links', { target: 'x' })).rejects.toThrow('URL')
  await sandbox.control('POST', 'links', { target })
  await sandbox.reset()
  expect(await sandbox.control('GET', 'links')).toEqual({ items: [] })
})
