import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DriftReport } from '../../lab/drift/drift-report.ts'
import { comparisonFile, type HubComparison } from './hub-comparison.ts'

// npm run docs:hub -- DOCUMENT MONTH: compares with the OpenAPI document of the Hub, and keeps the counts for the coverage page.

const [document, month] = process.argv.slice(2)
if (document === undefined || month === undefined) {
  fail('Usage: npm run docs:hub -- <OpenAPI document of the Hub: file or URL> <its month: 2026-08>')
}
const program = fileURLToPath(new URL('../../../dist/server/cli.cjs', import.meta.url))
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [program, 'drift', '--openapi', document, '--json'],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
)
if (status !== 0 && status !== 1) {
  fail(stderr.trim() || 'The comparison failed. Run npm run build first.')
}
const { operations, differences } = JSON.parse(stdout) as DriftReport
const known = differences.filter(({ reason }) => reason !== undefined)
const counts: HubComparison = {
  month,
  operations: operations?.hub ?? 0,
  emulated: operations?.here ?? 0,
  onPurpose: known.filter(({ kind }) => !kind.endsWith('operation')).length,
}
writeFileSync(comparisonFile, `${JSON.stringify(counts, undefined, 2)}\n`)
process.stdout.write('Written. Now run npm run docs.\n')
process.exitCode = status

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
