// The tests of the sandbox use what it ships for the tests of others, with a sandbox of its own for each.
import { startSandbox } from './package.ts'
import { test as shipped } from './package.ts'
import { recordCoverage } from '../helpers/browser-coverage.ts'
import { coverageFolder } from '../helpers/coverage-folder.ts'

export { expect } from './package.ts'

const folder = coverageFolder

const base = shipped.extend({
  sandbox: async ({ sandboxOptions }, provide) => {
    const sandbox = await startSandbox(sandboxOptions)
    await provide(sandbox)
    await sandbox.close()
  },
})

export const test =
  folder === undefined
    ? base
    : base.extend<object, object>({
        browser: [
          async ({ browser }, provide) => {
            recordCoverage(browser, folder)
            await provide(browser)
          },
          { scope: 'worker' },
        ],
      })
