import { execFile, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Refusal } from '../../core/refusal.ts'
import { clearTimeout, setTimeout } from '../../core/timers.ts'
import { errorCode } from '../../store/errors.ts'
import { watchCpu } from './cpu-time.ts'

/** Oldest release with every option that is used here. */
const oldest = [2, 25] as const

/** Limits of running and of waiting programs. */
const mostRunning = 8
const mostWaiting = 64
const longestMs = 10 * 60_000
/** Time before a program that ignores SIGTERM is killed. */
const killAfterMs = 2000
const noLongerNeeded = 'no caller waits for it any more'
const tookTooLong = 'it took more than'
/** Characters of git's error output that are kept. */
const mostWords = 16 * 1024

/** Settings that keep a repo, or a push to it, from making git do anything else. */
const lastingSettings = [
  // The folder may belong to another user, as in a container.
  'safe.directory=*',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  // Wants are checked before git runs.
  'uploadpack.allowAnySHA1InWant=true',
  'uploadpack.allowFilter=true',
  // Otherwise git would reveal the size of any object.
  'transfer.advertiseObjectInfo=false',
  'transfer.advertiseSID=false',
]

export interface GitRequest {
  readonly args: readonly string[]
  /** Settings for this run, passed with `-c`. */
  readonly settings?: readonly string[]
  /** A bare repo. */
  readonly folder: string
  /** Standard input; absent = empty. */
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly variables?: Readonly<Record<string, string>>
  /** Maximum CPU time in ms, read repeatedly. Absent = any. */
  readonly mostCpuMs?: () => number
  /** Ends the program early. */
  readonly signal?: AbortSignal | undefined
}

export interface GitRun {
  /** Standard output. It must be read, or the program waits forever; destroying it ends the program. */
  readonly output: Readable
  /**
   * Resolves when the program has ended.
   * @throws {GitError} when it failed or was killed
   */
  readonly end: Promise<void>
}

/** Git failed. */
export class GitError extends Error {
  override readonly name = 'GitError'
  /** Git's error output, for the developer. */
  readonly words: string
  /** Absent if it was killed or never ran. */
  readonly exitCode: number | undefined

  constructor(what: string, words: string, exitCode?: number) {
    super(words === '' ? what : `${what}: ${words}`)
    this.words = words
    this.exitCode = exitCode
  }
}

/**
 * Runs the installed git: without a shell, user settings, prompts, network and hooks.
 */
export class GitProgram {
  readonly #program: string
  readonly #running = new Set<{ kill: (reason: string) => void; end: Promise<void> }>()
  readonly #waiting: (() => void)[] = []
  #taken = 0
  #found: Promise<void> | undefined
  #isClosed = false

  /** @param program name or path */
  constructor(program = 'git') {
    this.#program = program
  }

  /**
   * Checks that git can be used; a success is cached.
   * @throws {Refusal} `not_emulated` where it is missing or too old
   */
  async require(): Promise<void> {
    this.#found ??= this.#look()
    try {
      await this.#found
    } catch (error) {
      // Git may be installed while the sandbox runs.
      this.#found = undefined
      throw error
    }
  }

