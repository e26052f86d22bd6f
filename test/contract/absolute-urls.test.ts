import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { callerAt, callerWith } from '../helpers/cast.ts'
import { contentOf, lfsLine, uploadContent } from '../helpers/large-files.ts'
import { createOAuthClient, pkce } from '../helpers/oauth-client.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

/** Starts a sandbox, and calls its hub API under any host name. */
async function startHub(options: Parameters<typeof startTestSandbox>[0]) {
  const sandbox = await startTestSandbox(options)
  const { port } = new URL(sandbox.url)
  const call = (
    host: string,
    method: string,
    path: string,
    { body, token = 'hf_sandbox_alice' }: { body?: object; token?: string } = {},
  ) =>
    new Promise<{ status: number; link: string; text: string }>((resolve, reject) => {
      const headers = {
        host,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.once('end', () => {
          const { statusCode = 0, headers: answered } = response
          resolve({ status: statusCode, link: String(answered['link'] ?? ''), text })
        })
      })
        .once('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body))
    })
  return { port, call }
}

const parse = ({ text }: { text: string }): unknown => JSON.parse(text)

describe('absolute URLs in responses of the hub API', () => {
  test('URLs have the requested host with --allow-host', async () => {
    const { port, call } = await startHub({ allowHost: 'hub' })
    const host = `hub:${port}`
    const create = (name: string) =>
      call(host, 'POST', '/api/repos/create', { body: { name, type: 'model' } })

    const made = await create('made')
    expect(parse(made)).toMatchObject({ url: `http://${host}/alice/made` })
    const again = await create('made')
    expect([again.status, (parse(again) as { url: string }).url]).toEqual([
      409,
      `http://${host}/alice/made`,
    ])
    const batch = await call(host, 'POST', '/alice/made.git/info/lfs/objects/batch', {
      body: {
        operation: 'upload',
        transfers: ['basic'],
        objects: [{ oid: 'a'.repeat(64), size: 3 }],
      },
    })
    const { objects } = parse(batch) as { objects: { actions: Record<string, { href: string }> }[] }
    const actions = Object.values(objects[0]?.actions ?? {})
    expect(actions.map(({ href }) => new URL(href).host)).toEqual([host, host])
    const models = await call(host, 'GET', '/api/models?limit=1')
    expect(models.link).toMatch(`<http://${host}/api/models?`)
  })

  test.each([
    [{ storageHost: 'same' as const }, 'localhost'],
    [{}, '127.0.0.1'],
  ])('with %j the storage of a client that uses localhost is %s', async (options, expected) => {
    const sandbox = await startTestSandbox(options)
    const { port, protocol } = new URL(sandbox.url)
    const bytes = Buffer.from('a large file')
    const alice = callerAt(sandbox, 'hf_sandbox_alice')
    await uploadContent(alice, '/alice/tiny-sentiment', bytes)
    const path = '/api/models/alice/tiny-sentiment'
    const lfsFiles = [lfsLine('large.bin', contentOf(bytes)).value]
    await alice.post(`${path}/commit/main`, { summary: 'Add', lfsFiles })
    const found = await alice.get('/alice/tiny-sentiment/resolve/main/large.bin')
    const location = new URL(String(found.headers['location']))
    expect(location).toMatchObject({ protocol, hostname: expected, port })
    const token = (await alice.get<{ casUrl: string }>(`${path}/xet-read-token/main`)).body
    expect(new URL(token.casUrl)).toMatchObject({ protocol, hostname: expected, port })
  })

  test('URLs have the requested IP address when listening beyond loopback', async () => {
    const { port, call } = await startHub({ host: '0.0.0.0' })
    const { link } = await call(`192.168.0.7:${port}`, 'GET', '/api/models?limit=1')
    expect(link).toMatch(`<http://192.168.0.7:${port}/api/models?`)
  })

  test('URLs of jobs, the audit log and gated repos have the requested host', async () => {
    const { port, call } = await startHub({ allowHost: 'hub' })
    const host = `hub:${port}`
    const body = { dockerImage: 'python:3.12', flavor: 'cpu-basic', command: ['x'] }
    const job = await call(host, 'POST', '/api/jobs/alice', { body })
    await call(host, 'POST', '/api/jobs/alice', { body })
    expect(parse(job)).toMatchObject({ owner: { avatarUrl: `http://${host}/avatars/alice.svg` } })
    const jobs = await call(host, 'GET', '/api/jobs/alice?limit=1')
    expect(jobs.link).toMatch(`<http://${host}/api/jobs/alice?`)

    await call(host, 'PUT', '/api/datasets/acme/corpus/settings', { body: { gated: 'manual' } })
    const gated = await call(host, 'GET', '/datasets/acme/corpus/resolve/main/README.md', {
      token: 'hf_sandbox_dave',
    })
    expect(gated.status).toBe(403)
    expect(gated.text).toContain(`http://${host}/datasets/acme/corpus `)

    const revoke = '/api/organizations/acme/settings/tokens/revoke'
    await call(host, 'POST', revoke, { body: { token: 'hf_sandbox_bob' } })
    const audit = await call(host, 'GET', '/api/organizations/acme/audit-log/export')
    const authors = (parse(audit) as { author: { avatarUrl?: string } }[]).flatMap(
      ({ author: { avatarUrl } }) => avatarUrl ?? [],
    )
    expect(authors).not.toEqual([])
    expect(new Set(authors.map((url) => new URL(url).host))).toEqual(new Set([host]))
  })

  const createUnder = async (world: TestApp, host: string) => {
    const repo = { name: `under-${host.replaceAll(/[^a-z0-9]/g, '-')}`, type: 'model' }
    const alice = world.as('alice')
    return (await alice.post<{ url: string }>('/api/repos/create', repo, { host })).body.url
  }

  test('URLs under the host of the base URL use HTTPS, as a proxy may serve it', async () => {
    const world = await buildTestApp({ baseUrl: 'https://hub.test', allowHosts: ['other'] })
    expect(await createUnder(world, 'hub.test')).toMatch('https://hub.test/alice/')
    expect(await createUnder(world, 'hub.test:443')).toMatch('https://hub.test/alice/')
    expect(await createUnder(world, 'other:7420')).toMatch('http://other:7420/alice/')
    expect(await createUnder(world, 'localhost:7420')).toMatch('http://localhost:7420/alice/')
  })

  test('URLs have the back channel under its host, and the base URL for a host without a port', async () => {
    const world = await buildTestApp({ backChannelUrl: 'https://hub:7421' })
    expect(await createUnder(world, 'hub:7421')).toMatch('https://hub:7421/alice/')
    expect(await createUnder(world, 'localhost:99999')).toMatch('http://localhost:7420/alice/')
  })

  test('the issuer and the URLs of sign-in stay the same', async () => {
    const world = await buildTestApp({ allowHosts: ['hub'] })
    const headers = { host: 'hub:7420' }
    const client = createOAuthClient(world)
    const code = await client.getCode('alice', {
      client_id: world.apps.public.id,
      scope: 'openid profile',
      ...pkce,
    })
    const redeemed = await client.redeem(code, { client_id: world.apps.public.id }, headers)
    const token = redeemed.json<Record<string, string>>()
    const payload = token['id_token']?.split('.')[1] ?? ''
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iss: string }
    expect(claims.iss).toBe('http://localhost:7420')
    const app = callerWith(world, token['access_token'] ?? '')
    const userinfo = await app.get('/oauth/userinfo', undefined, headers)
    expect(userinfo.body).toMatchObject({ profile: 'http://localhost:7420/alice' })
    const discovery = '/.well-known/openid-configuration'
    const metadata = await world.as().get(discovery, undefined, headers)
    expect(metadata.body).toMatchObject({ issuer: 'http://localhost:7420' })
  })
})
