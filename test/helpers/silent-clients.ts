import { afterEach, expect, vi } from 'vitest'
import { describeFindings, selectFindings } from '../../server/handle/check-matchers.ts'
import type * as library from '../../server/index.ts'
import { provokedFindings } from './provoked-findings.ts'

// Clients that work well must cause no finding: a check that cannot be quiet about them cries wolf to every user. All
// sandboxes that the tests of clients and recipes start in this process are read, so a new test has nothing to add.

const running = new Set<Pick<library.Sandbox, 'advice'>>()

vi.mock('../../server/index.ts', async (importOriginal) => {
  const original = await importOriginal<typeof library>()
  return {
    ...original,
    startSandbox: async (options?: library.SandboxOptions) =>
      watch(await original.startSandbox(options)),
  }
})

/** Reads the findings before they end with the state. */
function watch(sandbox: library.Sandbox): library.Sandbox {
  const close = sandbox.close.bind(sandbox)
  const reset = sandbox.reset.bind(sandbox)
  running.add(sandbox)
  return Object.assign(sandbox, {
    close: async () => {
      try {
        if (running.delete(sandbox)) await expectNoFindings(sandbox)
      } finally {
        await close()
      }
    },
    reset: async () => {
      await expectNoFindings(sandbox)
      await reset()
    },
  })
}

afterEach(async () => {
  for (const sandbox of running) await expectNoFindings(sandbox)
})

/** @throws {Error} with the findings of a warning or worse */
async function expectNoFindings({ advice }: Pick<library.Sandbox, 'advice'>): Promise<void> {
  const { testPath = '' } = expect.getState()
  const name = testPath.split('/test/').at(-1) ?? ''
  const ignore = Object.keys(provokedFindings[name] ?? {})
  const findings = selectFindings(await advice.read(), { ignore })
  if (findings.length > 0) throw new Error(`the client has findings:${describeFindings(findings)}`)
}
