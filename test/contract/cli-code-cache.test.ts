import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../server/cli/doctor/finding.ts'
import { commandLineWorld, isBuiltCommand } from '../helpers/command-line.ts'

const { folder, run, start: startCommand } = commandLineWorld()
const patience = 60_000

function world() {
  const caches = join(folder(), 'caches')
  mkdirSync(caches)
  const programs = join(caches, 'hub-sandbox/code')
  const files = () => {
    try {
      return readdirSync(programs).flatMap((program) =>
        readdirSync(join(programs, program)).map((file) => join(programs, program, file)),
      )
    } catch {
      return []
    }
  }
  const inCaches = (env?: Record<string, string>) => ({ XDG_CACHE_HOME: caches, ...env })
  const start = (env?: Record<string, string>) => startCommand(['--ephemeral'], inCaches(env))
  /**
   * Starts a sandbox and asks it once.
   * @returns ends it, wherever it is in its work, and has what it said
   */
  const ask = async (env?: Record<string, string>) => {
    const { child, ended, sandbox } = await start(env)
    const answer = await fetch(`${sandbox.url}/.well-known/openid-configuration`)
    expect(answer.status).toBe(200)
    return async () => {
      child.kill('SIGKILL')
      return (await ended).stderr
    }
  }

  return {
    caches,
    files,
    /** Those that are whole. */
    wholeFiles: () => files().filter((file) => !isDraft(file)),
    /** Waits until the code cache is complete. */
    isKept: () => {
      const all = files()
      return all.length > 20 && !all.some(isDraft)
    },
    ask,
    /** Starts a sandbox, asks it once, and ends it when that has had its effect. */
    start: async (isDone: () => boolean, env?: Record<string, string>) => {
      const kill = await ask(env)
      await expect.poll(isDone, { timeout: patience }).toBe(true)
      return kill()
    },
    /** Starts a sandbox, asks what a start builds nothing for, and ends it as its user does. */
    startAndStop: async () => {
      const { child, ended, sandbox } = await start()
      expect((await fetch(`${sandbox.url}/api/whoami-v2`)).status).toBe(401)
      child.kill('SIGTERM')
      expect((await ended).code).toBe(0)
    },
    /** Returns the doctor's line about the code cache. */
    examined: async (env?: Record<string, string>) => {
      const asked = ['doctor', '--json', '--url', 'http://127.0.0.1:9']
      const { stdout } = await run(asked, inCaches(env)).ended
      const { findings } = JSON.parse(stdout) as { findings: Finding[] }
      return findings.find(({ about }) => about === 'code-cache')?.text
    },
  }
}

// Nothing is cached while coverage is measured, and sources have no cache.
describe.runIf(isBuiltCommand)('the code cache of the command', { timeout: patience * 2 }, () => {
  test('is written after the first response; the next start only reads it', async () => {
    const { start, wholeFiles, isKept } = world()
    const before = await start(isKept)
    const written = wholeFiles()
    const times = () => written.map((file) => statSync(file).mtimeMs)
    const first = times()
    expect(await start(() => true)).toBe(before)
    // What was compiled late is all that the second start could add.
    expect(times()).toEqual(first)
  })

  test('a cache written by a running sandbox is valid for the next command', async () => {
    const { start, isKept, examined } = world()
    await start(isKept)
    expect(await examined()).toMatch(/^[1-9]\d* of \d+ scripts/)
  })

  test('includes code compiled for later requests once that sandbox has stopped', async () => {
    const { start, startAndStop, files, wholeFiles, isKept } = world()
    await start(isKept)
    // The next may be just being written.
    const before = wholeFiles()
    await startAndStop()
    expect(files().length).toBeGreaterThan(before.length)
    expect(files()).toEqual(expect.arrayContaining(before))
  })

  test('serves every command, as the doctor reports', async () => {
    const { examined } = world()
    expect(await examined()).toMatch(/^0 of \d+ scripts/)
    expect(await examined()).toMatch(/^(\d+) of \1 scripts .*\/hub-sandbox\/code\//)
  })

  test('a damaged or foreign cache file is replaced silently', async () => {
    const { start, wholeFiles, isKept } = world()
    const said = await start(isKept)
    const [largest, next] = wholeFiles().toSorted((a, b) => statSync(b).size - statSync(a).size)
    if (largest === undefined || next === undefined) throw new Error('nothing was kept')
    const whole = readFileSync(largest)
    writeFileSync(largest, whole.fill(0, whole.length >> 1, (whole.length >> 1) + 64))
    writeFileSync(next, readFileSync(process.execPath).subarray(0, 100_000))
    const damaged = () => [largest, next].map((file) => readFileSync(file).toString('base64'))
    const then = damaged()
    const isReplaced = () => damaged().every((bytes, index) => bytes !== then[index])
    expect(await start(isReplaced)).toBe(said)
  })

  test('stays complete when two starts write it at once', async () => {
    const { ask, start, isKept, examined } = world()
    const kills = await Promise.all([ask(), ask()])
    // One that is killed while it writes would leave a draft, and no other start would take that away.
    await expect.poll(isKept, { timeout: patience }).toBe(true)
    await Promise.all(kills.map((kill) => kill()))
    expect(await start(() => true)).toContain('hub-sandbox')
    expect(await examined()).toMatch(/scripts/)
  })

  test.each([['HUB_SANDBOX_NO_CODE_CACHE'], ['NODE_DISABLE_COMPILE_CACHE']])(
    'is neither read nor written with %s',
    async (name) => {
      const { start, files, examined } = world()
      const env = { [name]: '1' }
      await start(() => true, env)
      expect(await examined(env)).toBe(`Compiled code is not cached: ${name} is set.`)
      expect(files()).toEqual([])
    },
  )

  test.runIf(process.getuid?.() === 0)(
    'the cache of another user is left alone, and the start succeeds',
    async () => {
      const { caches, start, files, examined } = world()
      await examined()
      const kept = files()
      expect(kept.length).toBeGreaterThan(0)
      for (const path of [join(caches, 'hub-sandbox'), ...kept]) chownSync(path, 12_345, 12_345)
      const times = () => kept.map((file) => statSync(file).mtimeMs)
      const before = times()
      await start(() => true)
      expect(await examined()).toMatch(/^0 of \d+ scripts/)
      expect(times()).toEqual(before)
      expect(files()).toEqual(kept)
    },
  )
})

function isDraft(path: string): boolean {
  return path.endsWith('.tmp')
}
