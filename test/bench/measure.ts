// Measures one row on the Node it runs on, and prints the results as JSON.
import { stopLoadGenerator } from './load.ts'
import { rowsOf } from './rows.ts'

const [, , wanted, ...flags] = process.argv
const other = flags.find((flag) => flag.startsWith('--against='))?.slice('--against='.length)
const row = rowsOf(other).find(({ name }) => name === wanted)
if (row === undefined) throw new TypeError(`unknown row: ${wanted}`)
const results = await row.measure()
await stopLoadGenerator()
process.stdout.write(JSON.stringify(results))
