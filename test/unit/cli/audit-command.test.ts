import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand, splitWords } from '../../../server/cli/audit-command.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

/** Command that starts a program in the background, writes its id to a file, and ends or not. */
async function commandWithChild(ending: string) {
  const folder = temporaryDirectory()
  const file = join(folder, 'child')
  const script = join(folder, 'command.mjs')
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
child.unref()
writeFileSync(${JSON.stringify(file)}, String(child.pid))
${ending}
`,
  )
  return { words: [process.execPath, script], file }
}

const common = { option: '--command', variables: {}, signal: new AbortController().signal }

function isRunning(pid: number): boolean {
  try {
    // A zombie of a container without an init process no longer runs.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const pidIn = (file: string) => Number(readFileSync(file, 'utf8'))

test.runIf(process.platform === 'linux').each([
  ['that ends', '', {}],
  ['that fails', 'process.exit(3)', {}],
  ['that never ends', 'setInterval(() => {}, 1000)', { limitMs: 2000 }],
])('a command %s leaves no children', async (_title, ending, limits) => {
  const { words, file } = await commandWithChild(ending)
  const { problem } = await runCommand({ ...common, words, ...limits })
  expect(problem).toBe(
    'limitMs' in limits
      ? `${process.execPath} did not end within 2 seconds, and was killed.`
      : undefined,
  )
  await expect.poll(() => isRunning(pidIn(file))).toBe(false)
})

test.runIf(process.platform === 'linux')('Ctrl-C ends a command with its children', async () => {
  const { words, file } = await commandWithChild('setInterval(() => {}, 1000)')
  const abort = new AbortController()
  const running = runCommand({ ...common, words, signal: abort.signal })
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '').toBe(true)
  abort.abort()
  expect(await running).toEqual({})
  await expect.poll(() => isRunning(pidIn(file))).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'a restart keeps the app that it has started',
  async () => {
    const { words, file } = await commandWithChild('')
    await runCommand({ ...common, words, keepsChildren: true })
    const pid = pidIn(file)
    onTestFinished(() => void process.kill(pid))
    expect(isRunning(pid)).toBe(true)
  },
)

test('a command that is not found is an error with its option', async () => {
  const missing = { ...common, option: '--restart', words: ['no-such-program'] }
  await expect(runCommand(missing)).rejects.toThrow(
    'Command no-such-program not found. Pass --restart with a program',
  )
})

test('a command is split without a shell', () => {
  expect(splitWords('--command', `npm run "my test" -- --name='a b'c $HOME`)).toEqual([
    'npm',
    'run',
    'my test',
    '--',
    '--name=a bc',
    '$HOME',
  ])
  expect(() => splitWords('--command', `npm 'run`)).toThrow('is not closed')
  expect(() => splitWords('--use-command', '  ')).toThrow('--use-command requires a program')
})

test('a command returns the last lines of its output', async () => {
  const script =
    'for (let line = 1; line <= 30; line++) console.error(`line ${line}`); process.exit(1)'
  const { said } = await runCommand({ ...common, words: [process.execPath, '-e', script] })
  expect(said?.split('\n')).toHaveLength(20)
  expect(said).toMatch(/^line 11\n[^]*line 30$/)
})
