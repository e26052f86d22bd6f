import { beforeEach, describe, expect, test } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import { runSandbox } from '../../server/app/run-sandbox.ts'
import {
  controlFixtures,
  controlWorld,
  expectRefusal,
  expectInvalid,
  publicClient,
  removeSnapshots,
} from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'
import { controlAt } from '../helpers/sandbox.ts'

const caps = { consents: 2, registrations: 2, links: 2, snapshots: 2, forks: 2, webhooks: 2 }
const world = controlWorld({ fixtures: { ...controlFixtures, config: { caps } } })
const { call, hub } = world
const { authorize, whoami } = playFlows(world)
beforeEach(() => world.sandbox.deps.keys.published())
beforeEach(() => removeSnapshots(world))

/** Alice signs in to an app. */
const allow = (clientId: string, scope: string) => authorize({ client_id: clientId, scope })

const webhook = {
  user: 'alice',
  url: 'http://localhost:9/hook',
  watched: [{ type: 'user', name: 'alice' }],
}

describe('caps', () => {
  test('every cap has a default in the settings', async () => {
    const { settings } = await resolveOptions({})
    expect(settings.caps).toMatchObject({
      consents: 10_000,
      registrations: 1000,
      links: 100,
      snapshots: 100,
    })
  })

  test('the oldest unused registration is dropped', async () => {
    const register = () => hub<{ client_id: string }>('POST', '/oauth/register', { json: {} })
    const ids = [(await register()).body.client_id, (await register()).body.client_id]
    const use = (clientId = '') => call('POST', 'tokens', { user: 'alice', clientId })
    expect((await use(ids[0])).status).toBe(200)
    const third = (await register()).body.client_id
    const { apps } = world.sandbox.deps.state
    expect([ids[0], ids[1], third].map((id = '') => apps.has(id))).toEqual([true, false, true])
    await use(third)
    expect(await register()).toMatchObject({
      status: 503,
      body: { error: 'temporarily_unavailable' },
    })
    expect(apps.has(publicClient)).toBe(true)
  })

  test('an app with a pending device code counts as used', async () => {
    const json = { token_endpoint_auth_method: 'none' }
    const register = async () =>
      (await hub<{ client_id: string }>('POST', '/oauth/register', { json })).body.client_id
    const waiting = await register()
    expect(await hub('POST', '/oauth/device', { form: { client_id: waiting } })).toMatchObject({
      status: 200,
    })
    const ids = [waiting, await register(), await register()]
    const { apps } = world.sandbox.deps.state
    expect(ids.map((id) => apps.has(id))).toEqual([true, false, true])
  })

  test('only a limited number of apps of metadata documents stay, besides those in use', async () => {
    const { apps } = world.sandbox.deps.state
    const bring = async (name: string) => {
      const url = `https://${name}.example/.well-known/oauth-cimd`
      const document = {
        client_id: url,
        client_name: name,
        redirect_uris: ['http://localhost/callback'],
        token_endpoint_auth_method: 'none',
      }
      await call('POST', 'client-metadata-documents', { url, document })
      expect((await allow(url, 'openid')).status).toBe(200)
      return url
    }
    const forget = (url: string) =>
      call('DELETE', `consents?user=alice&clientId=${encodeURIComponent(url)}`)
    const known = (urls: readonly string[]) => urls.map((url) => apps.has(url))
    const before = [...apps.values()].filter(({ origin }) => origin === 'metadata-document').length
    expect(before).toBe(0)
    const urls = [await bring('one'), await bring('two')]
    await forget(urls[1] ?? '')
    // Its code is in use as long as it may be exchanged.
    await call('POST', 'clock', { advance: '1d' })
    urls.push(await bring('three'))
    expect(known(urls)).toEqual([true, false, true])
    urls.push(await bring('four'))
    expect(known(urls)).toEqual([true, false, true, true])
    expect(apps.has(publicClient)).toBe(true)
    expect(await bring('two')).toBe(urls[1])
  })

  test('the oldest consent is dropped, and the user is asked again', async () => {
    for (const scope of ['openid', 'profile', 'openid', 'email']) await allow(publicClient, scope)
    const kept = [...world.sandbox.deps.state.consents.values()].map(({ scopes }) => scopes)
    expect(kept).toEqual([['openid'], ['email']])
  })

  test.each([
    ['links', () => call('POST', 'links', {})],
    ['snapshots', () => call('POST', 'snapshots')],
    ['webhooks', () => call('POST', 'webhooks', webhook)],
    ['forks', () => call('POST', 'forks', {})],
  ])('one more of %s than allowed is refused with the name of the setting', async (cap, make) => {
    expect((await make()).status).toBe(201)
    expect((await make()).status).toBe(201)
    const refused = await make()
    const isForks = cap === 'forks'
    expectRefusal(refused, {
      status: isForks ? 429 : 409,
      error: isForks ? 'overloaded' : 'conflict',
    })
    expect(refused.body).toMatchObject({ message: expect.stringContaining(`config.caps.${cap}`) })
  })
})

test('snapshots in memory are also limited by size', async () => {
  const options = await resolveOptions({
    port: 0,
    fixtures: { ...controlFixtures, config: { caps: { snapshotBytes: 1000 } } },
  })
  const sandbox = await runSandbox(options)
  try {
    const answer = await controlAt(sandbox.url).post('snapshots', {})
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      message: expect.stringMatching(/would take \d+ bytes.*config\.caps\.snapshotBytes \(1000\)/),
    })
  } finally {
    await sandbox.close()
  }
})

describe('names of the fixtures file in the control API', () => {
  test('owner and authorizedOrganizations of an app', async () => {
    const made = await call<{ clientId: string }>('POST', 'apps', {
      name: 'Ours',
      owner: 'alice',
      authorizedOrganizations: ['acme'],
    })
    expect(made.body).toMatchObject({ owner: 'alice', authorizedOrganizations: ['acme'] })
    const path = `apps/${made.body.clientId}`
    const changes = { owner: 'bob', authorizedOrganizations: null }
    const changed = await call('PATCH', path, changes)
    expect(changed.body).toMatchObject({ owner: 'bob' })
    expect(changed.body).not.toHaveProperty('authorizedOrganizations')
    expectInvalid(
      await call('PATCH', path, { owner: 'x', authorizedOrganizations: ['acme', 'y'] }),
      ['owner', 'authorizedOrganizations[1]'],
    )
  })

  test('a fine-grained token', async () => {
    const entity = { type: 'dataset', name: 'acme/corpus' }
    const fineGrained = { scoped: [{ entity, permissions: ['repo.content.read'] }] }
    const minted = await call<{ access_token: string }>('POST', 'tokens', {
      user: 'alice',
      role: 'fineGrained',
      fineGrained,
    })
    expect((await whoami(minted.body.access_token)).body).toMatchObject({
      auth: { accessToken: { role: 'fineGrained', fineGrained } },
    })
    const unknown = { scoped: [{ entity: { type: 'org', name: 'none' }, permissions: [] }] }
    for (const [body, path] of [
      [{ role: 'read', fineGrained }, 'fineGrained'],
      [{ fineGrained }, 'fineGrained'],
      [{ role: 'fineGrained', fineGrained: unknown }, 'fineGrained.scoped[0].entity.name'],
    ] as const) {
      expectInvalid(await call('POST', 'tokens', { user: 'alice', ...body }), [path])
    }
  })
})
