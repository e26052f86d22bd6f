import { spawnSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import libCoverage, { type FileCoverageData } from 'istanbul-lib-coverage'
import { transformWithOxc } from 'vite'
import { describe, expect, test } from 'vitest'
import { addHits } from '../../helpers/add-hits.ts'
import { readBuiltCoverage } from '../../helpers/built-coverage.ts'
import { belowFloor, reportCoverage } from '../../helpers/coverage-report.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const range = (line: number, end = 9) => ({
  start: { line, column: 2 },
  end: { line, column: end },
})

/** A file with a statement in each line that has hits, and a choice of two in its first. */
const fileCoverage = (
  path: string,
  hits: number[],
  choice: [number, number],
): FileCoverageData => ({
  path,
  statementMap: Object.fromEntries(hits.map((_, index) => [index, range(index + 1)])),
  s: Object.fromEntries(hits.entries()),
  fnMap: {},
  f: {},
  branchMap: {
    0: { type: 'if', line: 1, loc: range(1), locations: [range(1), range(2)] },
  },
  b: { 0: choice },
})

describe('what ran', () => {
  test('is summed up by folder, with the lines that did not', () => {
    const coverage = libCoverage.createCoverageMap({
      '/repo/server/oauth/grants/a.ts': fileCoverage(
        '/repo/server/oauth/grants/a.ts',
        [1, 0, 0, 1, 0],
        [1, 0],
      ),
      '/repo/server/oauth/b.ts': fileCoverage('/repo/server/oauth/b.ts', [2, 2, 2], [3, 4]),
      '/repo/renderer/features/jobs/c.tsx': fileCoverage(
        '/repo/renderer/features/jobs/c.tsx',
        [0, 0],
        [0, 0],
      ),
    })
    const { table, total, missing } = reportCoverage(coverage, '/repo')
    expect(table.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
      'folder | lines | branches',
      'renderer/features/jobs | 0.0 % | 0/2 | 0.0 % | 0/2',
      'server/oauth | 62.5 % | 5/8 | 75.0 % | 3/4',
      'all | 50.0 % | 5/10 | 50.0 % | 3/6',
    ])
    expect(total).toEqual({ lines: 50, branches: 50 })
    expect(missing).toEqual([
      'renderer/features/jobs/c.tsx: 1-2',
      'server/oauth/grants/a.ts: 2-3, 5',
    ])
  })

  test('is refused below the floor alone', () => {
    const floor = { lines: 92, branches: 85 }
    expect(belowFloor({ lines: 92, branches: 85 }, floor)).toEqual([])
    expect(belowFloor({ lines: 91.996, branches: 90 }, floor)).toEqual([
      expect.stringContaining('of the lines ran in tests, 92 % must'),
    ])
    expect(belowFloor({ lines: 0, branches: 0 }, floor)).toHaveLength(2)
  })

  test('counts wherever it ran, though builds disagree about ends', () => {
    const known = fileCoverage('/a.ts', [1, 0, 0], [1, 0])
    const other = fileCoverage('/a.ts', [0, 5, 0, 7], [0, 2])
    for (const statement of Object.values(other.statementMap)) statement.end.column = Infinity
    addHits(known, other)
    expect(known.s).toEqual({ 0: 1, 1: 5, 2: 0 })
    expect(known.b).toEqual({ 0: [1, 2] })
  })
})

test('what V8 tells of a built file is told of its source', async () => {
  const folder = realpathSync(temporaryDirectory())
  const source = join(folder, 'greet.ts')
  const built = join(folder, 'dist')
  const raw = join(folder, 'raw')
  mkdirSync(built)
  const text = `interface Guest { name: string }
const guest: Guest = { name: 'Ada' }
if (guest.name === 'Bob') {
  console.log('never')
}
console.log('always')
`
  const { code, map } = await transformWithOxc(text, source)
  writeFileSync(join(built, 'greet.js'), code)
  writeFileSync(
    join(built, 'greet.js.map'),
    JSON.stringify({ ...map, sources: ['../greet.ts'], sourcesContent: [text] }),
  )
  const { status } = spawnSync(process.execPath, [join(built, 'greet.js')], {
    env: { ...process.env, NODE_V8_COVERAGE: raw },
  })
  expect(status).toBe(0)
  writeFileSync(join(raw, 'coverage-killed-while-it-wrote.json'), '{"result":[{"scriptId":"6","ur')

  const coverage = await readBuiltCoverage(raw, pathToFileURL(`${built}/`))
  expect(coverage.files()).toEqual([source])
  expect(coverage.fileCoverageFor(source).getUncoveredLines()).toEqual(['4'])
  expect(coverage.fileCoverageFor(source).b).toEqual({ 0: [0, 1] })
})
