import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunRecord } from '../../server/cli/exec/record/run-record.ts'
import type { FlowItem } from '../../server/contract/control-requests.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { configureVitest, copyTestFiles } from '../helpers/child-vitest.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { root } from '../helpers/packed.ts'
import { installPythonPackages } from '../helpers/python-client.ts'

// The same ten tests in two runners. Each begins with a reset and signs a user in through the app of the runner's kit.
// In the seventh test the user denies. BREAK_TEST breaks the app in the fourth test, LAST_USER names the tenth user.

const { folder, run, start } = commandLineWorld()
/** Each test starts Node and the runner several times. */
const patience = 300_000

const users = ['alice', 'bob', 'carol', 'alice', 'bob', 'carol', 'alice', 'bob', 'carol', 'alice']
const numbers = users.map((_user, index) => index + 1)

/** Lays the suite out in the folder of this test and returns the command that runs it. */
function layVitest(): string[] {
  copyTestFiles(folder(), 'compat/suites/ten-tests.js', 'kits/vitest/app.js')
  return configureVitest(folder(), { include: ['ten-tests.js'] })
}

let python: Awaited<ReturnType<typeof installPythonPackages>>
function layPytest(): string[] {
  const kit = ['kits/pytest/app.py', 'kits/pytest/conftest.py']
  copyTestFiles(folder(), 'compat/suites/test_ten.py', ...kit)
  return [python.interpreter, '-B', '-m', 'pytest', '-p', 'no:cacheprovider']
}

/** Names of the sign-ins in a JUnit file, in its order, and the message of each failure. */
function readJUnit(file: string) {
  const [suite = ''] = readFileSync(file, 'utf8').split('</testsuite>')
  const cases = [...suite.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs)]
  return cases.map(([, name = '', inner]) => ({
    // Names that come again are numbered.
    name: name.replace(/ \(\d+\)$/, ''),
    failure: inner === undefined ? undefined : /<failure message="(\w+)/.exec(inner)?.[1],
  }))
}

/** Numbers of the tests whose requests these are, in their order. */
const testsOf = (paths: readonly string[]) =>
  paths.flatMap((path) => /search=test-(\d+)$/.exec(path)?.slice(1).map(Number) ?? [])

describe.each([
  { runner: 'vitest', lay: layVitest },
  { runner: 'pytest', lay: layPytest },
])('exec around ten tests of $runner with a reset before each', ({ runner, lay }) => {
  beforeAll(async () => {
    if (runner === 'pytest') {
      const requirements = readFileSync(join(root, 'test/kits/pytest/requirements.txt'), 'utf8')
      python = await installPythonPackages(requirements.trim().split('\n'))
    }
  }, 240_000)
  beforeEach(({ skip }) => {
    const obstacle = runner === 'pytest' ? python.obstacle : undefined
    skip(obstacle !== undefined, obstacle)
  })

  const exec = async (flags: readonly string[], env: Record<string, string> = {}) => {
    const watched = watchRun(folder(), flags)
    const args = ['exec', ...flags, ...watched.flags, '--', ...lay()]
    const ended = await run(args, { NO_COLOR: '1', ...env }).ended
    watched.expectSilent()
    return ended
  }

  test(
    'ends as the runner does, where the denial is no failure and the broken app is one',
    async () => {
      const file = join(folder(), 'run.xml')
      const expected = (broken: boolean) =>
        users.map((user, index) => ({
          name: expect.stringMatching(index === 6 ? /, alice, denied by the user$/ : `, ${user}$`),
          failure: broken && index === 3 ? 'invalid_grant' : undefined,
        }))
      const fine = await exec(['--junit', file])
      expect(fine).toMatchObject({ code: 0, stdout: expect.stringMatching(/\b10 passed/) })
      expect(readJUnit(file)).toEqual(expected(false))

      const broken = await exec(['--junit', file], { BREAK_TEST: '1' })
      expect(broken.code).toBe(1)
      expect(broken.stdout).toMatch(/\b1 failed\b.*\b9 passed/)
      expect(readJUnit(file)).toEqual(expected(true))
    },
    patience,
  )

  test(
    'keeps an artifact that shows the sign-ins and requests of all',
    async () => {
      expect(await exec(['--artifact', 'kept'], { BREAK_TEST: '1' })).toMatchObject({ code: 1 })
      const names = readdirSync(join(folder(), 'kept'))
      const file = join(folder(), 'kept', names.find((name) => name.endsWith('.hubsandbox')) ?? '')
      const { log } = JSON.parse(readFileSync(file, 'utf8')) as FixturesFile
      expect(log).toMatchObject({ exitCode: 1 })
      expect(log?.leftOut?.[0]).toContain('The log has 10 segments')
      expect(testsOf(log?.requests?.map(({ url }) => url) ?? [])).toEqual(numbers)

      const { sandbox } = await start(['--ephemeral', '--fixtures', file])
      const shown = await run(['flows', '--json', '--url', sandbox.url]).ended
      const flows = (JSON.parse(shown.stdout) as FlowItem[]).toReversed()
      expect(flows.map(({ user }) => user?.username)).toEqual(users)
      const refused = flows.flatMap(({ outcome, denied }, index) =>
        outcome === 'completed' ? [] : [{ test: index + 1, denied }],
      )
      expect(refused).toEqual([{ test: 4 }, { test: 7, denied: true }])
    },
    patience,
  )

  test(
    'records a segment for each reset, and compares the last one too',
    async () => {
      const file = join(folder(), 'record.json')
      expect(await exec(['--record', file], { BREAK_TEST: '1' })).toMatchObject({ code: 1 })
      const { requests } = JSON.parse(readFileSync(file, 'utf8')) as RunRecord
      expect(testsOf(requests.map(({ path }) => path))).toEqual(numbers)
      const segments = requests.map(({ segment = 1 }) => segment)
      expect(segments).toEqual(segments.toSorted((a, b) => a - b))
      const marks = requests.filter(({ path }) => path.includes('search=test-'))
      expect(marks.map(({ segment = 1 }) => segment)).toEqual(numbers)

      const again = await exec(['--compare', file], { BREAK_TEST: '1' })
      expect(again.code).toBe(1)
      expect(again.stderr).toContain(`The run matches ${file}: ${requests.length} requests.`)
      const fixed = await exec(['--compare', file])
      expect(fixed).toMatchObject({ code: 1, stdout: expect.stringMatching(/\b10 passed/) })
      const segmentIn = (stderr: string, pattern: RegExp) =>
        requests[Number(pattern.exec(stderr)?.[1]) - 1]?.segment
      expect(segmentIn(fixed.stderr, /differs from .* \((\d+) in the recording\)/)).toBe(4)
      const other = await exec(['--compare', file], { BREAK_TEST: '1', LAST_USER: 'bob' })
      expect(segmentIn(other.stderr, /differs from .*: request (\d+) is missing/)).toBe(10)
    },
    patience,
  )
})
