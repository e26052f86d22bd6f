import { describe, expect, test, vi } from 'vitest'
import { type TestHooks, useSandbox } from '../../server/testing.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

type Hook = () => Promise<void>

/** Hooks that are called by the test: once for the file, then before each of its tests, then at its end. */
function handRun(names: 'jest' | 'node' = 'jest') {
  const hooks: Record<'first' | 'each' | 'last', Hook> = {
    first: async () => {},
    each: async () => {},
    last: async () => {},
  }
  const note = (name: keyof typeof hooks) => (hook: Hook) => void (hooks[name] = hook)
  const given: TestHooks =
    names === 'jest'
      ? { beforeAll: note('first'), beforeEach: note('each'), afterAll: note('last') }
      : { before: note('first'), beforeEach: note('each'), after: note('last') }
  return { hooks, given }
}

describe('useSandbox', () => {
  test.each(['jest', 'node'] as const)('uses the hooks of %s', async (names) => {
    const { hooks, given } = handRun(names)
    const hub = useSandbox({ strict: true }, given)
    expect(() => hub.sandbox).toThrow('the sandbox starts with the tests, not before')
    await hooks.first()
    const { url } = hub.sandbox
    for (let round = 0; round < 2; round++) {
      await hooks.each()
      expect(hub.sandbox.url).toBe(url)
      expect(await hub.sandbox.tokens.list({ state: 'revoked' })).toEqual([])
      await hub.sandbox.tokens.revoke('hf_sandbox_alice')
    }
    expect(await hub.sandbox.control('GET', 'overview')).toMatchObject({ strict: true })
    await hooks.last()
    await expect(fetch(`${url}/_sandbox/health`)).rejects.toThrow('fetch failed')
  })

  test('uses the sandbox of the environment and leaves it running', async () => {
    const running = await startTestSandbox()
    vi.stubEnv('HUB_SANDBOX_URL', running.url)
    vi.stubEnv('VITEST_POOL_ID', '1')
    const { hooks, given } = handRun()
    const hub = useSandbox({}, given)
    await hooks.first()
    await hooks.each()
    expect(hub.sandbox.url).toBe(running.url)
    await hub.sandbox.tokens.revoke('hf_sandbox_alice')
    await hooks.each()
    expect(await hub.sandbox.tokens.list({ state: 'revoked' })).toEqual([])
    await hooks.last()
    expect((await fetch(`${running.url}/_sandbox/health`)).status).toBe(200)
  })

  test('creates a fork for each test on request, in any worker', async () => {
    const running = await startTestSandbox()
    vi.stubEnv('VITEST_POOL_ID', '3')
    const { hooks, given } = handRun()
    const hub = useSandbox({ url: running.url, perTest: 'fork' }, given)
    await hooks.first()
    await hooks.each()
    const [first] = [hub.sandbox]
    await first.tokens.revoke('hf_sandbox_alice')
    await hooks.each()
    expect(hub.sandbox.url).not.toBe(first.url)
    await expect(first.reset()).rejects.toThrow('the sandbox is closed')
    expect(await hub.sandbox.tokens.list({ state: 'revoked' })).toEqual([])
    await hooks.last()
    expect(await running.control('GET', 'forks')).toEqual({ items: [] })
  })

  test('refuses options that do not apply to a running sandbox, and workers that share it', async () => {
    const { url } = await startTestSandbox()
    const { hooks, given } = handRun()
    useSandbox({ url, seed: 1 }, given)
    await expect(hooks.first()).rejects.toThrow('so a test cannot set seed')
    vi.stubEnv('VITEST_POOL_ID', '2')
    useSandbox({ url }, given)
    await expect(hooks.first()).rejects.toThrow('vitest: fileParallelism false, jest: --runInBand')
  })

  test('refuses an unknown perTest', () => {
    const { given } = handRun()
    expect(() => useSandbox({ perTest: 'forks' as 'fork' }, given)).toThrow(
      'perTest must be one of reset, fork, keep, not "forks" (did you mean "fork"?)',
    )
  })

  test('refuses a fork per test if an origin is intercepted', () => {
    const { given } = handRun()
    const intercept = 'https://hub.example.test'
    const message =
      "an intercepted origin has one sandbox, and a fork has another issuer: use 'reset' for perTest"
    expect(() => useSandbox({ perTest: 'fork', intercept }, given)).toThrow(message)
    vi.stubEnv('HUB_SANDBOX_INTERCEPT', intercept)
    const url = 'http://localhost:7420'
    expect(() => useSandbox({ perTest: 'fork', url }, given)).toThrow(message)
    expect(() => useSandbox({ perTest: 'fork' }, given)).not.toThrow()
  })

  test('lists the hooks to pass if none are found', () => {
    expect(() => useSandbox({}, {} as TestHooks)).toThrow(
      'useSandbox found no global test hooks: pass { beforeAll, beforeEach, afterAll } of your test runner, or { before, beforeEach, after } of node:test',
    )
  })
})
