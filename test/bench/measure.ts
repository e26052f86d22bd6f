// Measures one row on the Node it runs on, and prints the results as JSON.
import { stopLoadGenerator } from './load.ts'
import { rows } from './rows.ts'

const row = rows.find(({ name }) => name === process.argv[2])
if (row === undefined) throw new TypeError(`unknown row: ${process.argv[2]}`)
const results = await row.measure()
await stopLoadGenerator()
process.stdout.write(JSON.stringify(results))
