import { afterEach, vi } from 'vitest'
import type * as library from '../../server/index.ts'
import { expectSilent } from './expect-silent.ts'

// Clients that work well must cause no finding: a check that cannot be quiet about them cries wolf to every user. All
// sandboxes that the tests of clients and recipes start in this process are read, so a new test has nothing to add. For
// those of `exec` and `start`, see `watchRun`.

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

async function expectNoFindings({ advice }: Pick<library.Sandbox, 'advice'>): Promise<void> {
  expectSilent((await advice.read()).items)
}