  /**
   * Starts git when it is its turn.
   * @throws {Refusal} `not_emulated` as {@link require}, `overloaded` when too many wait
   */
  async run(request: GitRequest): Promise<GitRun> {
    await this.require()
    const release = await this.#turn(request.signal)
    try {
      if (this.#isClosed) throw new Refusal('shutting_down', 'The sandbox stops.')
      return this.#start(request, release)
    } catch (error) {
      release()
      throw error
    }
  }

  /** Runs git and returns its short output. @throws as {@link run}, {@link GitError} */
  async read(request: GitRequest): Promise<string> {
    const { output, end } = await this.run(request)
    const chunks: Buffer[] = []
    const [ended] = await Promise.allSettled([end, collect(output, chunks)])
    if (ended.status === 'rejected') throw ended.reason
    return Buffer.concat(chunks).toString()
  }

  /** Ends all running programs and waits for them. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const running of this.#running) running.kill('the sandbox stops')
    await Promise.allSettled([...this.#running].map(({ end }) => end))
  }

  async #look(): Promise<void> {
    let version
    try {
      const { stdout } = await promisify(execFile)(this.#program, ['--version'], {
        env: environment(tmpdir()),
        timeout: 10_000,
        windowsHide: true,
      })
      version = stdout.trim()
    } catch (error) {
      throw missing(
        'git is not installed on the machine of this sandbox.',
        `${this.#program} cannot be run: ${errorCode(error) ?? String(error)}`,
      )
    }
    const [, major = 0, minor = 0] = (/^git version (\d+)\.(\d+)/.exec(version) ?? []).map(Number)
    if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
    throw missing(
      `git is too old on the machine of this sandbox: it needs ${oldest.join('.')} or newer.`,
      `it says of itself: ${version}`,
    )
  }

  async #turn(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted === true) throw leftAlone()
    if (this.#taken >= mostRunning) {
      if (this.#waiting.length >= mostWaiting) {
        throw new Refusal('overloaded', 'Too many clones and pushes go on at once', {
          detail: `${mostRunning} run and ${mostWaiting} wait`,
        })
      }
      await this.#wait(signal)
    } else {
      this.#taken += 1
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }

  /** Waits for a free place; an aborted caller leaves the queue. */
  async #wait(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(leftAlone())
      }
      this.#waiting.push(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #start(
    { args, settings = [], folder, input = [], variables = {}, mostCpuMs, signal }: GitRequest,
    release: () => void,
  ): GitRun {
    const options = [...lastingSettings, ...settings].flatMap((setting) => ['-c', setting])
    const child = spawn(this.#program, [...options, ...args], {
      cwd: folder,
      env: { ...environment(folder), ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let words = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (words.length < mostWords) words += text
    })
    let force: NodeJS.Timeout | undefined
    let why: string | undefined
    const stop = (reason: string) => {
      why ??= reason
      if (force !== undefined) return
      child.kill('SIGTERM')
      force = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    }
    const limit = setTimeout(
      () => stop(`it took longer than ${longestMs / 60_000} minutes`),
      longestMs,
    )
    const ended = new AbortController()
    if (mostCpuMs !== undefined && child.pid !== undefined) {
      void watchCpu(child.pid, mostCpuMs, {
        signal: ended.signal,
        onExceeded: () => stop(`${tookTooLong} ${Math.ceil(mostCpuMs() / 1000)} s of CPU time`),
      })
    }
    const abort = () => stop(noLongerNeeded)
    signal?.addEventListener('abort', abort)
    pipeline(input, child.stdin).catch((error: unknown) => {
      // A program that has read enough closes its input; the exit code shows its success.
      if (errorCode(error) !== 'EPIPE' && errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') {
        stop(`what it was to read did not come: ${String(error)}`)
      }
    })
    const end = new Promise<void>((resolve, reject) => {
      const finish = (problem?: string, exitCode?: number) => {
        ended.abort()
        clearTimeout(limit)
        clearTimeout(force)
        signal?.removeEventListener('abort', abort)
        this.#running.delete(running)
        release()
        const failed = why ?? problem
        if (failed === undefined) return resolve()
        const code = why === undefined ? exitCode : undefined
        const said = why?.startsWith(tookTooLong) === true ? '' : words.trim()
        reject(new GitError(`git ${args[0]} failed, ${failed}`, said, code))
      }
      child.once('error', (error) => finish(error.message))
      // Input that is unread by then is not needed and may take long to arrive.
      child.once('close', (code, signalName) =>
        code === 0 ? finish() : finish(`it ended with ${code ?? signalName}`, code ?? undefined),
      )
    })
    const running = { kill: stop, end }
    this.#running.add(running)
    // Callers that wait for the end get the error.
    end.catch(() => undefined)
    // Piped at once, since unread output is lost when the program ends.
    const output = child.stdout.pipe(new PassThrough())
    output.once('close', () => {
      if (!output.readableEnded) abort()
    })
    return { output, end }
  }
}

function leftAlone(): GitError {
  return new GitError(`git was not started, ${noLongerNeeded}`, '')
}

/** Returns the environment that git needs to run. */
function environment(folder: string): Record<string, string> {
  const { PATH, SystemRoot } = process.env
  const noHome = join(folder, 'nobody')
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    LC_ALL: 'C',
    HOME: noHome,
    XDG_CONFIG_HOME: noHome,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_DIR: folder,
  }
}

function missing(message: string, detail: string): Refusal {
  return new Refusal('not_emulated', `${message} Everything but clone, fetch and push works.`, {
    detail,
  })
}

async function collect(output: Readable, chunks: Buffer[]): Promise<void> {
  for await (const chunk of output) chunks.push(chunk as Buffer)
}
