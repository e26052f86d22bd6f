// Runs the tests of every layer, then says in the last line how many passed and failed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import {
  countPlaywright,
  countVitest,
  isSuccess,
  sum,
  sumLine,
  withExitCode,
} from './helpers/counts.mjs'
import { findBrowser } from './helpers/find-browser.mjs'
import { installBrowser } from './helpers/install-browser.mjs'
import { VITEST_LAYERS, selectTests } from './helpers/selection.mjs'

/** @typedef {import('./helpers/counts.mjs').Counts} Counts */

const root = fileURLToPath(new URL('..', import.meta.url))
const selection = selectTests(process.argv.slice(2))
const reports = mkdtempSync(join(tmpdir(), 'hub-sandbox-tests-'))

/** @type {Counts} */
const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/**
 * Runs a test runner and counts what its JSON report says.
 * @template Report
 * @param {string[]} args the runner's script below the root, and its arguments
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, report: string, count: (report: Report) => Counts }} options
 * @returns {Counts}
 */
function runRunner(args, { env, quiet = false, report, count }) {
  rmSync(report, { force: true })
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
  })
  const counts = existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : NOTHING
  return withExitCode(counts, status)
}

/** @returns {Counts} */
function runVitest() {
  const report = join(reports, 'vitest.json')
  const layers = VITEST_LAYERS.filter((layer) => layer in selection.filters)
  if (layers.length === 0) return NOTHING
  const projects = layers.flatMap((layer) => ['--project', layer])
  const title = selection.title === undefined ? [] : ['-t', selection.title]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const filters = new Set(layers.flatMap((layer) => selection.filters[layer] ?? []))
  return runRunner(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/vitest.config.ts',
      '--passWithNoTests',
      ...projects,
      ...title,
      ...reporters,
      ...filters,
    ],
    { report, count: countVitest },
  )
}

/**
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 */
function runPlaywright(args, { env, quiet = false } = {}) {
  const report = join(reports, 'playwright.json')
  const title = selection.title === undefined ? [] : ['--grep', selection.title]
  return runRunner(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'test/playwright.config.ts',
      '--pass-with-no-tests',
      ...args,
      ...title,
      ...(selection.filters['e2e'] ?? []),
    ],
    {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      quiet,
      report,
      count: countPlaywright,
    },
  )
}

/** Counts the browser tests without running them: a listed test is one that was skipped. */
const listBrowserTests = () => runPlaywright(['--list', '--reporter=json'], { quiet: true })

/** @returns {string | undefined} */
function provideBrowser() {
  const find = () => findBrowser({ playwrightPath: chromium.executablePath() })
  return find() ?? (installBrowser() ? find() : undefined)
}

/** @returns {Counts} */
function runBrowserTests() {
  if (!('e2e' in selection.filters)) return NOTHING
  const listed = listBrowserTests()
  if (!selection.browser || listed.skipped === 0) return listed
  const browser = provideBrowser()
  if (browser !== undefined) {
    return runPlaywright(['--reporter=list,json'], { env: { CHROME_PATH: browser } })
  }
  process.stderr.write(
    'hub-sandbox: the browser tests need Chrome, Chromium or Edge: install one or name it in CHROME_PATH; --no-browser leaves them out\n',
  )
  return { passed: 0, failed: listed.failed + listed.skipped, skipped: 0 }
}

try {
  const counts = sum([runVitest(), runBrowserTests()])
  process.exitCode = isSuccess(counts) ? 0 : 1
  process.stdout.write(`${sumLine(counts)}\n`)
} finally {
  rmSync(reports, { recursive: true, force: true })
}
