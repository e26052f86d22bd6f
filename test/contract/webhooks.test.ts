import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { callerAt } from '../helpers/cast.ts'
import { serve } from '../helpers/json-receiver.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'

interface Body {
  webhook: Record<'id' | 'url', string> & { domains: string[]; hasSecret: boolean }
  error: string
  issues: { path: string }[]
}

const sandbox = sharedSandbox()
const settings = '/api/settings/webhooks'
const alice = callerAt(sandbox, 'hf_sandbox_alice')
const change = (body: object, path = '') => alice.post<Body>(`${settings}${path}`, body)
const create = async (url: string) => (await change({ url, watched })).body.webhook.id

async function receive(status = () => 200) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const origin = await serve((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status()).end()
    })
  })
  return { url: `${origin}/hook`, received }
}

const watched = [{ type: 'org', name: 'acme' }]
const url = 'http://127.0.0.1:9/hook'

describe('/api/settings/webhooks', () => {
  test('creates, lists, reads, changes, disables, enables and deletes', async () => {
    const before = await alice.get<object[]>(settings)
    expect(Array.isArray(before.body)).toBe(true)

    const created = await change({ url, watched, secret: 's3cret' })
    expect(created.status).toBe(200)
    const { id } = created.body.webhook
    expect(created.body).toEqual({
      webhook: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        url,
        watched,
        domains: ['repo', 'discussion'],
        disabled: false,
        hasSecret: true,
      },
    })
    const listed = await alice.get<object[]>(settings)
    expect(listed.body).toHaveLength(before.body.length + 1)
    // The sandbox shows it to its owner, the Hub to nobody.
    expect(JSON.stringify(listed.body)).not.toContain('s3cret')
    expect((await alice.get<Body>(`${settings}/${id}`)).body).toEqual(created.body)

    // The Python client changes an address like this.
    const moved = await change({ url: `${url}/2`, watched: [] }, `/${id}`)
    expect(moved.body.webhook).toMatchObject({ url: `${url}/2`, watched, hasSecret: true })
    const domains = await change({ watched: [], domains: ['discussions'] }, `/${id}`)
    expect(domains.body.webhook).toMatchObject({ domains: ['discussion'] })

    // And sends neither a body nor a type here.
    expect((await alice.post<Body>(`${settings}/${id}/disable`)).body.webhook).toMatchObject({
      disabled: true,
    })
    expect((await alice.post<Body>(`${settings}/${id}/enable`)).body.webhook).toMatchObject({
      disabled: false,
    })

    expect(await alice.delete<Body>(`${settings}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await alice.get<Body>(`${settings}/${id}`)).status).toBe(404)
    expect((await alice.post<Body>(`${settings}/${id}/enable`)).status).toBe(404)
  })

  // As releases of the Python client send what their user did not say.
  test('treats null as missing', async () => {
    const unsaid = { domains: null, secret: null }
    const created = await change({ url, watched, ...unsaid })
    expect(created.status).toBe(200)
    const { id, domains, hasSecret } = created.body.webhook
    expect({ domains, hasSecret }).toEqual({ domains: ['repo', 'discussion'], hasSecret: false })
    await change({ secret: 's3cret', domains: ['repo'] }, `/${id}`)
    const nothing = { url: null, watched: null, job: null, jobSourceId: null, ...unsaid }
    const renamed = await change({ url, job_id: 'x' }, `/${id}`)
    expect([renamed.status, renamed.body.error]).toEqual([
      400,
      expect.stringContaining('jobSourceId'),
    ])
    const changed = await change(nothing, `/${id}`)
    expect(changed.body.webhook).toMatchObject({
      url,
      watched,
      domains: ['repo'],
      hasSecret: true,
    })
  })

  test('watches a renamed repo until it is deleted', async () => {
    const { received, url: address } = await receive()
    await alice.post('/api/repos/create', { name: 'first' })
    await change({ url: address, watched: [{ type: 'model', name: 'alice/first' }] })
    const moved = { fromRepo: 'alice/first', toRepo: 'alice/second', type: 'model' }
    await alice.post('/api/repos/move', moved)
    await alice.delete('/api/repos/delete', { name: 'second' })
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
    const answer = await change(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toContain(field)
    expect(answer.headers['x-error-message']).toContain(field)
  })

  test('names every mistake at once', async () => {
    const answer = await change({ url: 'x', watched: [], secret: 'ü' })
    expect(answer.body.issues.map(({ path }) => path)).toEqual(['url', 'secret', 'watched'])
  })

  test('are visible for their owner only', async () => {
    const id = await create(url)
    const bob = callerAt(sandbox, 'hf_sandbox_bob')
    expect((await bob.get(settings)).body).not.toContainEqual(expect.objectContaining({ id }))
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['POST', `/${id}/enable`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/replay/x`],
    ] as const) {
      expect(await bob.send(method, `${settings}${path}`)).toMatchObject({
        status: 404,
        body: { error: 'Webhook not found' },
      })
    }
  })

  test('require a token with the right', async () => {
    const list = (token?: string) => callerAt(sandbox, token).get(settings)
    const mint = async (details: Parameters<typeof sandbox.tokens.mint>[0]) =>
      (await sandbox.tokens.mint(details)).access_token
    expect((await list()).status).toBe(401)
    expect(await list('hf_sandbox_nobody')).toMatchObject({
      status: 401,
      body: { error: 'Invalid credentials in Authorization header' },
    })
    const without = await list(await mint({ user: 'alice', scope: 'openid' }))
    expect(without.status).toBe(403)
    expect(without.headers['www-authenticate']).toMatch(
      /error="insufficient_scope".*scope="webhooks"/,
    )
    expect((await list(await mint({ user: 'alice', role: 'read', name: 'r' }))).status).toBe(403)
    expect((await list(await mint({ user: 'alice', role: 'write', name: 'w' }))).status).toBe(200)
  })
})

