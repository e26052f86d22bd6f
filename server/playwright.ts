import { type BrowserContext, test as base } from '@playwright/test'
import { type Sandbox, type SandboxOptions, startSandbox } from './index.ts'

export { expect } from '@playwright/test'

export interface SandboxFixtures {
  /** Options of the sandbox: `test.use({ sandboxOptions: { … } })`. */
  sandboxOptions: SandboxOptions
  /** A sandbox of the test's own: in memory, on a free port. */
  sandbox: Sandbox
  /** Signs a fixture user in at the browser, so that the login page does not come up. */
  signInAs: (username: string, context?: BrowserContext) => Promise<void>
}

/** Playwright's `test` with a sandbox of its own for each test. */
export const test = base.extend<SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  sandbox: async ({ sandboxOptions }, provide) => {
    const sandbox = await startSandbox(sandboxOptions)
    await provide(sandbox)
    await sandbox.close()
  },
  signInAs: async ({ sandbox, context }, provide) => {
    await provide(async (username, browserContext = context) => {
      const { name, value } = await sandbox.control<{ name: string; value: string }>(
        'POST',
        'sessions',
        { user: username },
      )
      await browserContext.addCookies([{ name, value, url: sandbox.url }])
    })
  },
})
