// Runs the chosen tests layer by layer, then says in the last line how many passed and failed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
  troubleLine,
  troublesOfPlaywright,
  troublesOfVitest,
  withExitCode,
} from './helpers/counts.mjs'
import { findBrowser } from './helpers/find-browser.mjs'
import { installBrowser } from './helpers/install-browser.mjs'
import { vitestLayers, selectTests, usage } from './helpers/selection.mjs'
import { journeys, slowTests } from './helpers/short-set.mjs'

/** @typedef {import('./helpers/counts.mjs').Counts} Counts */
/** @typedef {import('./helpers/counts.mjs').Trouble} Trouble */

const root = fileURLToPath(new URL('..', import.meta.url))
const selection = readSelection()
/** A run that has to pass twice has no second try. */
const retries = selection.twice ? 0 : 1
const reports = mkdtempSync(join(tmpdir(), 'hub-sandbox-tests-'))

/** Every test that failed, or passed only at its second try, of all runners. @type {Trouble[]} */
const troubles = []

/** @type {Counts} */
const noResults = { passed: 0, failed: 0, skipped: 0 }

/** Ends this process where it has nothing to do: with 0 after its usage, with 2 after a mistake. */
function readSelection() {
  try {
    const selected = selectTests(process.argv.slice(2))
    if (selected !== undefined) return selected
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    return process.exit(2)
  }
  process.stdout.write(usage)
  return process.exit(0)
}

/**
 * Runs a test runner and counts what its JSON report says.
 * @template Report
 * @param {string[]} args the runner's script below the root, and its arguments
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean, report: string, count: (report: Report) => Counts, find: (report: Report) => Trouble[] }} options
 * @returns {Counts}
 */
function runRunner(args, { env, quiet = false, report, count, find }) {
  rmSync(report, { force: true })
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit'],
  })
  if (!existsSync(report)) return withExitCode(noResults, status)
  const results = JSON.parse(readFileSync(report, 'utf8'))
  troubles.push(...find(results))
  return withExitCode(count(results), status)
}

/** Whole layers show how far they are; of some files, each is of interest. */
const isOfWholeLayers =
  selection.title === undefined &&
  Object.values(selection.filters).every(({ length }) => length === 0)
const vitestReporters = isOfWholeLayers ? ['minimal', './test/helpers/progress.ts'] : ['default']

/**
 * @param {string[]} wanted the layers that may run now
 * @param {{ reporters?: string[], more?: string[] }} [options]
 * @returns {Counts}
 */
function runVitest(wanted, { reporters = vitestReporters, more = [] } = {}) {
  const report = join(reports, 'vitest.json')
  const layers = wanted.filter((layer) => layer in selection.filters)
  if (layers.length === 0) return noResults
  const projects = layers.flatMap((layer) => ['--project', layer])
  const title = selection.title === undefined ? [] : ['-t', selection.title]
  const left = selection.short ? Object.keys(slowTests) : []
  const filters = new Set(layers.flatMap((layer) => selection.filters[layer] ?? []))
  return runRunner(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/vitest.config.ts',
      '--passWithNoTests',
      // What passes only at its second try is named at the end.
      `--retry=${retries}`,
      ...projects,
      ...title,
      ...reporters.map((reporter) => `--reporter=${reporter}`),
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...left.map((name) => `--exclude=test/${name}.test.ts`),
      ...more,
      ...filters,
    ],
    {
      env: selection.twice ? { RUN_TESTS_TWICE: '1' } : {},
      report,
      count: countVitest,
      find: troublesOfVitest,
    },
  )
}

/**
 * Counts the files of a layer without running them.
 * @param {string} layer
 * @returns {Counts}
 */
function listFiles(layer) {
  const words = selection.filters[layer]
  if (words === undefined) return noResults
  const listed = readdirSync(join(root, 'test', layer))
    .flatMap((name) => /^(.+)\.test\.ts$/.exec(name)?.[1] ?? [])
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  if (listed.length > 0) {
    const names = listed.join(', ')
    process.stdout.write(`\nskipped ${layer}, which npm run test:${layer} runs: ${names}\n`)
  }
  return { ...noResults, skipped: listed.length }
}

const runPacked = () =>
  selection.named.includes('packed') ? runVitest(['packed']) : listFiles('packed')

/**
 * One after the other: each starts a sandbox, an app, and often a compiler or a browser. The
 * reasons of what is skipped are told by no other reporter.
 */
const runRecipes = () =>
  selection.named.includes('recipes')
    ? runVitest(['recipes'], { reporters: ['verbose'], more: ['--no-file-parallelism'] })
    : listFiles('recipes')

/** Files and titles of the journeys: a title ends where its test's does. */
const journeyFiles = Object.keys(journeys).map((name) => String.raw`/${name}\.spec\.ts$`)
const journeyPattern = `(${Object.values(journeys).map(escaped).join('|')})$`

/** @param {string} text */
function escaped(text) {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

/**
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 */
function runPlaywright(args, { env, quiet = false } = {}) {
  const report = join(reports, 'playwright.json')
  const pattern = selection.short ? journeyPattern : selection.title
  const title = pattern === undefined ? [] : ['--grep', pattern]
  return runRunner(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'test/playwright.config.ts',
      '--pass-with-no-tests',
      `--retries=${retries}`,
      ...(selection.twice ? ['--repeat-each=2'] : []),
      ...args,
      ...title,
      ...(selection.short ? journeyFiles : (selection.filters['e2e'] ?? [])),
    ],
    {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      quiet,
      report,
      count: countPlaywright,
      find: troublesOfPlaywright,
    },
  )
}

/** Counts the browser tests without running them: a listed test is one that was skipped. */
const listBrowserTests = () => runPlaywright(['--list', '--reporter=json'], { quiet: true })

const findTestBrowser = () => findBrowser({ playwrightPath: chromium.executablePath() })

/** @returns {Counts} */
function runBrowserTests() {
  if (!('e2e' in selection.filters)) return noResults
  const run = (/** @type {string} */ browser) =>
    runPlaywright(['--reporter=list,json'], { env: { CHROME_PATH: browser } })
  const there = selection.browser ? findTestBrowser() : undefined
  if (there !== undefined) return run(there)
  const listed = listBrowserTests()
  if (!selection.browser || listed.skipped === 0) return listed
  const installed = installBrowser() ? findTestBrowser() : undefined
  if (installed !== undefined) return run(installed)
  process.stderr.write(
    'hub-sandbox: the browser tests need Chrome, Chromium or Edge: install one or name it in CHROME_PATH; --no-browser leaves them out\n',
  )
  return { passed: 0, failed: listed.failed + listed.skipped, skipped: 0 }
}

if (selection.short) {
  const left = Object.keys(slowTests).length
  process.stdout.write(
    `Unit and contract tests but ${left} slow files, and journeys in the browser; npm run test:all runs everything.\n`,
  )
}

try {
  const counts = sum([runVitest(vitestLayers), runBrowserTests(), runPacked(), runRecipes()])
  process.exitCode = isSuccess(counts) ? 0 : 1
  for (const trouble of troubles) process.stdout.write(`${troubleLine(trouble)}\n`)
  process.stdout.write(`${sumLine(counts)}\n`)
} finally {
  rmSync(reports, { recursive: true, force: true })
}
