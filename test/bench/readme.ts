import { readFile, writeFile } from 'node:fs/promises'
import { fillIn, markdownTable } from '../../server/tools/docs/tables.ts'
import type { Result } from './row.ts'
import { type Column, formatGoal, linesOf, notesOf, resultNamed, verdict } from './table.ts'

const readme = new URL('README.md', import.meta.url)

/** Writes the table of test/bench/README.md from a run. */
export async function updateReadme(columns: readonly Column[], preface: string): Promise<void> {
  const document = await readFile(readme, 'utf8')
  await writeFile(readme, fillIn(document, 'speed', renderSpeed(columns, preface)))
}

/**
 * Renders the results that have a goal or a peer, as Markdown.
 * @param preface date and machine of the run
 */
export function renderSpeed(columns: readonly Column[], preface: string): string {
  const lines = linesOf(columns).filter(
    ({ what, goal }) => goal !== undefined || what.includes(', beside '),
  )
  const table = markdownTable(
    ['What', 'Goal', ...columns.map(({ node }) => node.name)],
    lines.map(({ what, goal }) => [
      what,
      formatGoal(goal),
      ...columns.map((column) => cellOf(column, what)),
    ]),
  )
  const notes = notesOf(columns).map((note) => `- ${note}`)
  const whole = [preface.trim(), table]
  return [...whole, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n')
}

function cellOf(column: Column, what: string): string {
  const found = resultNamed(column.rows, what)
  if (found === undefined) return ''
  const { result, measured } = found
  const marks = [verdict(result), measured.disturbed === undefined ? '' : 'disturbed']
  return [`${result.ratio.toFixed(2)} (${figuresOf(result)})`, ...marks].join(' ').trim()
}

function figuresOf({ ours, cpu }: Result): string {
  return cpu === undefined ? ours : `${ours}, ${Math.round(cpu.ours)} µs`
}
