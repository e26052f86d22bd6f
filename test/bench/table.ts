import { meets, type Goal, type Result } from './row.ts'

const heads = ['what', 'ours', 'baseline', 'ratio', 'noise', 'by cpu', 'goal', '']

/** The results as one table for people. */
export function formatTable(results: readonly Result[]): string {
  const rows = results.map((result) => [
    result.what,
    result.ours,
    result.baseline,
    result.ratio.toFixed(2),
    `±${Math.round(result.noise * 100)} %`,
    result.cpuRatio?.toFixed(2) ?? '',
    formatGoal(result.goal),
    verdict(result),
  ])
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 || column > 5
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [line(heads), ...rows.map(line)].join('\n')
}

function formatGoal(goal: Goal | undefined): string {
  if (goal === undefined) return ''
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
}

function verdict(result: Result): string {
  const met = meets(result)
  if (met === undefined) return ''
  return met ? 'ok' : 'short'
}
