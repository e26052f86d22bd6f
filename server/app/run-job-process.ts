import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { own } from '../core/own.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'
import type { ProcessEnd, ProcessRequest, RunProcess } from '../hub/jobs/run-process.ts'
import { processUsage } from './process-usage.ts'
import { onOutputLine } from './process-output.ts'

/** Time after which a program that ignores SIGTERM is killed. */
const killAfterMs = 2000

// Variables that programs need to run; all others of the sandbox are left out.
const inherited = ['PATH', 'LANG', 'SystemRoot', 'PATHEXT', 'ComSpec']

/** Runs a program without a shell in a new folder, and deletes the folder afterwards. */
export const runProcess: RunProcess = (request) => {
  let stop = (): void => {}
  let pid: number | undefined
  let isKilled = false
  return {
    end: run(request, (kill, id) => {
      stop = kill
      pid = id
      if (isKilled) kill()
    }),
    kill() {
      isKilled = true
      stop()
    },
    usage: () => processUsage(pid),
  }
}

async function run(
  request: ProcessRequest,
  onStart: (kill: () => void, pid: number | undefined) => void,
): Promise<ProcessEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'hub-sandbox-job-'))
  try {
    const { volumes } = request
    if (volumes === undefined) return await runIn(folder, request, onStart)
    const variables = { ...request.variables, ...(await volumes.mount(folder)) }
    const end = await runIn(folder, { ...request, variables }, onStart)
    await volumes.store()
    return end
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function runIn(
  folder: string,
  { program, args, variables, timeoutMs, onLine }: ProcessRequest,
  onStart: (kill: () => void, pid: number | undefined) => void,
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    let child: ChildProcessByStdio<null, Readable, Readable>
    try {
      child = spawn(program, [...args], {
        cwd: folder,
        env: { ...inheritedVariables(), HOME: folder, TMPDIR: folder, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // A process group, so that its child processes end with it.
        detached: process.platform !== 'win32',
      })
    } catch (error) {
      resolve({ kind: 'not-started', message: describeRefusal(error, variables) })
      return
    }
    const outputs = [child.stdout, child.stderr]
    let isLate = false
    let force: NodeJS.Timeout | undefined

    function kill(): void {
      if (force !== undefined) return
      signalGroup(child, 'SIGTERM')
      force = setTimeout(() => {
        signalGroup(child, 'SIGKILL')
        // A child process may have left the group and keep the output open: that is not waited for.
        for (const output of outputs) output.destroy()
      }, killAfterMs)
    }
    const limit = setTimeout(() => {
      isLate = true
      kill()
    }, timeoutMs)
    function finish(end: ProcessEnd): void {
      clearTimeout(limit)
      clearTimeout(force)
      resolve(end)
    }

    for (const output of outputs) onOutputLine(output, onLine)
    child.on('error', (error) => finish({ kind: 'not-started', message: error.message }))
    child.on('close', (code, signalName) => {
      if (isLate) finish({ kind: 'timeout' })
      else if (code === null) finish({ kind: 'killed', signal: signalName ?? 'unknown' })
      else finish({ kind: 'exited', code })
    })
    onStart(kill, child.pid)
  })
}

/** Message without the value of a refused variable, which may be secret. */
function describeRefusal(error: unknown, variables: Readonly<Record<string, string>>): string {
  const entries = Object.entries(variables)
  const [withNul] = entries.find(([, value]) => value.includes('\0')) ?? []
  if (withNul !== undefined) {
    return `the variable ${withNul} holds a NUL character, which no process can be given`
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'E2BIG') return message
  const sizes = entries.map(([name, value]) => ({ name, bytes: Buffer.byteLength(value) }))
  const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes)
  return `its variables are more than the system takes (E2BIG); the largest is ${largest?.name} with ${largest?.bytes} bytes`
}

/** Kills the process group, even after the program has ended: child processes may keep the output open. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    child.kill(signal)
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // The group has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function inheritedVariables(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = own(process.env, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