describe('/api/settings/webhooks/{id}/replay/{logId}', () => {
  /** Sends an event, and returns the id of the delivery to a webhook. */
  async function deliver(id: string) {
    const { deliveries } = await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    return deliveries.find(({ webhookId }) => webhookId === id)?.id
  }

  test('sends again and returns the status of the receiver', async () => {
    let status = 500
    const receiver = await receive(() => status)
    const id = await create(receiver.url)
    const log = await deliver(id)
    expect(await alice.post<Body>(`${settings}/${id}/replay/${log}`)).toMatchObject({
      body: { status: 500 },
    })
    status = 204
    expect(await alice.post<Body>(`${settings}/${id}/replay/${log}`)).toMatchObject({
      status: 200,
      body: { status: 204 },
    })
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    expect([receiver.received.length, ids.size]).toEqual([3, 1])
    expect((await alice.post<Body>(`${settings}/${id}/replay/nothing`)).status).toBe(404)
  })

  test('names the failure if there is no status', async () => {
    const id = await create(url)
    const log = await deliver(id)
    expect(await alice.post<Body>(`${settings}/${id}/replay/${log}`)).toMatchObject({
      status: 502,
      body: { class: 'connection_refused', error: expect.stringContaining('ECONNREFUSED') },
    })
  })
})

describe('suspension on the wire', () => {
  test('is shown as text, and enabling ends it', async () => {
    const receiver = await receive(() => 503)
    await sandbox.clock.freeze()
    const id = await create(receiver.url)
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus', repeat: { times: 10 } })
    await sandbox.clock.runUntilIdle()
    const suspended = await alice.get<Body>(`${settings}/${id}`)
    expect(suspended.body.webhook).toMatchObject({ disabled: 'suspended-after-failure' })
    expect((await alice.post<Body>(`${settings}/${id}/enable`)).body.webhook).toMatchObject({
      disabled: false,
    })
  })
})
