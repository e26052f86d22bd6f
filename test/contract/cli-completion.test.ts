import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandLineWorld, cliCommand } from '../helpers/command-line.ts'

const { execute, folder, run, start } = commandLineWorld()
/** Every question starts Node, whose sources may have to be compiled anew. */
const patience = 180_000

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

/** Programs of these names that run the command line, the only ones on the path but the system's own. */
function installPrograms(): string {
  const bin = join(folder(), 'bin')
  mkdirSync(bin)
  const programs = { 'hub-sandbox': '"$@"', npx: '"${@:3}"' }
  for (const [name, words] of Object.entries(programs)) {
    const file = join(bin, name)
    const call = cliCommand.map((word) => `'${word}'`).join(' ')
    writeFileSync(file, `#!/usr/bin/env bash\nexec ${call} ${words}\n`)
    chmodSync(file, 0o755)
  }
  return bin
}

let path = ''
beforeAll(() => {
  path = `${installPrograms()}:${process.env['PATH']}`
})

describe.skipIf(!has('bash'))('completion in bash', { timeout: patience }, () => {
  /** Calls the function as bash does, with the line taken apart as bash does it. */
  const complete = async (words: readonly string[], at = words.length - 1) => {
    const [program] = words
    const line = words.map((word) => `'${word}'`).join(' ')
    const script = `eval "$(hub-sandbox completion bash)"
      complete -p ${program} >&2
      COMP_WORDS=(${line}) COMP_CWORD=${at} && _hub_sandbox && printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = await execute('bash', ['-c', script], { PATH: path }).ended
    expect(stderr).toContain('-F _hub_sandbox')
    return stdout.split('\n').filter((word) => word !== '')
  }

  test('offers commands, options and what the running sandbox has', async () => {
    const { child, ended } = await start([])
    expect(await complete(['hub-sandbox', 'tri'])).toEqual(['trigger'])
    expect(await complete(['hub-sandbox', 'token', '--user', ''])).toEqual([
      'alice',
      'bob',
      'carol',
      'dave',
    ])
    expect(await complete(['npx', '--no', 'hub-sandbox', 'token', '--user', 'ca'])).toEqual([
      'carol',
    ])
    expect(await complete(['npx', 'hub-sandbox', 'token', '--user', 'ca'])).toEqual(['carol'])
    expect(await complete(['hub-sandbox', '--auto-approve', '=', 'd'])).toEqual(['dave'])
    expect(await complete(['hub-sandbox', 'trigger', 'repo.content', '--kind', 'p'])).toEqual([
      'push',
    ])
    expect(await complete(['npx', 'cowsay', ''])).toEqual([])
    child.kill('SIGTERM')
    await ended
  })

  test('leaves values to the shell if no sandbox is running', async () => {
    expect(await complete(['hub-sandbox', 'token', '--user', ''])).toEqual([])
    expect(await complete(['hub-sandbox', 'init', ''])).toEqual([])
  })
})

describe.skipIf(!has('fish'))('completion in fish', { timeout: patience }, () => {
  test.each([
    ['hub-sandbox tri', 'trigger'],
    ['npx --no hub-sandbox clock adv', 'advance'],
  ])('completes %s with %s', async (line, offered) => {
    const script = `hub-sandbox completion fish | source; complete -C '${line}'`
    const { stdout } = await execute('fish', ['-c', script], { PATH: path }).ended
    expect(stdout.split(/\s/)).toContain(offered)
  })
})

test('an unknown shell is named in the error', { timeout: patience }, async () => {
  const { code, stderr } = await run(['completion', 'tcsh']).ended
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'Unsupported shell: use one of bash, zsh, fish.\n',
  })
})
