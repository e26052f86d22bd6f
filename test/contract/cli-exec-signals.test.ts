import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commandText } from '../../server/core/shell-words.ts'
import { isRunning } from '../../server/store/processes.ts'
import { commandLineWorld, cliCommand } from '../helpers/command-line.ts'
import { openPipeInstead } from '../helpers/open-pipe-instead.ts'
import { printed, watch } from '../helpers/printed.ts'
import { bareEnvironment, hasProgram } from '../helpers/programs.ts'
import { serve } from '../helpers/json-receiver.ts'

const { folder, run } = commandLineWorld()
const patience = 120_000

/** A temporary folder of the test's own, so that what is left behind is seen. */
function temporary(name: string) {
  const path = join(folder(), `tmp-${name}`)
  mkdirSync(path)
  return {
    env: { TMPDIR: path },
    left: () => readdirSync(path).filter((one) => one.startsWith('hub-sandbox-')),
  }
}

/** A program that says when it is ready, and by which process it is. */
const program = (body: string) => [
  process.execPath,
  '-e',
  `${body}; setInterval(() => {}, 1000); console.error('ready ' + process.pid)`,
]

describe('signals to exec', { timeout: patience }, () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s reaches the program once, and the program decides how it exits',
    async (signal) => {
      const { env, left } = temporary(signal)
      const body = `process.on('${signal}', () => { console.log('told'); setTimeout(() => process.exit(3), 300) })`
      const running = run(['exec', '--', ...program(body)], env)
      await printed(running, /^ready/m)
      running.child.kill(signal)
      expect(await running.ended).toMatchObject({ code: 3, stdout: 'told\n' })
      expect(left()).toEqual([])
    },
  )

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s ends the program, and exec exits with %i', async (signal, code) => {
    const running = run(['exec', '--', ...program('')])
    await printed(running, /^ready/m)
    running.child.kill(signal)
    expect(await running.ended).toMatchObject({ code })
  })

  test('a program killed by another signal gives the exit code of shells', async () => {
    const { code } = await run(['exec', '--', 'sh', '-c', 'kill -USR1 $$']).ended
    expect(code).toBe(128 + constants.signals.SIGUSR1)
  })

  test('a program that ignores the signal is killed with all its child processes', async () => {
    const { env, left } = temporary('deaf')
    const deaf = `process.on('SIGTERM', () => {})`
    const child = JSON.stringify(program(deaf).slice(1))
    const body = `${deaf}; require('node:child_process').spawn(process.execPath, ${child}, { stdio: 'inherit' })`
    const running = run(['exec', '--', ...program(body)], env)
    const pids = new Set<number>()
    running.child.stderr.on('data', (text: string) => {
      for (const [, pid] of text.matchAll(/^ready (\d+)/gm)) pids.add(Number(pid))
    })
    await vi.waitFor(() => expect(pids.size).toBe(2), patience)
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    expect(code).toBe(137)
    expect(stderr).toMatch(/ did not end within 5 s of SIGTERM, and was killed\.$/m)
    await vi.waitFor(() => expect([...pids].filter(isRunning)).toEqual([]), patience)
    expect(left()).toEqual([])
  })

  test('a second signal kills the program at once', async () => {
    const running = run([
      'exec',
      '--',
      ...program(`process.on('SIGTERM', () => console.error('told'))`),
    ])
    await printed(running, /^ready/m)
    running.child.kill('SIGTERM')
    await printed(running, /^told/m)
    // What comes within half a second is taken for the same one, passed on by npm.
    const again = setInterval(() => running.child.kill('SIGTERM'), 200)
    const { code, stderr } = await running.ended
    clearInterval(again)
    expect(code).toBe(137)
    expect(stderr.match(/^told/gm)).toHaveLength(1)
    expect(stderr).not.toContain('did not end within')
  })

  test('processes left by the program are killed after the signal', async () => {
    const body = program(`process.on('SIGTERM', () => {})`)
    const line = `"$0" -e "$1" & trap 'exit 4' TERM; wait; wait`
    const running = run(['exec', '--', 'sh', '-c', line, ...body.filter((word) => word !== '-e')])
    const [, pid] = await printed(running, /^ready (\d+)/m)
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject({ code: 4 })
    await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), patience)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the wait for a URL', async (signal) => {
    const { env, left } = temporary(`wait-${signal}`)
    const url = await serve((_request, response) => response.writeHead(503).end())
    const args = ['exec', '--wait-for', url, '--', 'touch', 'was-run']
    const running = run(args, env)
    await printed(running, /^Waiting for/m)
    running.child.kill(signal)
    const { code } = await running.ended
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(existsSync(join(folder(), 'was-run'))).toBe(false)
    expect(left()).toEqual([])
  })

  test.runIf(hasProgram('mkfifo'))('a hanging start can be interrupted', async () => {
    const { env, left } = temporary('hangs')
    const file = join(folder(), 'hanging.json')
    writeFileSync(file, '{}')
    const hanging = { ...env, ...openPipeInstead('hanging.json') }
    const running = run(['exec', '--fixtures', file, '--', 'true'], hanging)
    await vi.waitFor(() => expect(left()).toHaveLength(1), patience)
    running.child.kill('SIGINT')
    const again = setInterval(() => running.child.kill('SIGINT'), 200)
    const { code } = await running.ended
    clearInterval(again)
    expect({ code, signal: running.child.signalCode }).toEqual({ code: null, signal: 'SIGINT' })
    expect(left()).toEqual([])
  })

  test('leftovers of a killed run are removed by the next run', async () => {
    const { env, left } = temporary('killed')
    const running = run(['exec', '--', ...program('')], env)
    const [, pid] = await printed(running, /^ready (\d+)/m)
    running.child.kill('SIGKILL')
    process.kill(Number(pid), 'SIGKILL')
    expect(await running.ended).toMatchObject({ code: null })
    expect(left()).toHaveLength(1)
    expect(await run(['exec', '--', 'true'], env).ended).toMatchObject({ code: 0 })
    expect(left()).toEqual([])
  })

  test.runIf(process.platform === 'linux' && hasProgram('script'))(
    'Ctrl-C in a terminal reaches the program once, and the program decides',
    async () => {
      const body = `let told = 0; process.on('SIGINT', () => { console.error('told ' + ++told) });
        process.stdin.on('data', () => process.exit(told))`
      const command = [...cliCommand, 'exec', '--', ...program(body)]
      // A shell that stays would end by the Ctrl-C itself.
      const line = `exec ${commandText(command)}`
      const child = spawn('script', ['-qec', line, '/dev/null'], {
        env: bareEnvironment({ HOME: folder(), SHELL: '/bin/sh' }),
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      let shown = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
      await vi.waitFor(() => expect(shown).toMatch(/^ready/m), patience)
      child.stdin.write('\u0003')
      await vi.waitFor(() => expect(shown).toContain('told 1'), patience)
      child.stdin.write('\u0003')
      await vi.waitFor(() => expect(shown).toContain('told 2'), patience)
      // Had one been passed on, or the second one killed it, it would not end with 2.
      child.stdin.write('\n')
      const [code] = (await once(child, 'close')) as [number]
      expect(code).toBe(2)
    },
  )

  test('a run that fails by itself leaves neither a process nor a folder', async () => {
    const { env, left } = temporary('fails')
    const module = join(folder(), 'fail.mjs')
    const fail = `process.once('SIGUSR2', () => { throw new Error('a mistake of ours') })`
    writeFileSync(module, `if (process.argv.includes('exec')) ${fail}`)
    const running = run(['exec', '--', ...program('')], {
      ...env,
      NODE_OPTIONS: `--import ${pathToFileURL(module).href}`,
    })
    const [, pid] = await printed(running, /^ready (\d+)/m)
    running.child.kill('SIGUSR2')
    const { code, stderr } = await running.ended
    expect(code).toBe(1)
    expect(stderr).toContain('a mistake of ours')
    await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), patience)
    expect(left()).toEqual([])
  })

  test('exits with the code of the program when stderr is closed', async () => {
    const { env, left } = temporary('unread')
    const wait = `console.log('ready'); process.stdin.once('data', () => process.exit(6))`
    const child = spawn(
      cliCommand[0],
      [...cliCommand.slice(1), 'exec', '--', process.execPath, '-e', wait],
      {
        env: bareEnvironment({ HOME: folder(), ...env }),
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stderr.destroy()
    await printed(watch(child), /^ready/m, 'stdout')
    child.stdin.end('go')
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(6)
    expect(left()).toEqual([])
  })
})
