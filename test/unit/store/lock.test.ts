import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { acquireLock, LockedError, type LockHolder, readLock } from '../../../server/store/lock.ts'
import { processStart } from '../../../server/store/processes.ts'
import { openNotes } from '../../helpers/notes-store.ts'
import { hasProgram } from '../../helpers/programs.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const startedAt = '2026-01-02T03:04:05.000Z'

function writeLock(directory: string, holder: Partial<LockHolder>, name = 'lock.json'): string {
  const text = JSON.stringify({ pid: process.pid, startedAt, host: hostname(), ...holder })
  writeFileSync(join(directory, name), text)
  return text
}

/** A pid that was in use until a moment ago. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** A process that waits to be told to take the lock. */
async function startContender(directory: string) {
  const script = join(import.meta.dirname, '../../helpers/lock-contender.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await nextWord(child)).toBe('ready')
  return {
    child,
    contend: () => {
      child.stdin.write('go\n')
      return nextWord(child)
    },
  }
}

async function nextWord({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new TypeError('the output of the process is not piped')
  const [data] = (await once(stdout, 'data')) as [Buffer]
  return data.toString().trim()
}

describe('acquireLock', () => {
  test('the lock creates the folder and names its holder', async () => {
    const directory = join(temporaryDirectory(), 'state')
    const lock = await acquireLock(directory, { url: 'http://localhost:4000' })
    const file = join(directory, 'lock.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readLock(directory)).toMatchObject({
      pid: process.pid,
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      url: 'http://localhost:4000',
    })
    lock.release()
    expect(readdirSync(directory)).toEqual([])
    expect(readLock(directory)).toBeUndefined()
  })

  test('a folder of a running process is refused, also of this one', async () => {
    const directory = temporaryDirectory()
    const lock = await acquireLock(directory)
    const refused = acquireLock(directory)
    await expect(refused).rejects.toThrow(LockedError)
    await expect(refused).rejects.toThrow(
      new RegExp(`^${directory} is in use by process ${process.pid} since .*\\. Stop it or choose`),
    )
    lock.release()
    const again = await acquireLock(directory)
    again.release()
  })

  test('the lock has the URL once it is known', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.updateLock({ url: 'http://localhost:4000' })
    await expect(openNotes({ directory })).rejects.toThrow(
      `is in use by process ${process.pid} at http://localhost:4000 since `,
    )
    expect(readdirSync(directory)).not.toContain('lock.json.tmp')
    await store.close()
    expect(existsSync(join(directory, 'lock.json'))).toBe(false)
  })

  test('the lock of a dead process is taken over', async () => {
    const directory = temporaryDirectory()
    writeLock(directory, { pid: await deadPid() })
    expect(readLock(directory)).toBeUndefined()
    const lock = await acquireLock(directory)
    expect(readLock(directory)?.pid).toBe(process.pid)
    expect(readdirSync(directory)).toEqual(['lock.json'])
    lock.release()
  })

  test.runIf(existsSync('/proc/self/stat'))('a zombie process counts as dead', async () => {
    const directory = temporaryDirectory()
    // What replaces the shell never asks for the shell's child, which so keeps its pid after its end.
    const child = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: 'pipe' })
    onTestFinished(() => void child.kill())
    writeLock(directory, { pid: Number(await nextWord(child)) })
    await vi.waitFor(() => expect(readLock(directory)).toBeUndefined())
    const lock = await acquireLock(directory)
    lock.release()
  })

  test.runIf(existsSync('/proc/self/stat'))('a reused pid is recognized', async () => {
    const directory = temporaryDirectory()
    writeLock(directory, { processStart: '1' })
    const lock = await acquireLock(directory)
    expect(readLock(directory)?.processStart).toBe(processStart(process.pid))
    lock.release()

    writeLock(directory, { processStart: processStart(process.pid) ?? '' })
    await expect(acquireLock(directory)).rejects.toThrow(LockedError)
  })

  test('a lock whose owner died writing it is taken over', async () => {
    const directories = ['', '{"pid":', '{}', 'null'].map((text) => {
      const directory = temporaryDirectory()
      writeFileSync(join(directory, 'lock.json'), text)
      return directory
    })
    const locks = await Promise.all(directories.map((directory) => acquireLock(directory)))
    expect(directories.map((directory) => readLock(directory)?.pid)).toEqual(
      directories.map(() => process.pid),
    )
    for (const lock of locks) lock.release()
  })

  test('a lock that is being written is waited for', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'lock.json'), '')
    const refused = acquireLock(directory)
    const text = writeLock(directory, {})
    await expect(refused).rejects.toThrow(LockedError)
    expect(readFileSync(join(directory, 'lock.json'), 'utf8')).toBe(text)
  })

  test('a takeover of a process that died is taken over', async () => {
    const directory = temporaryDirectory()
    const pid = await deadPid()
    writeLock(directory, { pid })
    writeLock(directory, { pid }, 'lock.json.takeover')
    const lock = await acquireLock(directory)
    expect(readdirSync(directory)).toEqual(['lock.json'])
    lock.release()
  })

  test('a lock stays untouched while another process takes it over', async () => {
    const directory = temporaryDirectory()
    writeLock(directory, { pid: await deadPid() })
    writeLock(directory, {}, 'lock.json.takeover')
    const refused = acquireLock(directory)
    const text = writeLock(directory, {})
    await expect(refused).rejects.toThrow(LockedError)
    expect(readFileSync(join(directory, 'lock.json'), 'utf8')).toBe(text)
  })

  describe('acquireLock ends', () => {
    /** Each look at the clock is half a second after the one before. */
    function hurryClock(onLook: (now: number) => void = () => undefined): void {
      let now = 0
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
        onLook(now)
        return (now += 500)
      })
      onTestFinished(() => clock.mockRestore())
    }

    test('when another takeover never ends', async () => {
      const directory = temporaryDirectory()
      writeLock(directory, { pid: await deadPid() })
      writeLock(directory, {}, 'lock.json.takeover')
      hurryClock()
      await expect(acquireLock(directory)).rejects.toThrow(LockedError)
      expect(readdirSync(directory).toSorted()).toEqual(['lock.json', 'lock.json.takeover'])
    })

    test('when a lock is never released for long enough', async () => {
      const directory = temporaryDirectory()
      const file = join(directory, 'lock.json')
      writeFileSync(file, '')
      // Whoever takes the guard finds another lock than the one that was to be removed.
      hurryClock((now) => writeFileSync(file, `${now}`))
      await expect(acquireLock(directory)).rejects.toThrow(
        `${file} cannot be locked: remove it if no sandbox uses ${directory}`,
      )
    })

    test.runIf(hasProgram('mkfifo'))('when the lock is a pipe or a folder', async () => {
      const directory = temporaryDirectory()
      const file = join(directory, 'lock.json')
      execFileSync('mkfifo', [file])
      // In a process of its own, which a read without an end would stop as a whole.
      const { contend } = await startContender(directory)
      expect(await contend()).toBe(`FolderError: ${file} is not a file: remove it`)
      unlinkSync(file)
      mkdirSync(file)
      await expect(acquireLock(directory)).rejects.toThrow(`${file} is not a file: remove it`)
      expect(() => readLock(directory)).toThrow(`${file} is not a file: remove it`)
    })
  })

  test('a lock of another machine is respected', async () => {
    const directory = temporaryDirectory()
    writeLock(directory, { pid: await deadPid(), host: 'elsewhere' })
    await expect(acquireLock(directory)).rejects.toThrow(
      new RegExp(
        ` on elsewhere since ${startedAt}\\. If it is no longer running, delete .*lock.json\\.$`,
      ),
    )
  })

  test('only its own lock is released', async () => {
    const directory = temporaryDirectory()
    const lock = await acquireLock(directory)
    unlinkSync(join(directory, 'lock.json'))
    lock.release()
    const text = writeLock(directory, { pid: 1 })
    lock.release()
    expect(readFileSync(join(directory, 'lock.json'), 'utf8')).toBe(text)
  })

  test('one of many processes gets a stale lock, and another when that one is killed', async () => {
    const directory = temporaryDirectory()
    const contenders = await Promise.all(Array.from({ length: 6 }, () => startContender(directory)))
    writeLock(directory, { pid: await deadPid() })
    const words = await Promise.all(contenders.map(({ contend }) => contend()))
    expect(words.toSorted()).toEqual(['locked', ...Array<string>(5).fill('refused')])

    const winner = contenders[words.indexOf('locked')]
    expect(readLock(directory)?.pid).toBe(winner?.child.pid)
    winner?.child.kill('SIGKILL')
    if (winner) await once(winner.child, 'exit')
    expect(readLock(directory)).toBeUndefined()
    const lock = await acquireLock(directory)
    lock.release()
  }, 30_000)
})
