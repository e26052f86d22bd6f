// Measures the sandbox beside bare programs in the same run: `npm run bench -- --help`.
import { readArguments, usage } from './arguments.ts'
import { describeChanges } from './changes.ts'
import { otherBuild } from './commit-build.ts'
import { measureCalmly } from './disturbance.ts'
import { describeMachine, describeRun } from './machine.ts'
import { measureRow } from './measure-row.ts'
import { defaultNodes, describeNode } from './nodes.ts'
import { meets } from './row.ts'
import { updateReadme } from './readme.ts'
import { rowsOf } from './rows.ts'
import { type Column, formatTable } from './table.ts'

try {
  await run()
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}

async function run(): Promise<void> {
  const namesOf = (against?: string) => rowsOf(against).map(({ name }) => name)
  const wanted = readArguments(process.argv.slice(2), namesOf)
  if (wanted.help) {
    const list = [`Rows: ${namesOf().join(', ')}`, `Rows of --against: ${namesOf('.').join(', ')}`]
    process.stdout.write(`${[usage, ...list].join('\n')}\n`)
    return
  }
  const other = wanted.against === undefined ? undefined : await otherBuild(wanted.against)
  const nodes = wanted.nodes.length > 0 ? wanted.nodes.map(describeNode) : await defaultNodes()
  const flags = [
    ...(wanted.quick ? ['--quick'] : []),
    ...(other === undefined ? [] : [`--against=${other.folder}`]),
  ]
  const columns: Column[] = nodes.map((node) => ({ node, rows: [] }))
  for (const name of wanted.rows.length > 0 ? wanted.rows : namesOf(wanted.against)) {
    for (const { node, rows } of columns) {
      process.stderr.write(`measuring ${name} on ${node.name}\n`)
      const attempts = wanted.quick ? 1 : 2
      rows.push(await measureCalmly(() => measureRow(name, node, flags), { attempts }))
    }
  }
  const machine = describeMachine()
  const caution = wanted.quick
    ? 'A quick run: few rounds and a tenth of the amounts, so the figures are imprecise.\n'
    : ''
  const comparison =
    other === undefined
      ? []
      : [`Ours: this checkout; baseline: ${other.name}.`, ...describeChanges(columns)]
  process.stdout.write(
    wanted.json
      ? `${JSON.stringify({ ...machine, columns }, undefined, 2)}\n`
      : `${[formatTable(columns), ...comparison].join('\n')}\n${caution}`,
  )
  if (wanted.readme) await updateReadme(columns, `${describeRun(machine)}${caution}`)
  const complete = columns.every(({ rows }) =>
    rows.every(({ failure, results }) => failure === undefined && results.every(isMet)),
  )
  process.exitCode = complete ? 0 : 1
}

function isMet(result: Parameters<typeof meets>[0]): boolean {
  return meets(result) !== false
}
