import { describe, expect, test, vi } from 'vitest'
import { connectSandbox } from '../../server/index.ts'
import {
  assertNoFindings,
  type CheckMatchers,
  checkMatchers,
  useSandbox,
} from '../../server/testing.ts'
import { sharedSandbox, errorOf } from '../helpers/sandbox.ts'

declare module 'vitest' {
  interface Matchers<T> extends CheckMatchers<Promise<void>> {}
}

expect.extend(checkMatchers)

const sandbox = sharedSandbox()

const bearer = { headers: { authorization: 'Bearer hf_sandbox_alice' } }
const good = () => fetch(`${sandbox.url}/api/whoami-v2`, bearer)
const bad = () => fetch(`${sandbox.url}/api/models?access_token=hf_sandbox_alice`)

const failure = async (promise: Promise<unknown>) =>
  (await errorOf(promise))?.message ?? 'it passed'

describe('toHaveNoFindings', () => {
  test('passes for a good app, and fails with the finding and its fix for another', async () => {
    await good()
    await expect(sandbox).toHaveNoFindings()
    await assertNoFindings(sandbox)
    await bad()
    const message = await failure(assertNoFindings(sandbox))
    expect(message).toMatch(/error token\/secret-in-url[^]*GET \/api\/models[^]*Fix: Send tokens/)
    expect(message).not.toContain('hf_sandbox_alice')
    await expect(sandbox).toHaveNoFindings({ ignore: ['token/secret-in-url'] })
  })

  test('fails without traffic: silence is no pass', async () => {
    expect(await failure(assertNoFindings(sandbox))).toContain(
      'toHaveNoFindings() had nothing to judge',
    )
    await sandbox.advice.pause(good)
    expect(await failure(assertNoFindings(sandbox))).toContain('1 request came in a pause')
  })

  test('refuses unknown options', async () => {
    await good()
    expect(await failure(assertNoFindings(sandbox, { level: 'errors' as 'error' }))).toContain(
      'error, warning, note',
    )
    expect(await failure(assertNoFindings(sandbox, { levels: 1 } as object))).toContain('"levels"')
  })
})

describe('toHaveFinding', () => {
  test('passes with the finding, and names what was found without it', async () => {
    await bad()
    await expect(sandbox).toHaveFinding('token/secret-in-url')
    await expect(sandbox).not.toHaveFinding('portability/not-emulated')
    const { message } = await checkMatchers.toHaveFinding(sandbox, 'portability/not-emulated')
    expect(message()).toContain('error token/secret-in-url')
    const nothing =
      'nothing to judge: no request or delivery was one that token/refresh-race is about'
    const rule = 'token/refresh-race'
    expect(await failure(expect(sandbox).toHaveFinding(rule))).toContain(nothing)
    expect(await failure(expect(sandbox).not.toHaveFinding(rule))).toContain(nothing)
  })

  test('refuses an unknown rule', async () => {
    await expect(expect(sandbox).toHaveFinding('token/refresh-rac')).rejects.toThrow(
      'did you mean "token/refresh-race"?',
    )
  })
})

describe('sandbox.advice', () => {
  test('pauses the checks, and ignores with a reason', async () => {
    expect(await sandbox.advice.pause(bad)).toHaveProperty('status', 200)
    expect((await sandbox.advice.read()).items).toEqual([])
    await bad()
    await sandbox.advice.ignore({ rule: 'token/secret-in-url', reason: 'on purpose' })
    await expect(sandbox).toHaveNoFindings()
  })

  test('ends the pause when the function throws', async () => {
    await expect(sandbox.advice.pause(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await bad()
    expect((await sandbox.advice.read()).items).toHaveLength(1)
  })
})

type Hook = () => Promise<void>

/** Hooks of a test runner, which this test calls itself. */
function recordedHooks() {
  const hooks: Record<string, Hook> = {}
  const record = (name: string) => (hook: Hook) => {
    hooks[name] = hook
  }
  return {
    hooks,
    given: {
      beforeAll: record('beforeAll'),
      beforeEach: record('beforeEach'),
      afterEach: record('afterEach'),
      afterAll: record('afterAll'),
    },
  }
}

describe("useSandbox({ advice: 'error' })", () => {
  test.each(['reset', 'keep', 'fork'] as const)(
    'fails the very test that caused the finding (%s)',
    async (perTest) => {
      const { hooks, given } = recordedHooks()
      const hub = useSandbox({ advice: 'error', perTest, port: 0 }, given)
      await hooks['beforeAll']?.()
      try {
        const runTest = async (body: (url: string) => Promise<unknown>) => {
          await hooks['beforeEach']?.()
          await body(hub.sandbox.url)
          return failure(hooks['afterEach']?.() ?? Promise.resolve())
        }
        expect(await runTest(async () => {})).toBe('it passed')
        expect(await runTest((url) => fetch(`${url}/api/models?access_token=x`))).toMatch(
          /the test caused findings[^]*error token\/secret-in-url/,
        )
        expect(await runTest((url) => fetch(`${url}/api/models`))).toBe('it passed')
      } finally {
        await hooks['afterAll']?.()
      }
    },
  )

  test('requires the hook afterEach', () => {
    const { afterEach: _without, ...given } = recordedHooks().given
    expect(() => useSandbox({ advice: 'error' }, given)).toThrow('requires the hook afterEach')
  })
})

test('a pause ends when its program is gone', async () => {
  const client = await connectSandbox(sandbox.url)
  let began = () => {}
  const begun = new Promise<void>((resolve) => (began = resolve))
  const pause = client.advice.pause(async () => {
    began()
    return new Promise(() => {})
  })
  pause.catch(() => undefined)
  await begun
  await bad()
  await expect(expect(sandbox).not.toHaveFinding('token/secret-in-url')).rejects.toThrow(
    'nothing to judge: 1 request came in a pause',
  )
  // Breaks its connections, as the end of a process does.
  await client.close()
  await vi.waitFor(async () => {
    await bad()
    await expect(sandbox).toHaveFinding('token/secret-in-url')
  }, 20_000)
})
