import { describe, expect, test } from 'vitest'
import { buildTestApp, testApp } from '../helpers/app.ts'

const world = testApp()

/** Bodies that no parser reads. */
const bodies: Record<string, { headers: Record<string, string>; payload: string | Buffer }> = {
  'broken JSON': { headers: { 'content-type': 'application/json' }, payload: '{"a":' },
  'deep JSON': {
    headers: { 'content-type': 'application/json' },
    payload: '['.repeat(100) + ']'.repeat(100),
  },
  'an unknown media type': { headers: { 'content-type': 'text/csv' }, payload: 'a,b' },
  'an invalid media type': { headers: { 'content-type': 'nonsense' }, payload: 'a' },
  'a body of 2 MiB': {
    headers: { 'content-type': 'application/json' },
    payload: Buffer.alloc(2 * 1024 * 1024, 'a'),
  },
}

const paths: Record<string, { status: number; body: unknown; type?: RegExp }> = {
  '/api/papers/x': {
    status: 501,
    body: { error: expect.stringMatching(/^POST \/api\/papers\/x is not emulated/) },
  },
  '/oauth/introspect': {
    status: 404,
    body: { error: 'not_found', error_description: 'Nothing is at POST /oauth/introspect.' },
  },
  '/.well-known/webfinger': {
    status: 404,
    body: { error: 'not_found', error_description: 'Nothing is at POST /.well-known/webfinger.' },
  },
  '/alice/tiny.git/info/lfs/nothing': {
    status: 501,
    body: {
      message: expect.stringContaining('not emulated'),
      request_id: expect.stringMatching(/^Root=1-/),
    },
    type: /^application\/vnd\.git-lfs\+json/,
  },
  '/tiny/info/lfs/objects/batch': {
    status: 401,
    body: { message: expect.any(String), request_id: expect.stringMatching(/^Root=1-/) },
    type: /^application\/vnd\.git-lfs\+json/,
  },
  '/_sandbox/nothing': {
    status: 404,
    body: { error: 'not_found', message: 'Nothing is at POST /_sandbox/nothing.' },
  },
  '/nowhere': {
    status: 404,
    body: { error: 'not_found', message: 'Nothing is at POST /nowhere.' },
  },
}

describe('a path without a route', () => {
  for (const [url, { status, body, type = /^application\/json/ }] of Object.entries(paths)) {
    test.each(Object.keys(bodies))(`${url} is reported to %s`, async (name) => {
      const answer = await world.server.inject({ method: 'POST', url, ...bodies[name] })
      expect(answer.statusCode).toBe(status)
      expect(answer.headers['content-type']).toMatch(type)
      expect(answer.json()).toEqual(body)
      expect(answer.body).not.toContain('FST_')
      expect(JSON.stringify(world.requests.values())).not.toContain('FST_')
    })
  }

  test('is reported to git as text', async () => {
    const answer = await world.server.inject({
      method: 'POST',
      url: '/kernels/alice/tiny/git-receive-pack',
      headers: { 'content-type': 'application/x-git-receive-pack-request' },
      payload: '0000',
    })
    expect(answer.statusCode).toBe(501)
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  test('has the limits and the error shape of its group', async () => {
    const { server } = await buildTestApp({ rateLimits: true })
    const ask = () => server.inject({ method: 'POST', url: '/api/papers/x' })
    for (let asked = 0; asked < 500; asked++) await ask()
    const refused = await ask()
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ error: refused.headers['x-error-message'] })
  })
})

describe('an error of Git LFS', () => {
  const id = 'my-request'
  const batch = '/alice/tiny-sentiment.git/info/lfs/objects/batch'
  test.each<[string, string, Record<string, string>]>([
    ['of a path that cannot be decoded', '/alice/tiny.git/info/lfs/%zz', {}],
    ['of a foreign host', batch, { host: 'evil.example' }],
    ['of a foreign page', batch, { origin: 'https://evil.example' }],
    ['of a body that is not JSON', batch, {}],
  ])('%s has the id of the request', async (_, url, headers) => {
    const answer = await world.server.inject({
      method: 'POST',
      url,
      headers: { 'x-request-id': id, 'content-type': 'application/vnd.git-lfs+json', ...headers },
      payload: '{',
    })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.json()).toMatchObject({ message: expect.any(String), request_id: id })
  })
})
