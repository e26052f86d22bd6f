// The tests of the sandbox use what it ships for the tests of others.
import { test as base } from '../../server/playwright.ts'
import { recordCoverage } from '../helpers/browser-coverage.ts'
import { coverageFolder } from '../helpers/coverage-folder.ts'

export { expect } from '../../server/playwright.ts'

const folder = coverageFolder

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
