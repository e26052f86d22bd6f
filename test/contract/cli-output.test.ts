import { beforeAll, describe, expect, test, vi } from 'vitest'
import { cliCommand, commandLineWorld } from '../helpers/command-line.ts'
import { hasProgram } from '../helpers/programs.ts'

const { execute, run, start } = commandLineWorld()
const patience = 120_000
vi.setConfig({ testTimeout: patience })
const escapes = /[^\P{Cc}\n]|\p{Bidi_Control}/u

let url = ''
beforeAll(async () => {
  url = (await start(['--ephemeral'])).sandbox.url
  const client_id = 'x\u001b[2J\u009b31m\u202e'
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id })
  await fetch(`${url}/oauth/token`, { method: 'POST', body })
}, patience)

describe('control characters in foreign text', () => {
  test.each([[['requests']], [['flows']], [['flows', 'latest', '--verbose']]])(
    'are escaped in the output of %j',
    async (args) => {
      const { code, stdout } = await run([...args, '--url', url]).ended
      expect(code).toBe(0)
      expect(stdout).toContain('[2J')
      expect(stdout).not.toMatch(escapes)
    },
  )

  test('are escaped in JSON, which keeps the value', async () => {
    const { stdout } = await run(['flows', '--json', '--url', url]).ended
    expect(stdout).not.toMatch(escapes)
    expect(JSON.stringify(JSON.parse(stdout))).toContain('\u009b31m\u202e')
  })

  test('are removed when a mistyped word is repeated', async () => {
    for (const args of [['flows', '\u001b[31mx'], ['--\u001b[31mx'], ['\u001b[31mx']]) {
      const { code, stderr } = await run([...args, '--url', url]).ended
      expect(code).not.toBe(0)
      expect(stderr).toContain('[31mx')
      expect(stderr).not.toMatch(escapes)
    }
  })
})

describe('an empty list', () => {
  test.each(['deliveries', 'device', 'fault', 'barrier', 'snapshot'])(
    '%s prints a notice to stderr with what to do next',
    async (name) => {
      const { code, stdout, stderr } = await run([name, '--url', url]).ended
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).toContain(`--url ${url}`)
      expect(await run([name, '--json', '--url', url]).ended).toMatchObject({
        code: 0,
        stdout: '[]\n',
        stderr: '',
      })
    },
  )
})

describe('an unknown id', () => {
  test.each([
    [['fault', 'remove', 'x'], 'Unknown fault rule x; there is none.\n'],
    [['barrier', 'release', 'x'], 'Unknown barrier x; there is none.\n'],
    [['deliveries', 'x'], 'Unknown delivery x; there is none.\n'],
    [['deliveries', 'cancel', 'latest'], 'No delivery yet.\n'],
    [['snapshot', 'restore', 'x'], 'Unknown snapshot x; there is none.\n'],
    [
      ['device', 'approve', 'x'],
      'This code is not known. Check it on your device. No pending code now.\n',
    ],
  ])('%j is reported in a sentence', async (args, stderr) => {
    expect(await run([...args, '--url', url]).ended).toEqual({ code: 1, stdout: '', stderr })
  })

  test('is reported with a suggestion and the existing ids', async () => {
    await run(['snapshot', 'create', 'before', '--url', url]).ended
    const { code, stderr } = await run(['snapshot', 'restore', 'befor', '--url', url]).ended
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Unknown snapshot befor (did you mean "before"?). Known: before.\n',
    })
    await run(['snapshot', 'delete', 'before', '--url', url]).ended
  })

  test.each([
    [['deliveries', 'replya'], /unknown command 'replya' \(did you mean "replay"\?\)/],
    [['deliveries', 'replay', 'a', 'b', '--payload', 'x.json'], /requires exactly one delivery/],
    [['fault', 'add', '--header', 'x'], /--header must be name=value, not x/],
    [['fault', 'add', '--id-token-claim', '=1'], /--id-token-claim must be name=value, not =1/],
    [['barrier', 'add', '--count', 'two'], /--count must be a whole number, not two/],
    [['tokens', '--limit', '0'], /--limit must be a whole number from 1 to 1000, not 0/],
  ])('%j is refused as invalid usage', async (args, message) => {
    const { code, stdout, stderr } = await run([...args, '--url', url]).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})

describe.skipIf(!hasProgram('bash'))('a reader that closes the pipe early', () => {
  test.each(['snapshot export', 'requests', 'fault list --json', 'listen --help', 'env'])(
    'ends %s without an error',
    async (command) => {
      const program = cliCommand.map((word) => `'${word}'`).join(' ')
      const line = `set -o pipefail; ${program} ${command} | head -1 >/dev/null`
      const env = { HUB_SANDBOX_URL: url }
      expect(await execute('bash', ['-c', line], env).ended).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      })
    },
  )
})
