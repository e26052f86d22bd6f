import { relative, sep } from 'node:path'
import libCoverage, { type CoverageMap, type CoverageSummaryData } from 'istanbul-lib-coverage'

/** Of 100, what must have run of all that is measured, and what did. */
export type Shares = Record<'lines' | 'branches', number>

export interface CoverageReport {
  /** For people: each folder, then the total. */
  table: string
  total: Shares
  /** The lines that never ran, by file: `server/a.ts: 3-5, 9`. */
  missing: string[]
}

/** The room or feature that a file lies in: two folders deep, and three in the renderer's features. */
function folderOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, folders[1] === 'features' ? 3 : 2).join('/')
}

const cells = ({ covered, total }: { covered: number; total: number }) => [
  `${((100 * covered) / (total || 1)).toFixed(1)} %`,
  `${covered}/${total}`,
]

const row = (name: string, { lines, branches }: Pick<CoverageSummaryData, keyof Shares>) =>
  [name.padEnd(30), ...[...cells(lines), ...cells(branches)].map((cell) => cell.padStart(12))]
    .join('')
    .trimEnd()

/** `3-5, 9` of the numbers of lines, in their order. */
function lineRanges(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const line of lines) {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] === line - 1) range[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ')
}

/**
 * Sums up what ran.
 * @param root of the repository, where the paths in the report begin
 */
export function reportCoverage(coverage: CoverageMap, root: string): CoverageReport {
  const folders = new Map<string, ReturnType<typeof libCoverage.createCoverageSummary>>()
  const missing: string[] = []
  for (const file of coverage.files().toSorted()) {
    const path = relative(root, file).replaceAll(sep, '/')
    const fileCoverage = coverage.fileCoverageFor(file)
    const folder = folderOf(path)
    const summary = folders.get(folder) ?? libCoverage.createCoverageSummary()
    summary.merge(fileCoverage.toSummary())
    folders.set(folder, summary)
    const lines = fileCoverage.getUncoveredLines().map(Number)
    if (lines.length > 0) missing.push(`${path}: ${lineRanges(lines)}`)
  }
  const total = coverage.getCoverageSummary()
  const head = ['folder'.padEnd(30), 'lines'.padStart(12), 'branches'.padStart(24)].join('')
  const rows = [...folders]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { data }]) => row(name, data))
  return {
    table: [head, ...rows, row('all', total.data)].join('\n'),
    total: { lines: share(total.lines), branches: share(total.branches) },
    missing,
  }
}

const share = ({ covered, total }: { covered: number; total: number }) =>
  total === 0 ? 100 : (100 * covered) / total

/** What lies below the floor, in words; empty = nothing. */
export function belowFloor(total: Shares, floor: Shares): string[] {
  return (['lines', 'branches'] as const).flatMap((kind) =>
    total[kind] < floor[kind]
      ? `${total[kind].toFixed(2)} % of the ${kind} ran in tests, ${floor[kind]} % must`
      : [],
  )
}
