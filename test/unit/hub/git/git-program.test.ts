import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { GitProgram } from '../../../../server/hub/git/git-program.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

/** A program in the place of git. */
function standIn(script: string, version = 'git version 2.39.5') {
  const folder = temporaryDirectory()
  const path = join(folder, 'git')
  const answer = `if [ "$1" = --version ]; then echo '${version}'; exit; fi`
  writeFileSync(path, `#!/bin/sh\n${answer}\n${script}\n`)
  chmodSync(path, 0o700)
  return { program: new GitProgram(path), folder }
}

describe.skipIf(process.platform === 'win32')('the program git', () => {
  test('a missing git is reported', async () => {
    await expect(new GitProgram('/nowhere/git').require()).rejects.toMatchObject({
      code: 'not_emulated',
      message: expect.stringContaining('git is not installed') as string,
      detail: '/nowhere/git cannot be run: ENOENT',
    })
  })

  test.each(['git version 2.24.4', 'git version 1.9.1', 'something else'])(
    'an outdated git is reported: %s',
    async (version) => {
      const { program } = standIn('', version)
      await expect(program.require()).rejects.toMatchObject({
        code: 'not_emulated',
        message: expect.stringContaining('git is too old') as string,
        detail: `it says of itself: ${version}`,
      })
    },
  )

  test.each(['git version 2.25.0', 'git version 2.39.5 (Apple Git-154)', 'git version 3.0.0.rc1'])(
    'git may be version %s',
    async (version) => {
      const { program } = standIn('', version)
      await expect(program.require()).resolves.toBeUndefined()
    },
  )

  test('git runs without the environment and with its given settings only', async () => {
    const { program, folder } = standIn('env; echo "$@"')
    vi.stubEnv('GIT_SSH_COMMAND', 'harm')
    const text = await program.read({ args: ['some', 'command'], folder })
    const names = text.match(/^\w+(?==)/gm) ?? []
    const shells = ['PWD', 'OLDPWD', 'SHLVL', '_']
    expect(names.filter((name) => !shells.includes(name)).toSorted()).toEqual([
      'GIT_ALLOW_PROTOCOL',
      'GIT_ATTR_NOSYSTEM',
      'GIT_CONFIG_GLOBAL',
      'GIT_CONFIG_NOSYSTEM',
      'GIT_DIR',
      'GIT_NO_LAZY_FETCH',
      'GIT_NO_REPLACE_OBJECTS',
      'GIT_OPTIONAL_LOCKS',
      'GIT_TERMINAL_PROMPT',
      'HOME',
      'LC_ALL',
      'PATH',
      'XDG_CONFIG_HOME',
    ])
    expect(text).toContain('-c core.hooksPath=/dev/null')
    expect(text.trimEnd()).toMatch(/ some command$/)
  })

  test('git gets its input and its output is read to the end', async () => {
    const { program, folder } = standIn('cat')
    const input = [Buffer.alloc(300_000, 'a'), Buffer.from('b')]
    const { output, end } = await program.run({ args: ['x'], folder, input })
    expect((await buffer(output)).equals(Buffer.concat(input))).toBe(true)
    await end
  })

  test('git may close its input early', async () => {
    const { program, folder } = standIn('exec <&-; echo done')
    const input = [Buffer.alloc(1_000_000)]
    expect(await program.read({ args: ['x'], folder, input })).toBe('done\n')
  })

  test('a failure has the text that git printed', async () => {
    const { program, folder } = standIn('echo fatal: no >&2; exit 3')
    await expect(program.read({ args: ['x'], folder })).rejects.toMatchObject({
      name: 'GitError',
      message: 'git x failed, it ended with 3: fatal: no',
      words: 'fatal: no',
      exitCode: 3,
    })
  })

  test('git ends when its caller leaves, its output is not read, or the sandbox closes', async () => {
    const { program, folder } = standIn('echo begun; exec sleep 60')
    const leaving = new AbortController()
    const run = () => program.run({ args: ['x'], folder, signal: leaving.signal })
    const [left, unread, closed] = await Promise.all([run(), run(), run()])
    leaving.abort()
    await expect(left.end).rejects.toThrow('no caller waits for it any more')
    const second = await program.run({ args: ['x'], folder })
    second.output.destroy()
    await expect(second.end).rejects.toThrow('no caller waits for it any more')
    await Promise.allSettled([unread.end, closed.end])
    const third = await program.run({ args: ['x'], folder })
    await program.close()
    await expect(third.end).rejects.toThrow('the sandbox stops')
    await expect(program.run({ args: ['x'], folder })).rejects.toMatchObject({
      code: 'shutting_down',
    })
  })

  test('git ends when its input fails', async () => {
    const { program, folder } = standIn('cat >/dev/null; exit 0')
    const input = (async function* () {
      yield Buffer.from('a')
      throw new Error('cut off')
    })()
    await expect(program.read({ args: ['x'], folder, input })).rejects.toThrow('cut off')
  })

  test('git ends when its input never comes, and frees its place', async () => {
    const { program, folder } = standIn('cat')
    const input = (async function* () {
      yield Buffer.from('a')
      await new Promise(() => undefined)
    })()
    const { end } = await program.run({ args: ['x'], folder, input })
    await program.close()
    await expect(end).rejects.toThrow('the sandbox stops')
  })

  test('git is not started for a caller that has left', async () => {
    const { program, folder } = standIn('exec sleep 60')
    const run = (signal?: AbortSignal) => program.run({ args: ['x'], folder, signal })
    await Promise.all(Array.from({ length: 8 }, () => run()))
    const leaving = Array.from({ length: 64 }, () => new AbortController())
    const left = Promise.allSettled(leaving.map(({ signal }) => run(signal)))
    await expect(run()).rejects.toMatchObject({ code: 'overloaded' })
    for (const each of leaving) each.abort()
    for (const outcome of await left) {
      expect(outcome).toMatchObject({
        reason: { message: 'git was not started, no caller waits for it any more' },
      })
    }
    const [last] = await Promise.allSettled([run(), program.close()])
    expect(last).toMatchObject({ reason: { code: 'shutting_down' } })
  })

  test('eight processes run at once, and the ninth waits', async () => {
    const { program, folder } = standIn('cat')
    const leaving = new AbortController()
    const never = async function* () {
      await new Promise((_, reject) => {
        leaving.signal.addEventListener('abort', () => reject(new Error('left')))
      })
      yield Buffer.of()
    }
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => program.run({ args: ['x'], folder, input: never() })),
    )
    let hasStarted = false
    const ninth = program.read({ args: ['x'], folder, input: [Buffer.from('9')] }).then((text) => {
      hasStarted = true
      return text
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(hasStarted).toBe(false)
    leaving.abort()
    await Promise.allSettled(runs.map(({ end }) => end))
    expect(await ninth).toBe('9')
  })
})
