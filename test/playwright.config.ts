import { chromium, defineConfig } from '@playwright/test'
import { browserArguments } from './helpers/browser-arguments.ts'
import { findBrowser } from './helpers/find-browser.mjs'
import { enterOwnHome, prepareHomes } from './helpers/own-machine.ts'

const executablePath = findBrowser({ playwrightPath: chromium.executablePath() })
// Workers load this file again: they inherit the answer instead of looking once more.
if (executablePath) process.env['CHROME_PATH'] = executablePath
prepareHomes()
if (process.env['TEST_WORKER_INDEX'] !== undefined) enterOwnHome()

export default defineConfig({
  testDir: 'e2e',
  outputDir: '../test-results',
  forbidOnly: Boolean(process.env['CI']),
  fullyParallel: true,
  workers: 3,
  // What is built needs no compiler.
  build: { external: ['**/dist/**', '**/node_modules/.cache/**'] },
  // What fails fails at once where it can; a slow machine is no failure.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    launchOptions: { args: browserArguments, ...(executablePath && { executablePath }) },
    // Of the second try: to record every page of every test costs more than the tests.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
