import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { resolveOptions } from '../../server/config/resolve.ts'
import type { ErrorBody } from '../../server/contract/control.ts'
import { runSandbox } from '../../server/sandbox.ts'
import { controlFixtures } from '../helpers/control.ts'
import { fillDisk } from '../helpers/failing-disk.ts'

it('on a full disk health and lists answer, changes are refused with the reason', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const options = await resolveOptions({ fixtures: controlFixtures, data, ephemeral: false })
  const sandbox = await runSandbox(options)
  onTestFinished(() => sandbox.close())
  const headers = { host: new URL(sandbox.url).host }
  const get = async (url: string) => (await sandbox.app.inject({ url, headers })).statusCode
  const makeRepo = () =>
    sandbox.app.inject({
      method: 'POST',
      url: '/_sandbox/api/repos',
      headers,
      payload: { type: 'model', name: 'acme/refused', user: 'alice' },
    })

  const disk = await fillDisk()
  onTestFinished(() => disk.repair())
  const refused = await makeRepo()
  expect(refused.statusCode).toBe(500)
  expect(refused.json<ErrorBody>()).toMatchObject({
    message: expect.stringContaining('the disk is full'),
  })
  for (const path of ['health', 'api/deliveries', 'api/webhooks', 'api/requests', 'api/overview']) {
    expect([path, await get(`/_sandbox/${path}`)]).toEqual([path, 200])
  }
  expect(await get('/api/models')).toBeLessThan(502)
  expect(disk.failures).toBeGreaterThan(0)
  disk.repair()
  expect(await get('/_sandbox/health')).toBe(200)
})
