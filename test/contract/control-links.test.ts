import { expect, test } from 'vitest'
import { serve } from '../helpers/json-receiver.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

test('links are created, listed and ended', async () => {
  const target = `${await serve((_request, response) => response.end('received'))}/`
  const sandbox = await startTestSandbox()
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
