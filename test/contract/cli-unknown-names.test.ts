import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../server/cli/program.ts'
import { commandLineWorld } from '../helpers/command-line.ts'

const { run, start } = commandLineWorld()
const patience = 120_000

let url = ''
beforeAll(async () => {
  url = (await start(['--ephemeral'])).sandbox.url
}, patience)

/** Commands whose argument is no name, or a name with exit codes of its own, each with the reason. */
const others: Readonly<Record<string, string>> = {
  exec: 'a command',
  init: 'a new file',
  authorize: 'a URL',
  'space-frame': 'a URL',
  requests: 'a query',
  trigger: 'a word of a fixed list',
  completion: 'a word of a fixed list',
  'demo refused': 'a word of a fixed list',
  'clock advance': 'a duration',
  'clock preview': 'a duration',
  'clock set': 'a time',
  'snapshot create': 'a new name',
  'snapshot import': 'a file',
  pull: '1 is a changed repo, so every failure is 2',
  'audit receiver': '1 is a bad receiver, so every failure is 2',
  'cimd serve': 'a file',
  __complete: 'words to complete',
}

/** Options that name something, with a command that has them. */
const options = [
  ['env', '--client'],
  ['env', '--space'],
  ['exec', '--client'],
  ['token', '--user'],
  ['token', '--client'],
  ['tokens', 'list', '--user'],
  ['tokens', 'list', '--client'],
  ['tokens', 'mint', '--user'],
  ['requests', '--user'],
  ['requests', '--client'],
  ['requests', '--follow', '--client'],
  ['deliveries', '--webhook'],
  ['deliveries', '--repo'],
  ['trigger', 'repo.content', '--repo'],
  ['demo', 'sign-in', '--yes', '--user'],
  ['init', '--sample'],
]

function leaves(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
}

const withArgument = leaves(createProgram())
  .filter(([, command]) => command.registeredArguments.length > 0)
  .map(([path]) => path)
const named = withArgument.filter((path) => others[path] === undefined)

describe('an unknown name', { timeout: patience }, () => {
  test('is the argument of each command, unless the argument is something else', () => {
    expect(Object.keys(others).filter((path) => !withArgument.includes(path))).toEqual([])
    expect(named.length).toBeGreaterThan(15)
  })

  test.each(named)('exits with 1: %s', async (path) => {
    const isLocal = path === 'docs'
    const { code, stdout, stderr } = await run([
      ...path.split(' '),
      'nope',
      ...(isLocal ? [] : ['--url', url]),
    ]).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/nope|not known/)
  })

  test.each(options)('of an option exits with 1: %s %s %s %s', async (...words) => {
    const given = words.filter((word) => word !== undefined)
    const end = given[0] === 'exec' ? ['--', 'true'] : []
    const place = given[0] === 'init' ? [] : ['--url', url]
    const { code, stderr } = await run([...given, 'nope/nope', ...place, ...end]).ended
    expect(code).toBe(1)
    expect(stderr).toContain('nope')
  })

  test.each([
    ['help', 'nope'],
    ['help', 'fault', 'nope'],
    ['help', 'statsu'],
  ])('of a command exits with 1: %s %s %s', async (...words) => {
    const { code, stdout, stderr } = await run(words.filter((word) => word !== undefined)).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('unknown command')
  })

  test('as a command is invalid usage', async () => {
    expect(await run(['nope']).ended).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('options before a command', { timeout: patience }, () => {
  test.each([
    ['--url URL status', /^Hub +http/m],
    ['--url=URL status --json', /"url"/],
    ['--url URL fault list', /No faults|^$/],
    ['--json --url URL clock read', /"now"/],
  ])('are read by the command: %s', async (line, output) => {
    const words = line.split(' ').map((word) => word.replace('URL', url))
    const { code, stdout } = await run(words).ended
    expect(code).toBe(0)
    expect(stdout).toMatch(output)
  })

  test('may precede start and exec as well', async () => {
    const { code, stdout } = await run(
      '--seed 1 exec -- node -p process.env.HF_ENDPOINT'.split(' '),
    ).ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^http/) })
    const { child, output } = run(['--port', '0', '--ephemeral', 'start', '--json'])
    await expect.poll(output, { timeout: patience }).toContain('"url"')
    child.kill('SIGTERM')
  })
})

test(
  'start says that a running sandbox has the data folder, how to use it and how to stop it',
  async () => {
    const { sandbox } = await start([])
    const { code, stderr } = await run(['start', '--port', '0']).ended
    expect(code).toBe(2)
    expect(stderr).toContain(`To use that sandbox, open ${sandbox.url}/_sandbox/`)
    expect(stderr).toMatch(new RegExp(`To stop it, run ".* stop --url ${sandbox.url}"`))
  },
  patience,
)
