// Measures the sandbox against bare programs of the same run: `npm run bench [-- ROW… --json]`.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { stopLoadGenerator } from './load.ts'
import { meets, type Result, type Row } from './row.ts'
import { deliveryRows } from './rows/deliveries.ts'
import { memoryRow } from './rows/memory.ts'
import { requestRows } from './rows/requests.ts'
import { sandboxesRow } from './rows/sandboxes.ts'
import { startRow } from './rows/start.ts'
import { stateRows } from './rows/state.ts'
import { formatTable } from './table.ts'

const rows: Row[] = [
  startRow,
  sandboxesRow,
  ...requestRows,
  ...stateRows,
  memoryRow,
  ...deliveryRows,
]

const { values: flags, positionals: names } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = names.filter((name) => !rows.some((row) => row.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `no such row: ${unknown.join(', ')}; there are ${rows.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

const results: Result[] = []
for (const row of names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name))) {
  process.stderr.write(`measuring ${row.name}\n`)
  results.push(...(await row.measure()))
}
await stopLoadGenerator()

if (flags.json) {
  const machine = { node: process.version, platform: process.platform, cores: cpus().length }
  process.stdout.write(`${JSON.stringify({ ...machine, results }, undefined, 2)}\n`)
} else {
  process.stdout.write(`${formatTable(results)}\n`)
}
process.exitCode = results.some((result) => meets(result) === false) ? 1 : 0
