import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configureVitest, copyTestFiles } from '../helpers/child-vitest.ts'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, execute } = commandLineWorld()

test('four test files at once start a sandbox each, and ten sign-ins need one RSA key', async () => {
  copyTestFiles(folder(), 'compat/suites/held-keys.js', 'compat/suites/one-of-four.js')
  for (const number of [1, 2, 3, 4]) {
    const file = `signs-in-${number}.test.js`
    copyFileSync(join(folder(), 'one-of-four.js'), join(folder(), file))
  }
  const [program = '', ...args] = configureVitest(folder(), {
    include: ['signs-in-*.test.js'],
    maxWorkers: 4,
    // A sign-in that waits for a key per test, or for the keys of others, takes longer on a machine with two cores.
    testTimeout: 20_000,
  })
  const { code, stdout, stderr } = await execute(program, args, { NO_COLOR: '1' }).ended
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/\b4 passed[^]*\b48 passed/),
    stderr: '',
  })
}, 300_000)
