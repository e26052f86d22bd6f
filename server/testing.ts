import { type Sandbox, type SandboxOptions, startSandbox } from './index.ts'

export * from './receiver/testing.ts'

/** The hooks of a test runner: of vitest, jest, or anything that calls them alike. */
export interface TestHooks {
  beforeAll(hook: () => Promise<void>): unknown
  beforeEach(hook: () => Promise<void>): unknown
  afterAll(hook: () => Promise<void>): unknown
}

/**
 * One sandbox for the tests of a file, back to its fixtures before each of them.
 *
 *     import { afterAll, beforeAll, beforeEach } from 'vitest'
 *     const hub = useSandbox({}, { afterAll, beforeAll, beforeEach })
 *     it('signs in', async () => { await hub.sandbox.signIn({ user: 'alice' }) })
 *
 * @param options of {@link startSandbox}
 * @param hooks default: the global ones, which jest has always and vitest with `globals: true`
 */
export function useSandbox(
  options: SandboxOptions = {},
  hooks: TestHooks = globalThis as unknown as TestHooks,
): { readonly sandbox: Sandbox } {
  if (typeof hooks.beforeAll !== 'function') {
    throw new TypeError(
      'useSandbox found no global test hooks: pass { beforeAll, beforeEach, afterAll } of your test runner',
    )
  }
  let sandbox: Sandbox | undefined
  hooks.beforeAll(async () => {
    sandbox = await startSandbox(options)
  })
  hooks.beforeEach(async () => {
    await sandbox?.reset()
  })
  hooks.afterAll(async () => {
    await sandbox?.close()
  })
  return {
    get sandbox() {
      if (sandbox === undefined) throw new Error('the sandbox starts with the tests, not before')
      return sandbox
    },
  }
}
