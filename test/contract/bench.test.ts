import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { missingBuild } from '../helpers/missing-build.ts'

const run = promisify(execFile)
const bench = ['node_modules/tsx/dist/cli.mjs', 'test/bench/run.ts']

test('a quick run of two rows prints their figures for the given Node', async ({ skip }) => {
  const reason = missingBuild('server/cli.cjs')
  skip(reason !== undefined, reason)
  const args = ['first-delivery', 'git', '--quick', '--json', '--node', process.execPath]
  // A goal may be missed on a busy machine, which is no failure of the bench.
  const { stdout, code } = await run(process.execPath, [...bench, ...args]).then(
    (done) => ({ ...done, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  )
  expect([0, 1]).toContain(code)
  const { columns } = JSON.parse(stdout) as {
    columns: { node: { name: string }; rows: { failure?: string; results: { ours: string }[] }[] }[]
  }
  expect(columns.map(({ node }) => node.name)).toEqual([`Node ${process.versions.node}`])
  const rows = columns[0]?.rows ?? []
  expect(rows.map(({ failure }) => failure)).toEqual([undefined, undefined])
  expect(rows.map(({ results }) => results[0]?.ours)).toEqual([
    expect.stringMatching(/^[\d.]+ ms$/),
    expect.stringMatching(/^[\d.]+ ms$/),
  ])
}, 120_000)

test('invalid usage exits with 2 and the reason', async () => {
  const failed = run(process.execPath, [...bench, 'start', '--node', '/there/is/none'])
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--node /there/is/none: ') as string,
  })
})

test('a comparison with a commit that is not there exits with 2 and the reason', async () => {
  const failed = run(process.execPath, [...bench, '--against', 'no-such-commit'])
  await expect(failed).rejects.toMatchObject({
    code: 2,
    stderr:
      'bench: --against no-such-commit: neither a commit of this repository nor a built checkout\n',
  })
})

test('a build beside itself takes as long', async ({ skip }) => {
  const reason = missingBuild('server/cli.cjs')
  skip(reason !== undefined, reason)
  const args = ['jwks', '--against', '.', '--quick', '--node', process.execPath]
  const { stdout } = await run(process.execPath, [...bench, ...args]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toMatch(/^JWKS +≤ 1\.1 \| +\d+ µs +\d+ µs +[01]\.\d\d /m)
  expect(stdout).toContain('Ours: this checkout; baseline: ')
}, 120_000)
