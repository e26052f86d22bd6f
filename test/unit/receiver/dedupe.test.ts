import { describe, expect, test, vi } from 'vitest'
import { dedupeKey, memoryStore, type DedupeStore } from '../../../server/receiver/index.ts'
import { fixture, receive } from '../../../server/receiver/testing.ts'
import { createGate, quietWebhooks } from './kit.ts'

describe('dedupeKey', () => {
  test('is the Webhook-Id if there is one', () => {
    const headers = new Headers({ 'Webhook-Id': 'wh_1' })
    expect(dedupeKey(fixture('repo.create'), headers)).toBe('wh_1')
  })

  test('is otherwise derived from the event', () => {
    const key = dedupeKey(fixture('repo.content.update'), new Headers())
    expect(dedupeKey(fixture('repo.content.update'))).toBe(key)
    const { updatedRefs } = fixture('repo.content.update')
    const moved = updatedRefs.map((ref) => ({ ...ref, newSha: 'f'.repeat(40) }))
    const others = [
      fixture('repo.content.update', { updatedRefs: moved }),
      fixture('repo.content.update', { repo: { id: 'other' } }),
      fixture('repo.content.update', { webhook: { id: 'other' } }),
      fixture('repo.update'),
      fixture('discussion.comment.create'),
      fixture('discussion.comment.update'),
      fixture('discussion.comment.update', { comment: { content: 'edited' } }),
      fixture('discussion.update'),
      fixture('discussion.update', { discussion: { title: 'other' } }),
      fixture('repo.config.update'),
      fixture('repo.config.update', { updatedConfig: { private: false } }),
    ].map((payload) => dedupeKey(payload))
    expect(new Set([key, ...others]).size).toBe(others.length + 1)
  })
})

describe('memoryStore', () => {
  test('expires entries', () => {
    let time = 0
    const store = memoryStore({ ttlMs: 100, now: () => time })
    void store.set('a', 'then')
    time = 99
    expect(store.get('a')).toBe('then')
    time = 100
    expect(store.get('a')).toBeUndefined()
  })

  test('drops the oldest entry beyond its size, and a renewed key counts as new', () => {
    const store = memoryStore({ max: 2 })
    for (const key of ['a', 'b', 'a', 'c']) void store.set(key, key)
    expect(['a', 'b', 'c'].map((key) => store.get(key))).toEqual(['a', undefined, 'c'])
  })
})

describe('dedupe', () => {
  const delivery = { endpoint: 'count', secret: 'abc', webhookId: 'wh_1' }

  function counting(store: DedupeStore, handler: () => unknown = () => undefined) {
    const { webhooks, log } = quietWebhooks({ dedupe: store })
    const run = vi.fn<() => unknown>(handler)
    webhooks.endpoint('count', run)
    const send = (options = {}) =>
      receive(webhooks, fixture('repo.create'), { ...delivery, ...options })
    return { webhooks, log, run, send }
  }

  test('handles each delivery once', async () => {
    const { webhooks, run, send } = counting(memoryStore())
    expect((await send()).status).toBe(204)
    const again = await send()
    expect(again.status).toBe(200)
    expect(await again.json()).toEqual({ duplicate: true })
    await send({ webhookId: 'wh_2' })
    expect(run).toHaveBeenCalledTimes(2)
    expect(webhooks.receptions.map(({ duplicate }) => duplicate)).toEqual([
      undefined,
      true,
      undefined,
    ])
  })

  test('handles a delivery once for each of its endpoints', async () => {
    const { webhooks, run } = counting(memoryStore())
    const other = vi.fn<() => void>()
    webhooks.endpoint('other', other)
    for (const endpoint of ['count', 'other', 'count', 'other']) {
      await receive(webhooks, fixture('repo.create'), { ...delivery, endpoint })
    }
    expect(run).toHaveBeenCalledOnce()
    expect(other).toHaveBeenCalledOnce()
  })

  test.each([
    ['threw', () => Promise.reject(new Error('not yet'))],
    ['answered so', () => new Response('not yet', { status: 500 })],
  ])('handles a delivery again if its handler failed: it %s', async (_how, fail) => {
    const { run, send } = counting(memoryStore(), () => (run.mock.calls.length === 1 ? fail() : {}))
    expect((await send()).status).toBe(500)
    expect(await (await send()).json()).toEqual({})
    expect(await (await send()).json()).toEqual({ duplicate: true })
  })

  test.each([
    { ends: 'well', statuses: [204, 200] },
    { ends: 'badly', statuses: [500, 500] },
  ])(
    'gives a concurrent attempt the result of the running one that ends $ends',
    async (outcome) => {
      const gate = createGate()
      const { run, send } = counting(memoryStore(), () => gate.promise)
      const attempts = [send(), send()]
      await vi.waitFor(() => expect(run).toHaveBeenCalled())
      if (outcome.ends === 'well') gate.resolve()
      else gate.reject(new Error('broken'))
      const answers = await Promise.all(attempts)
      expect(answers.map(({ status }) => status)).toEqual(outcome.statuses)
      expect(run).toHaveBeenCalledOnce()
    },
  )

  test('succeeds if only the store fails after the work, with a log entry', async () => {
    const { log, send } = counting({
      get: () => undefined,
      set: () => Promise.reject(new Error('store is gone')),
    })
    expect((await send()).status).toBe(204)
    expect(log.error).toHaveBeenCalledWith(expect.stringContaining('store'), expect.any(Error))
  })
})
