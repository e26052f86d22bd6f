import type { NodeProgram } from './nodes.ts'
import { meets, type Goal, type Measured, type Result } from './row.ts'

/** Results on one Node. */
export interface Column {
  node: NodeProgram
  rows: Measured[]
}

const heads = ['ours', 'baseline', 'ratio', 'noise', 'by cpu', 'cpu µs', '']

/** Renders the results as one table with the Nodes side by side. */
export function formatTable(columns: readonly Column[]): string {
  const whats = linesOf(columns)
  const notes = notesOf(columns)
  const blocks = columns.map(({ node, rows }) => {
    const cells = whats.map(({ what }) => cellsOf(rows, what))
    return titled(node.name, alignColumns([heads, ...cells]))
  })
  const left = alignColumns([
    ['', ''],
    ['what', 'goal'],
    ...whats.map(({ what, goal }) => [what, formatGoal(goal)]),
  ])
  const lines = left.map((line, index) =>
    [line, ...blocks.map((block) => block[index] ?? '')].join(' | ').trimEnd(),
  )
  return [...lines, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** Lists the lines of all Nodes, in the order of the rows. */
export function linesOf(columns: readonly Column[]): Pick<Result, 'what' | 'goal'>[] {
  const lines = new Map<string, Pick<Result, 'what' | 'goal'>>()
  const count = Math.max(0, ...columns.map(({ rows }) => rows.length))
  for (let index = 0; index < count; index++) {
    const measured = columns.flatMap(({ rows }) => rows[index] ?? [])
    const results = measured.flatMap((row) => row.results)
    for (const result of results) if (!lines.has(result.what)) lines.set(result.what, result)
    // A row that failed on every Node has a line, too.
    const [first] = measured
    if (results.length === 0 && first !== undefined) lines.set(first.row, { what: first.row })
  }
  return [...lines.values()]
}

/** Lists failures and disturbances, each once. */
export function notesOf(columns: readonly Column[]): string[] {
  const notes = columns.flatMap(({ node, rows }) =>
    rows.flatMap(({ row, failure, disturbed }) => [
      ...(failure === undefined ? [] : [`${row}, ${node.name}: ${failure}`]),
      ...(disturbed === undefined
        ? []
        : [`${row}, ${node.name}, disturbed: ${disturbed.join('; ')}`]),
    ]),
  )
  return [...new Set(notes)]
}

function cellsOf(rows: readonly Measured[], what: string): string[] {
  const found = resultNamed(rows, what)
  if (found === undefined) return heads.map(() => '')
  const { result, measured } = found
  const { cpu, noise, cpuRatio } = result
  return [
    result.ours,
    result.baseline,
    result.ratio.toFixed(2),
    noise === undefined ? '' : `±${Math.round(noise * 100)} %`,
    cpuRatio?.toFixed(2) ?? '',
    cpu === undefined ? '' : `${Math.round(cpu.ours)} / ${Math.round(cpu.baseline)}`,
    [verdict(result), measured.disturbed === undefined ? '' : 'disturbed'].join(' ').trim(),
  ]
}

/** Finds a result and its row. */
export function resultNamed(
  rows: readonly Measured[],
  what: string,
): { result: Result; measured: Measured } | undefined {
  for (const measured of rows) {
    const result = measured.results.find((one) => one.what === what)
    if (result !== undefined) return { result, measured }
  }
  return undefined
}

function titled(title: string, lines: string[]): string[] {
  return [title.padEnd(lines[0]?.length ?? 0), ...lines]
}

/** Pads cells to the width of their column: the first and last column to the left, figures to the right. */
function alignColumns(rows: readonly string[][]): string[] {
  const columns = rows[0]?.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === columns - 1 || columns === 2
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}

export function formatGoal(goal: Goal | undefined): string {
  if (goal === undefined) return ''
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
}

/** Returns `ok` or `short`, or an empty string without a goal. */
export function verdict(result: Result): string {
  const met = meets(result)
  if (met === undefined) return ''
  return met ? 'ok' : 'short'
}
