import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
}, 30_000)
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

async function call(
  method: string,
  path = '',
  { body, token = 'hf_sandbox_alice' }: { body?: unknown; token?: string } = {},
) {
  const response = await fetch(`${sandbox.url}/api/settings/webhooks${path}`, {
    method,
    headers: {
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function receive(status = () => 200) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status()).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

const watched = [{ type: 'org', name: 'acme' }]
const url = 'http://127.0.0.1:9/hook'

describe('/api/settings/webhooks', () => {
  test('creates, lists, reads, changes, disables, enables and deletes', async () => {
    const before = await call('GET')
    expect(Array.isArray(before.body)).toBe(true)

    const created = await call('POST', '', { body: { url, watched, secret: 's3cret' } })
    expect(created.status).toBe(200)
    const { id } = created.body.webhook
    expect(created.body).toEqual({
      webhook: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        url,
        watched,
        domains: ['repo', 'discussion'],
        disabled: false,
        secret: 's3cret',
        hasSecret: true,
      },
    })
    expect((await call('GET')).body).toHaveLength(before.body.length + 1)
    expect((await call('GET', `/${id}`)).body).toEqual(created.body)

    // The Python client changes an address like this.
    const moved = await call('POST', `/${id}`, { body: { url: `${url}/2`, watched: [] } })
    expect(moved.body.webhook).toMatchObject({ url: `${url}/2`, watched, hasSecret: true })
    const domains = await call('POST', `/${id}`, {
      body: { watched: [], domains: ['discussions'] },
    })
    expect(domains.body.webhook).toMatchObject({ domains: ['discussion'] })

    // And sends neither a body nor a type here.
    expect((await call('POST', `/${id}/disable`)).body.webhook).toMatchObject({ disabled: true })
    expect((await call('POST', `/${id}/enable`)).body.webhook).toMatchObject({ disabled: false })

    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('POST', `/${id}/enable`)).status).toBe(404)
  })

  // As releases of the Python client send what their user did not say.
  test('treats null as missing', async () => {
    const unsaid = { domains: null, secret: null }
    const created = await call('POST', '', { body: { url, watched, ...unsaid } })
    expect(created.status).toBe(200)
    const { id, domains, hasSecret } = created.body.webhook
    expect({ domains, hasSecret }).toEqual({ domains: ['repo', 'discussion'], hasSecret: false })
    await call('POST', `/${id}`, { body: { secret: 's3cret', domains: ['repo'] } })
    const nothing = { url: null, watched: null, job: null, jobSourceId: null, ...unsaid }
    const renamed = await call('POST', `/${id}`, { body: { url, job_id: 'x' } })
    expect([renamed.status, renamed.body.error]).toEqual([
      400,
      expect.stringContaining('jobSourceId'),
    ])
    const changed = await call('POST', `/${id}`, { body: nothing })
    expect(changed.body.webhook).toMatchObject({
      url,
      watched,
      domains: ['repo'],
      secret: 's3cret',
    })
  })

  test('watches a renamed repo until it is deleted', async () => {
    const { received, url: address } = await receive()
    const hub = (path: string, method: string, body: object) =>
      fetch(`${sandbox.url}/api/repos/${path}`, {
        method,
        headers: {
          Authorization: 'Bearer hf_sandbox_alice',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      })
    await hub('create', 'POST', { name: 'first' })
    const model = [{ type: 'model', name: 'alice/first' }]
    await call('POST', '', { body: { url: address, watched: model } })
    await hub('move', 'POST', { fromRepo: 'alice/first', toRepo: 'alice/second', type: 'model' })
    await hub('delete', 'DELETE', { name: 'second' })
    await sandbox.idle()
    const told = received.map(({ body }) => JSON.parse(body).event.action)
    expect(told).toEqual(['move', 'delete'])
    expect((await fetch(`${sandbox.url}/api/models/alice/first`)).status).not.toBe(307)
  })

  test.each([
    [{ watched }, 'url'],
    [{ url, watched: null }, 'watched'],
    [{ url: 'nonsense', watched }, 'url'],
    [{ url: 'ftp://x.test/', watched }, 'url'],
    [{ url, jobSourceId: 'x', watched }, 'url'],
    [{ jobSourceId: 'f'.repeat(24), watched }, 'jobSourceId'],
    [{ url, job_id: 'f'.repeat(24), watched }, "The Hub's API calls job_id jobSourceId."],
    [{ job_id: 'f'.repeat(24), watched }, 'calls job_id jobSourceId'],
    [{ url, jobId: 'f'.repeat(24), watched }, 'calls jobId jobSourceId'],
    [{ url, watched: [] }, 'watched'],
    [{ url }, 'watched'],
    [{ url, watched: [{ type: 'planet', name: 'x' }] }, 'watched[0].type'],
    [{ url, watched: [{ type: 'model', name: 'x' }] }, 'watched[0].name'],
    [{ url, watched: [{ type: 'org', name: 'a/b' }] }, 'watched[0].name'],
    [{ url, watched, domains: ['weather'] }, 'domains[0]'],
    [{ url, watched, secret: 'geheimnisvoll ☃' }, 'secret'],
    [{ job: { dockerImage: 'a', spaceId: 'b' }, watched }, 'job.spaceId'],
    [{ job: { dockerImage: 'a', flavor: 'x' }, watched }, 'job.flavor'],
  ])('refuses %j and names %s', async (body, field) => {
    const answer = await call('POST', '', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(field)
    expect(answer.headers.get('x-error-message')).toContain(field)
  })

  test('names every mistake at once', async () => {
    const answer = await call('POST', '', {
      body: { url: 'x', watched: [], secret: 'ü' },
    })
    expect(answer.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'url',
      'secret',
      'watched',
    ])
  })

  test('are visible for their owner only', async () => {
    const { id } = (await call('POST', '', { body: { url, watched } })).body.webhook
    const token = 'hf_sandbox_bob'
    expect((await call('GET', '', { token })).body).not.toContainEqual(
      expect.objectContaining({ id }),
    )
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['POST', `/${id}/enable`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/replay/x`],
    ] as const) {
      expect(await call(method, path, { token })).toMatchObject({
        status: 404,
        body: { error: 'Webhook not found' },
      })
    }
  })

  test('require a token with the right', async () => {
    expect((await call('GET', '', { token: '' })).status).toBe(401)
    expect(await call('GET', '', { token: 'hf_sandbox_nobody' })).toMatchObject({
      status: 401,
      body: { error: 'Invalid credentials in Authorization header' },
    })
    const mint = async (body: object) =>
      (await sandbox.control<{ access_token: string }>('POST', 'tokens', body)).access_token
    const without = await call('GET', '', { token: await mint({ user: 'alice', scope: 'openid' }) })
    expect(without.status).toBe(403)
    expect(without.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*scope="webhooks"/,
    )
    const read = await mint({ user: 'alice', role: 'read', name: 'r' })
    expect((await call('GET', '', { token: read })).status).toBe(403)
    const write = await mint({ user: 'alice', role: 'write', name: 'w' })
    expect((await call('GET', '', { token: write })).status).toBe(200)
  })
})

describe('/api/settings/webhooks/{id}/replay/{logId}', () => {
  test('sends again and returns the status of the receiver', async () => {
    let status = 500
    const receiver = await receive(() => status)
    const { id } = (await call('POST', '', { body: { url: receiver.url, watched } })).body.webhook
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    const log = deliveries.find(({ webhookId }) => webhookId === id)?.id
    expect(await call('POST', `/${id}/replay/${log}`)).toMatchObject({ body: { status: 500 } })
    status = 204
    expect(await call('POST', `/${id}/replay/${log}`)).toMatchObject({
      status: 200,
      body: { status: 204 },
    })
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect([receiver.received.length, ids.size]).toEqual([3, 1])
    expect((await call('POST', `/${id}/replay/nothing`)).status).toBe(404)
  })

  test('names the failure if there is no status', async () => {
    const { id } = (await call('POST', '', { body: { url, watched } })).body.webhook
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    const log = deliveries.find(({ webhookId }) => webhookId === id)?.id
    expect(await call('POST', `/${id}/replay/${log}`)).toMatchObject({
      status: 502,
      body: { class: 'connection_refused', error: expect.stringContaining('ECONNREFUSED') },
    })
  })
})

describe('suspension on the wire', () => {
  test('is shown as text, and enabling ends it', async () => {
    const receiver = await receive(() => 503)
    await sandbox.clock.freeze()
    const { id } = (await call('POST', '', { body: { url: receiver.url, watched } })).body.webhook
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus', repeat: { times: 10 } })
    await sandbox.clock.runUntilIdle()
    const suspended = await call('GET', `/${id}`)
    expect(suspended.body.webhook).toMatchObject({ disabled: 'suspended-after-failure' })
    expect((await call('POST', `/${id}/enable`)).body.webhook).toMatchObject({ disabled: false })
  })
})
