import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import { runSandbox } from '../../server/app/run-sandbox.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { controlFixtures } from '../helpers/control.ts'
import { fillDisk } from '../helpers/failing-disk.ts'
import { pkce } from '../helpers/oauth-client.ts'

test('on a full disk health and lists work, and changes are refused with the reason', async () => {
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
  const full = expect.stringMatching(/could not use its data folder: .*the disk is full/)
  expect(refused.json()).toEqual({ error: 'failed', message: full })
  for (const path of ['health', 'api/deliveries', 'api/webhooks', 'api/requests', 'api/overview']) {
    expect([path, await get(`/_sandbox/${path}`)]).toEqual([path, 200])
  }
  expect(await get('/api/models')).toBeLessThan(502)
  expect(disk.failures).toBeGreaterThan(0)
  disk.repair()
  expect(await get('/_sandbox/health')).toBe(200)
})

test('a reset that the disk refuses leaves the present state', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const options = await resolveOptions({ fixtures: controlFixtures, data, ephemeral: false })
  const sandbox = await runSandbox(options)
  onTestFinished(() => sandbox.close())
  const inject = (method: 'GET' | 'POST' | 'DELETE', url: string) =>
    sandbox.app.inject({ method, url, headers: { host: new URL(sandbox.url).host } })
  const users = async () => (await inject('GET', '/_sandbox/api/users')).json<unknown>()

  expect((await inject('POST', '/_sandbox/api/reset')).statusCode).toBe(200)
  const before = await users()
  const { repos } = sandbox.deps.state
  const [{ id, refs }] = [...repos.values()] as [Repo]
  const tip = refs['refs/heads/main'] ?? ''
  const object = join(data, 'repos', `${id}.git`, 'objects', tip.slice(0, 2), tip.slice(2))
  vi.spyOn(fs, 'utimesSync').mockImplementation((path) => {
    const found = path === object ? 'EIO' : 'ENOENT'
    throw Object.assign(new Error(`${found}: utime`), { code: found })
  })
  syncBuiltinESMExports()
  const refused = await inject('POST', '/_sandbox/api/reset')
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  expect([refused.statusCode, refused.body]).toEqual([500, expect.stringContaining(object)])
  expect(await users()).toEqual(before)
  expect((await inject('POST', '/_sandbox/api/reset')).statusCode).toBe(200)
})

test('on a full disk each group of routes refuses in its own shape and changes nothing', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
  onTestFinished(() => rm(data, { recursive: true }))
  const options = await resolveOptions({
    fixtures: controlFixtures,
    data,
    ephemeral: false,
    autoApprove: 'alice',
  })
  const sandbox = await runSandbox(options)
  onTestFinished(() => sandbox.close())
  const host = new URL(sandbox.url).host
  const inject = (method: 'GET' | 'POST', url: string, more: object = {}, headers: object = {}) =>
    sandbox.app.inject({ method, url, headers: { host, ...headers }, ...more })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const bearer = { authorization: 'Bearer hf_sandbox_alice' }
  const clientId = '11111111-1111-4111-8111-111111111111'

  const disk = await fillDisk()
  onTestFinished(() => disk.repair())
  const full = expect.stringContaining('the disk is full')
  const hub = await inject(
    'POST',
    '/api/settings/webhooks',
    { payload: { url: 'http://localhost:9/', watched: [{ type: 'org', name: 'acme' }] } },
    bearer,
  )
  expect({ status: hub.statusCode, body: hub.json() }).toEqual({
    status: 500,
    body: { error: full },
  })
  expect(hub.headers['x-error-message']).toEqual(full)

  const oauth = await inject('POST', '/oauth/device', { payload: `client_id=${clientId}` }, form)
  expect({ status: oauth.statusCode, body: oauth.json() }).toEqual({
    status: 500,
    body: { error: 'server_error', error_description: full },
  })
  expect(oauth.headers['cache-control']).toBe('no-store')

  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'http://localhost/callback',
    response_type: 'code',
    scope: 'openid',
    state: 'x',
    ...pkce,
  })
  const page = await inject('GET', `/oauth/authorize?${query.toString()}`)
  expect(page.statusCode).toBe(500)
  expect(page.headers).toMatchObject({ 'content-type': expect.stringContaining('text/html') })
  expect(page.headers).not.toHaveProperty('location')
  expect(page.headers).not.toHaveProperty('set-cookie')
  expect(page.body).toContain('the disk is full')

  // What is refused for its own sake is refused in its own words, full disk or not.
  expect((await inject('POST', '/_sandbox/api/repos', { payload: {} })).statusCode).toBe(400)
  const unknown = await inject('POST', '/oauth/device', { payload: 'client_id=nobody' }, form)
  expect(unknown.json()).toMatchObject({ error: 'invalid_client' })
})
