import { describe, expect, test } from 'vitest'
import { controlWorld, expectInvalid } from '../helpers/control.ts'

const { call, hub } = controlWorld()

/** Lists within lists, as many levels. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('nesting depth of bodies', () => {
  test('the control API returns 400 with the limit and keeps responding', async () => {
    const add = (levels: number) =>
      call('POST', 'faults', { match: { route: '/none' }, body: nested(levels) })
    expect((await add(63)).status).toBe(201)
    const refused = await add(1000)
    expectInvalid(refused)
    expect(refused.body['message']).toContain('more than 64 levels')
    expect((await call('GET', 'faults')).status).toBe(200)
    expect((await call('GET', 'requests.har')).status).toBe(200)
  })

  test('a snapshot import has the limit, too', async () => {
    const answer = await call('POST', 'snapshots', { fixtures: { users: nested(1000) } })
    expectInvalid(answer)
  })

  test('the hub refuses the body before it becomes a value that the request log cannot write', async () => {
    const answer = await hub<{ error: string }>('POST', '/oauth/register', {
      json: { redirect_uris: nested(1000) },
    })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain('more than 64 levels')
    expect((await call('GET', 'requests.har')).status).toBe(200)
  })
})

describe('paths of overrides', () => {
  const override = (path: string) =>
    call('POST', 'events', {
      event: 'repo.content',
      repo: 'acme/corpus',
      overrides: { [path]: 'refs/heads/x' },
    })

  test('an item is replaced or appended, never added far behind the end', async () => {
    expect((await override('updatedRefs[0].ref')).status).toBe(202)
    expect((await override('updatedRefs[1].ref')).status).toBe(202)
    for (const path of ['updatedRefs[2].ref', 'updatedRefs[30000000].ref', 'updatedRefs[9]']) {
      const answer = await override(path)
      expectInvalid(answer, [`overrides.${path}`])
    }
  })

  // Their depth ended the stack, and answers to others carried the error.
  test.each([
    ['too deep', [`a${'.a'.repeat(40)}`], 'has more than 32 parts, the limit'],
    [
      '5,000 parts deep',
      [`a${'.a'.repeat(5000)}`],
      'A path has 10001 characters; the limit is 500',
    ],
    [
      'too many',
      Array.from({ length: 10_000 }, (_, number) => `a${number}`),
      'has 10000 paths; the limit is 100',
    ],
  ])('paths that are %s are refused in triggers and faults', async (_what, paths, message) => {
    const changes = Object.fromEntries(paths.map((path) => [path, 1]))
    const event = { event: 'repo.content', repo: 'acme/corpus' }
    for (const [url, body] of [
      ['events', { ...event, overrides: changes }],
      ['events', { ...event, remove: paths, preview: true }],
      ['faults', { match: {}, set: changes }],
      ['faults', { match: {}, remove: paths }],
    ] as const) {
      const answer = await call('POST', url, body)
      expect(answer.status).toBe(400)
      expect(answer.body['message']).toContain(message)
    }
    expect((await hub('GET', '/api/whoami-v2')).body).not.toContain('stack')
  })

  test('a route with many stars is refused, and none takes long', async () => {
    const match = { route: '*a'.repeat(10_000) }
    for (const [url, body] of [
      ['faults/preview', { match }],
      ['faults', { match, status: 500 }],
      ['barriers', { match, count: 1 }],
    ] as const) {
      const answer = await call('POST', url, body)
      expectInvalid(answer, ['match.route'])
      expect(answer.body['message']).toContain('at most 1000 characters')
    }
    expect((await call('GET', `requests?route=${'*'.repeat(1001)}`)).status).toBe(400)
    const most = { match: { route: '*a'.repeat(500) } }
    expect((await call('POST', 'faults/preview', most)).status).toBe(200)
  })

  test('the length of a list is not a member', async () => {
    expectInvalid(await override('updatedRefs.length'), ['overrides.updatedRefs.length'])
  })
})

describe('numbers', () => {
  test.each([
    ['POST', 'tokens', { user: 'alice', expiresIn: 1e15 }, 'expiresIn'],
    ['POST', 'tokens', { user: 'alice', role: 'read', expiresIn: 1e15 }, 'expiresIn'],
    ['POST', 'faults', { match: {}, delay: '30d' }, 'delay'],
    ['POST', 'faults', { match: {}, status: 500, times: 1e300 }, 'times'],
    ['POST', 'faults', { match: {}, status: 101 }, 'status'],
    [
      'POST',
      'events',
      { event: 'repo.content', repo: 'acme/corpus', repeat: { times: 1e300 } },
      'repeat.times',
    ],
    ['GET', 'idle?timeout=30d', undefined, 'timeout'],
  ])('%s %s %j is refused as input', async (method, path, body, at) => {
    expectInvalid(await call(method, path, body), [at])
    for (const list of ['tokens', 'clock', 'faults', 'export']) {
      expect((await call('GET', list)).status).toBe(200)
    }
  })
})
