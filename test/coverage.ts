// How much of what ships runs in tests: `npm run coverage`. Fails where that is less than the floor.
// The unit and contract tests are measured by vitest; the command line, which they start as a program of its own, and
// the dashboard, which the browser tests open, by V8 where they run. All of it is one number.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import libCoverage, { type CoverageMap, type CoverageMapData } from 'istanbul-lib-coverage'
import { addHits } from './helpers/add-hits.ts'
import { readBuiltCoverage } from './helpers/built-coverage.ts'
import { belowFloor, reportCoverage } from './helpers/coverage-report.ts'
import { toolFlags } from './helpers/tool-flags.ts'

const usage = `npm run coverage

Runs the unit, contract and browser tests measured, and tells how much of server and dashboard they run.

  --help   this text

Ends with 1 below the floor, with 2 for what it does not understand.
`

/** Of 100; CI refuses what is below. */
const floor = { lines: 92, branches: 85 }

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'coverage')
const dist = pathToFileURL(join(root, 'dist/'))

/** Whether they pass is for a plain run to say: what is measured is too slow for those that ask for speed. */
function runTests(): void {
  const layers = ['unit', 'contract', 'e2e'].flatMap((layer) => ['--only', layer])
  spawnSync(process.execPath, ['test/run.mjs', ...layers], {
    cwd: root,
    env: { ...process.env, COVERAGE_FOLDER: folder },
    stdio: 'inherit',
  })
}

/** Every measured file, whether it ran or not. */
async function readCoverage(): Promise<CoverageMap> {
  const inTests = readFileSync(join(folder, 'vitest', 'coverage-final.json'), 'utf8')
  const coverage = libCoverage.createCoverageMap(JSON.parse(inTests) as CoverageMapData)
  const measured = new Set(coverage.files())
  for (const name of ['commands', 'browser']) {
    const built = await readBuiltCoverage(join(folder, name), dist)
    for (const path of built.files().filter((file) => measured.has(file))) {
      addHits(coverage.fileCoverageFor(path).data, built.fileCoverageFor(path).data)
    }
  }
  return coverage
}

toolFlags(usage, { amounts: {} })
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
runTests()
const { table, total, missing } = reportCoverage(await readCoverage(), root)
const list = join(folder, 'uncovered-lines.txt')
writeFileSync(list, `${missing.join('\n')}\n`)
process.stdout.write(`\n${table}\n\nWhat never ran: ${list}\n`)
const faults = belowFloor(total, floor)
for (const fault of faults) process.stdout.write(`hub-sandbox: ${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
