import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Runs the simulator in a process of its own: it replaces the clock and the disk of its process. */
const simulate = (...args: string[]) =>
  run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'test/simulate/run.ts', ...args]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

/** The lines of the runs without the time that they took. */
const linesOf = (stdout: string) => stdout.match(/^seed .+ starts, [0-9a-f]+/gm) ?? []

test('nothing is found by five seeds, and the same happens in another process', async () => {
  const flags = ['--seed', '3', '--runs', '5', '--steps', '100']
  const first = await simulate(...flags)
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n5 runs, 500 steps, .*, 0 findings\n$/) as string,
  })
  const second = await simulate(...flags, '--coverage')
  // More than the code that runs while the modules are loaded.
  expect(second.stdout).toMatch(/\nserver\/store: [6-9]\d\.\d % of \d{4} lines\n/)
  expect(linesOf(first.stdout)).toHaveLength(5)
  expect(linesOf(second.stdout)).toEqual(linesOf(first.stdout))
}, 240_000)

test('two processes play what one plays', async () => {
  const flags = ['--seed', '3', '--runs', '2', '--steps', '20']
  const [one, two] = [await simulate(...flags), await simulate(...flags, '--jobs', '2')]
  expect(linesOf(two.stdout).toSorted()).toEqual(linesOf(one.stdout))
  expect(two.stdout).toMatch(/\n2 runs, 40 steps, .*, 0 findings\n$/)
}, 240_000)

test('the scripts of the corpus pass', async () => {
  const { stdout, code } = await simulate('--repeat', 'test/simulate/corpus')
  expect({ stdout, code }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n[1-9]\d* runs, .*, 0 findings\n$/) as string,
  })
}, 240_000)

test('a sandbox that is used and reset again and again holds no more than before', async () => {
  const { stdout, code } = await simulate('--growth', '--steps', '50')
  expect({ stdout, code }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nNothing has grown\n$/) as string,
  })
}, 240_000)

test.each([
  [['--seed', 'x'], '--seed takes a whole number from 0 on, not "x"'],
  [['--minutes', '0'], '--minutes takes a number above 0, not "0"'],
  [['--steps', '1.5'], '--steps takes a whole number from 1 to 1000000, not 1.5'],
  [['--jobs', '2', '--growth'], '--jobs plays seeds only: leave out --growth'],
  [['--hours', '1'], "Unknown option '--hours'"],
  [['--repeat', '{"version":2}'], 'Invalid script script: its "version" is 2'],
  [['--repeat', 'test/simulate/none.json'], 'Cannot read test/simulate/none.json'],
  [['--trace', '/there/is/none'], 'Cannot write the file of --trace: ENOENT'],
])('the flags %j are refused with exit code 2 and the reason', async (flags, reason) => {
  const { code, stdout, stderr } = await simulate(...flags)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.startsWith(reason)).toBe(true)
})
