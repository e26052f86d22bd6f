import { describe, expect, test } from 'vitest'
import { createSend, type SendDeps, type Target } from '../../../../server/lab/drift/send-calls.ts'
import type { Sent } from '../../../../server/lab/drift/tour.ts'

const call: Sent = { method: 'GET', path: '/api/models', headers: {}, as: 'owner' }

/** A host with a clock that moves by waiting only. */
function host(
  respond: (asked: number) => Response | Promise<Response>,
  target: Partial<Target> = {},
) {
  let time = 0
  const asked: { headers: Record<string, string>; at: number; redirect: unknown }[] = []
  const waits: number[] = []
  const deps: SendDeps = {
    fetch: async (_, { headers, redirect } = {}) => {
      const given = headers as Record<string, string>
      asked.push({ headers: given, at: time, redirect })
      return respond(asked.length)
    },
    wait: async (ms) => {
      time += ms
    },
    now: () => time,
    onWait: (seconds) => waits.push(seconds),
  }
  const send = createSend(
    { origin: 'https://hub.example', tokens: { owner: 'hf_x' }, ...target },
    deps,
  )
  return { send, asked, waits }
}

const busy = (headers: HeadersInit) => new Response('', { status: 429, headers })

describe('calls of a comparison', () => {
  test('send the token of their role only, and follow no redirect', async () => {
    const { send, asked } = host(() => new Response('{}'))
    await send(call)
    await send({ ...call, as: 'nobody' })
    await send({ ...call, headers: { authorization: 'Bearer other' } })
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer hf_x',
      undefined,
      'Bearer other',
    ])
    expect(asked.map(({ redirect }) => redirect)).toEqual(['manual', 'manual', 'manual'])
  })

  test('keep a rate', async () => {
    const { send, asked } = host(() => new Response('{}'), { perSecond: 4 })
    for (let count = 0; count < 4; count++) await send(call)
    expect(asked.map(({ at }) => at)).toEqual([0, 250, 500, 750])
  })

  test.each([
    ['seconds', { 'retry-after': '7' }, 7],
    ['a date', { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, 30],
    ['the end of the window', { ratelimit: '"api";r=0;t=55' }, 55],
    ['nothing', {}, 30],
    ['nonsense', { 'retry-after': 'soon' }, 30],
  ])('wait as long as a 429 says: %s', async (_, headers, seconds) => {
    const { send, waits } = host((asked) => (asked === 1 ? busy(headers) : new Response('[]')))
    expect(await send(call)).toMatchObject({ status: 200, text: '[]' })
    expect(waits).toEqual([seconds])
  })

  test('give up with a host that stays busy, or wants too long a wait', async () => {
    const stubborn = host(() => busy({ 'retry-after': '1' }))
    await expect(stubborn.send(call)).rejects.toThrow(
      'https://hub.example refuses further calls (429): wait 1 s, and lower --rate.',
    )
    expect(stubborn.asked).toHaveLength(6)
    const slow = host(() => busy({ 'retry-after': '3600' }))
    await expect(slow.send(call)).rejects.toThrow('wait 3600 s')
    expect(slow.asked).toHaveLength(1)
  })

  test('name a host that does not respond, and one that is not there', async () => {
    const late = host(() => Promise.reject(new DOMException('late', 'TimeoutError')))
    await expect(late.send(call)).rejects.toThrow(
      'https://hub.example did not respond within 30 s: GET /api/models.',
    )
    const gone = host(() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') })),
    )
    await expect(gone.send(call)).rejects.toThrow(
      'https://hub.example cannot be reached (getaddrinfo ENOTFOUND): GET /api/models.',
    )
  })

  test('read a part of a large file only', async () => {
    const { send } = host(() => new Response('x'.repeat(100_000)), { mostBytes: 1000 })
    const { text } = await send(call)
    expect(text.length).toBeGreaterThanOrEqual(1000)
    expect(text.length).toBeLessThanOrEqual(100_000)
  })
})
