import { describeFindings, selectFindings } from './client/check-matchers.ts'
import type { AdviceLevel } from './contract/words/advice-words.ts'
import {
  checkPerTest,
  type PerTest,
  type ReadySandbox,
  readyForTest,
  refuseOptions,
  refuseSharing,
} from './client/per-test.ts'
import { connectSandbox, type Sandbox, type SandboxOptions, startSandbox } from './index.ts'

export * from './receiver/testing.ts'
export * from './client/matchers.ts'
export {
  assertNoFindings,
  type CheckedSandbox,
  type CheckMatchers,
  checkMatchers,
  type FindingMatch,
} from './client/check-matchers.ts'
export {
  appModules,
  type AppModule,
  assertPassed,
  type AuditMatch,
  auditMatchers,
  type AuditMatchers,
} from './client/audit-matchers.ts'
export type { PerTest } from './client/per-test.ts'

type Hook = (hook: () => Promise<void>) => unknown

/** The hooks of a test runner: of vitest and jest, or of node:test, mocha and Cypress. */
export type TestHooks =
  | { beforeAll: Hook; beforeEach: Hook; afterAll: Hook; afterEach?: Hook }
  | { before: Hook; beforeEach: Hook; after: Hook; afterEach?: Hook }

export interface UseSandboxOptions extends SandboxOptions {
  /** A sandbox that runs already, in place of one of the tests' own. Default: `HUB_SANDBOX_URL`, as `exec` sets it. */
  url?: string
  /**
   * State at the start of each test: `reset` (the default) restores the fixtures and keeps the issuer; `fork` creates a
   * fork for each test, with its own issuer; `keep` keeps the state of the previous test.
   */
  perTest?: PerTest
  /** Fails a test whose app or receiver makes a mistake of this level or a worse one. Requires the hook `afterEach`. */
  advice?: AdviceLevel
}

/**
 * One sandbox for the tests of a file, back to its fixtures before each of them. Under `hub-sandbox exec` it is the one
 * that the program was given, else one of the tests' own.
 *
 *     import { afterAll, beforeAll, beforeEach } from 'vitest'
 *     const hub = useSandbox({}, { afterAll, beforeAll, beforeEach })
 *     it('signs in', async () => { await hub.sandbox.signIn({ user: 'alice' }) })
 *
 * @param options of {@link startSandbox}, for a sandbox of the tests' own
 * @param hooks default: the global ones, which jest has always and vitest with `globals: true`; `node:test` has
 *   `{ before, beforeEach, after }`
 * @throws {TypeError} where `perTest` is no such word, or a fork cannot have what is sent to an intercepted origin
 */
export function useSandbox(
  {
    url = process.env['HUB_SANDBOX_URL'] || undefined,
    perTest = 'reset',
    advice,
    ...flags
  }: UseSandboxOptions = {},
  hooks: TestHooks = globalThis as unknown as TestHooks,
): { readonly sandbox: Sandbox } {
  const ofRun = url === undefined ? undefined : process.env['HUB_SANDBOX_INTERCEPT']
  checkPerTest('perTest', perTest, flags.intercept ?? ofRun)
  const { first, each, last } = namedHooks(hooks)
  let sandbox: Sandbox | undefined
  let ready: ReadySandbox | undefined
  let before = new Map<string, number>()
  first(async () => {
    if (url !== undefined) {
      refuseOptions(url, flags)
      refuseSharing(url, perTest, workerIndex(), 'vitest: fileParallelism false, jest: --runInBand')
    }
    sandbox = await (url === undefined ? startSandbox(flags) : connectSandbox(url))
  })
  each(async () => {
    await ready?.release()
    ready = sandbox && (await readyForTest(sandbox, perTest))
    if (advice !== undefined && ready !== undefined) before = await countFindings(ready.sandbox)
  })
  if (advice !== undefined) {
    afterEachOf(hooks)(async () => {
      if (ready !== undefined) await failOnFindings(ready.sandbox, advice, before)
    })
  }
  last(async () => {
    await ready?.release()
    await sandbox?.close()
  })
  return {
    get sandbox() {
      const present = ready?.sandbox ?? sandbox
      if (present === undefined) throw new Error('the sandbox starts with the tests, not before')
      return present
    },
  }
}

/** With `perTest: 'keep'`, findings of earlier tests are still there. */
async function countFindings({ advice }: Sandbox): Promise<Map<string, number>> {
  const { items } = await advice.read()
  return new Map(items.map(({ id, count }) => [id, count]))
}

/** @throws {Error} with the findings of the test */
async function failOnFindings(
  sandbox: Sandbox,
  level: AdviceLevel,
  before: ReadonlyMap<string, number>,
): Promise<void> {
  await sandbox.idle().catch(() => undefined)
  const { items } = await sandbox.advice.read()
  const findings = selectFindings({ items }, { level }).filter(
    ({ id, count }) => count > (before.get(id) ?? 0),
  )
  if (findings.length === 0) return
  throw new Error(`the test caused findings of the checks:${describeFindings(findings)}`)
}

function afterEachOf({ afterEach }: TestHooks): Hook {
  if (typeof afterEach === 'function') return afterEach
  throw new TypeError(
    "useSandbox({ advice: 'error' }) requires the hook afterEach of your test runner: pass { beforeAll, beforeEach, afterEach, afterAll }",
  )
}

/** Counts from 0; test runners count from 1, or say nothing where there is one. */
function workerIndex(): number {
  const { VITEST_POOL_ID: vitest, JEST_WORKER_ID: jest } = process.env
  return Number(vitest ?? jest ?? 1) - 1
}

function namedHooks(hooks: TestHooks): { first: Hook; each: Hook; last: Hook } {
  if ('beforeAll' in hooks && typeof hooks.beforeAll === 'function') {
    return { first: hooks.beforeAll, each: hooks.beforeEach, last: hooks.afterAll }
  }
  if ('before' in hooks && typeof hooks.before === 'function') {
    return { first: hooks.before, each: hooks.beforeEach, last: hooks.after }
  }
  throw new TypeError(
    'useSandbox found no global test hooks: pass { beforeAll, beforeEach, afterAll } of your test runner, or { before, beforeEach, after } of node:test',
  )
}
