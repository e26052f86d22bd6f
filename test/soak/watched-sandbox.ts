import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'

const cli = fileURLToPath(new URL('../../dist/server/cli.cjs', import.meta.url))
const watch = new URL('watch.mjs', import.meta.url).href
const longestStopMs = 10_000

/** Figures of the sandbox's process; delays are those since the last reading. */
export interface Inside {
  residentBytes: number
  heapUsedBytes: number
  externalBytes: number
  /** CPU time of all threads since the start. */
  cpuMs: number
  /** Active handles by kind: timers, sockets, system requests. */
  resources: Record<string, number>
  openFiles: number
  delayMedianMs: number
  delayP99Ms: number
  delayLongestMs: number
}

export interface WatchedSandboxOptions {
  /** An empty folder, for the state and the fixtures. */
  directory: string
  fixtures: FixturesFile
  /** Modules loaded into it first, as URLs. */
  preloads?: readonly string[]
}

/** The built command line as users start it, with somebody inside who can be asked. */
export class WatchedSandbox {
  readonly url: string
  readonly data: string
  readonly #child: ChildProcess
  readonly #waiting = new Map<
    number,
    { resolve: (answer: never) => void; reject: (error: Error) => void }
  >()
  #nextId = 0
  #stderr = ''

  private constructor(child: ChildProcess, url: string, data: string) {
    this.#child = child
    this.url = url
    this.data = data
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`the sandbox ended:\n${this.#stderr}`))
      }
    })
    child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()))
    child.on('message', (message) => {
      const { id, answer } = message as { id: number; answer: never }
      this.#waiting.get(id)?.resolve(answer)
      this.#waiting.delete(id)
    })
  }

  static async start(options: WatchedSandboxOptions): Promise<WatchedSandbox> {
    const { directory, fixtures, preloads = [] } = options
    const file = join(directory, 'fixtures.json')
    const data = join(directory, 'data')
    await writeFile(file, JSON.stringify(fixtures))
    const imports = [watch, ...preloads].flatMap((module) => ['--import', module])
    const flags = ['--json', '--port', '0', '--data', data, '--fixtures', file]
    const child = spawn(process.execPath, [...imports, cli, 'start', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    if (child.stdout === null) throw new TypeError('a pipe was asked for')
    for await (const line of createInterface({ input: child.stdout })) {
      return new WatchedSandbox(child, (JSON.parse(line) as { url: string }).url, data)
    }
    throw new Error('the sandbox did not start')
  }

  /** Lines on stderr after the first one. */
  get complaints(): string {
    return this.#stderr.split('\n').slice(1).join('\n').trim()
  }

  look(): Promise<Inside> {
    return this.#ask('look')
  }

  /** After a forced collection. */
  liveHeapBytes(): Promise<number> {
    return this.#ask('liveHeapBytes')
  }

  async writeHeapSnapshot(file: string): Promise<void> {
    await this.#ask('heapSnapshot', file)
  }

  /** Ends it as Ctrl-C does. @returns its exit code; undefined when it had to be killed */
  async stop(): Promise<number | undefined> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? undefined
    const ended = once(child, 'exit') as Promise<[number | null]>
    child.kill('SIGTERM')
    const late = Symbol('late')
    const timeout = new AbortController()
    const first = await Promise.race([
      ended,
      sleep(longestStopMs, late, { signal: timeout.signal }).catch(() => late),
    ])
    timeout.abort()
    if (first !== late) return (await ended)[0] ?? undefined
    child.kill('SIGKILL')
    await ended
    return undefined
  }

  async #ask<T>(question: string, input?: string): Promise<T> {
    const id = this.#nextId++
    const answer = new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
    })
    this.#child.send({ id, question, input })
    return answer
  }
}
