import { beforeEach, describe, expect, test } from 'vitest'
import { idempotencyWindowMs, once } from '../../../../server/hub/webhooks/engine/idempotency.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'

let world: TestWorld
let acts: number
beforeEach(async () => {
  world = await createTestDeps()
  acts = 0
})

const pending = new Map()
const ask = (key: string, request: unknown = 'the same') =>
  once(world.deps, pending, { key, request }, async () => ++acts)

describe('idempotency keys', () => {
  test('a repeated key gets the first response again, at the same time or later', async () => {
    expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1])
    expect(await ask('a')).toBe(1)
    expect(await ask('b')).toBe(2)
    await expect(ask('a', 'another')).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a request that failed leaves its key free', async () => {
    const fails = () => Promise.reject(new Error('not now'))
    const failed = once(world.deps, pending, { key: 'a', request: 'the same' }, fails)
    await expect(failed).rejects.toThrow('not now')
    expect(await ask('a')).toBe(1)
  })

  test('a key is kept for 24 hours', async () => {
    await ask('a')
    world.clock.advance(idempotencyWindowMs - 1)
    expect(await ask('a')).toBe(1)
    world.clock.advance(1)
    expect(await ask('a')).toBe(2)
  })

  test('at most ten thousand keys are kept, also under a frozen clock', async () => {
    for (let count = 0; count <= 10_000; count++) await ask(`key ${count}`)
    expect(world.state.idempotentAnswers.size).toBe(10_000)
    expect(await ask('key 1')).toBe(2)
    expect(await ask('key 0')).toBe(10_002)
  })
})
