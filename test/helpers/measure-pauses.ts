import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import type { FixturesFile, SandboxOptions } from '../../server/index.ts'
import type { Received } from './cast.ts'

// Measures how long a request keeps the event loop of a sandbox busy in one piece. A program of its own runs the sandbox
// and reads the CPU time of its main thread, which a busy machine does not change. Garbage collection and the first
// compilation of a function come at random, so the best of several tries counts: a pause that an input causes comes each
// time. `HUB_SANDBOX_PAUSES=1` prints a line of each: longest pause in ms, peak of memory in MB. Where a harmless request, the control, takes long, the machine is slow, and five times as much is allowed.

/** Everything that a client of the Hub can ask for. */
export const longestPauseMs = 1500
/** Export, import and comparison of a whole state. */
const longestOfStateMs = 10_000
const tries = 5
/** Work that needs more memory than this ends the program. */
const heapMb = 512

export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Headers of alice, alone and with a body. */
export const alice = { authorization: 'Bearer hf_sandbox_alice' }
export const json = { ...alice, 'content-type': 'application/json' }
export const ndjson = { ...alice, 'content-type': 'application/x-ndjson' }

/** Expects that a request is granted, and returns its body. */
export async function bodyOf<T>(sending: Promise<Received<T>>): Promise<T> {
  const { status, bytes, body } = await sending
  expect([status, bytes.toString().slice(0, 300)]).toEqual([
    expect.toSatisfy((it) => it < 300),
    expect.any(String),
  ])
  return body
}

/** A request with the worst input that a route permits. */
export interface WorstInput {
  readonly name: string
  /** A function where it depends on what was made before. */
  readonly path: string | (() => string)
  /** Default: GET without a body, otherwise POST. */
  readonly method?: string
  readonly body?: () => string | Buffer
  readonly headers?: Record<string, string>
  /** Default: 300. */
  readonly status?: number
  /** Whether the request reads or creates a whole state. */
  readonly ofWholeState?: boolean
  /** Start of the error message of a refused request. */
  readonly error?: RegExp
}

interface Measured {
  readonly pauseMs: number
  readonly allowedMs: number
}

export interface MeasuredSandbox {
  readonly url: string
  /** Runs a task while the event loop is watched. @returns the longest pause, and the peak of memory */
  watch(task: () => Promise<void>): Promise<{ longestMs: number; peakMb: number }>
  /** Sends a request several times. @returns the shortest of the longest pauses, and how long it may be */
  measure(input: WorstInput): Promise<Measured>
  /** {@link MeasuredSandbox.measure} for a task of several requests. */
  measureTask(name: string, task: () => Promise<void>, longestMs?: number): Promise<Measured>
  close(): void
}

export async function startMeasured(
  fixtures: FixturesFile,
  options: Pick<SandboxOptions, 'runJobs'> = {},
): Promise<MeasuredSandbox> {
  const child = fork(new URL('measured-sandbox.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMb}`, '--import', import.meta.resolve('tsx')],
  })
  const { url } = await ask<{ url: string }>(child, { fixtures, ...options })
  /** Longest pause of a harmless request; measured first. */
  let controlMs: number | undefined

  const watch: MeasuredSandbox['watch'] = async (task) => {
    await ask(child, 'begin')
    await task()
    return ask(child, 'end')
  }

  const leastOf = async (name: string, task: () => Promise<void>, most: number) => {
    let least = Infinity
    let peakMb = 0
    for (let count = 0; count < tries && least > most; count++) {
      const measured = await watch(task)
      least = Math.min(least, measured.longestMs)
      peakMb = measured.peakMb
    }
    if (process.env['HUB_SANDBOX_PAUSES'] !== undefined)
      process.stdout.write(`${name} | ${least.toFixed(0)} | ${peakMb.toFixed(0)}\n`)
    return least
  }

  const measureTask: MeasuredSandbox['measureTask'] = async (
    name,
    task,
    longestMs = longestPauseMs,
  ) => {
    controlMs ??= await leastOf('control', () => send(url, whoami), longestPauseMs)
    const allowedMs = Math.max(longestMs, 5 * controlMs)
    return { pauseMs: await leastOf(name, task, allowedMs), allowedMs }
  }

  return {
    url,
    watch,
    measureTask,
    measure: (input) =>
      measureTask(
        input.name,
        () => send(url, input),
        input.ofWholeState === true ? longestOfStateMs : longestPauseMs,
      ),
    close: () => void child.kill('SIGKILL'),
  }
}

const whoami: WorstInput = {
  name: 'whoami',
  path: '/api/whoami-v2',
  headers: { authorization: 'Bearer hf_sandbox_alice' },
}

async function send(
  url: string,
  { path, body, headers = {}, status = 200, error = /^/, ...rest }: WorstInput,
): Promise<void> {
  const { method = body === undefined ? 'GET' : 'POST' } = rest
  const response = await fetch(url + (typeof path === 'string' ? path : path()), {
    method,
    headers,
    ...(body === undefined ? {} : { body: body() as BodyInit }),
  })
  const text = await response.text()
  expect([response.status, text.slice(0, 300)]).toEqual([status, expect.any(String)])
  expect(text).toMatch(error)
}

async function ask<T>(child: ChildProcess, message: unknown): Promise<T> {
  child.send(message as object)
  const [reply] = (await once(child, 'message')) as [T]
  return reply
}
