import { execFile, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Refusal } from '../core/refusal.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'
import { errorCode } from '../state/errors.ts'

/** The first that knows all that is asked of it here. */
const oldest = [2, 25] as const

/** So many run at once; what comes meanwhile waits for its turn, up to so many. */
const mostRunning = 8
const mostWaiting = 64
const longestMs = 10 * 60_000
/** One that ignores the polite signal is ended for good after this. */
const killAfterMs = 2000
const nobodyWaits = 'nobody waits for it any more'
/** What it says of a failure is kept up to here. */
const mostWords = 16 * 1024

/** What a repo, or whoever pushes to it, could make git do beyond what it is asked for. */
const lastingSettings = [
  // The folder may belong to whoever started a container.
  'safe.directory=*',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  // What may be asked for is looked at before git is.
  'uploadpack.allowAnySHA1InWant=true',
  'uploadpack.allowFilter=true',
  // Of sizes: it would tell them of any object.
  'transfer.advertiseObjectInfo=false',
  'transfer.advertiseSID=false',
]

export interface GitRequest {
  readonly args: readonly string[]
  /** As git is told them by `-c`, of this run alone. */
  readonly settings?: readonly string[]
  /** A bare repo. */
  readonly folder: string
  /** What it is given to read; absent = nothing. */
  readonly input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly variables?: Readonly<Record<string, string>>
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
}

export interface GitRun {
  /** What it prints. To be read, or it waits for ever; destroyed, the program is ended. */
  readonly output: Readable
  /**
   * Resolves when it has ended.
   * @throws {GitError} when it failed, or was ended
   */
  readonly end: Promise<void>
}

/** Git did not do what it was asked for. */
export class GitError extends Error {
  override readonly name = 'GitError'
  /** What it said, for the developer. */
  readonly words: string
  /** Absent = it was ended, or never ran. */
  readonly exitCode: number | undefined

  constructor(what: string, words: string, exitCode?: number) {
    super(words === '' ? what : `${what}: ${words}`)
    this.words = words
    this.exitCode = exitCode
  }
}

/**
 * The program git, as it is installed on this machine. It runs without a shell, knows nothing of anybody's settings, asks
 * nobody, calls nobody, and starts no script.
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
   * Looks whether git can be used. What was found stays found.
   * @throws {Refusal} `not_emulated` where it is missing or too old
   */
  async require(): Promise<void> {
    this.#found ??= this.#look()
    try {
      await this.#found
    } catch (error) {
      // It may be installed while the sandbox runs.
      this.#found = undefined
      throw error
    }
  }

  /**
   * Starts it, in its turn.
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

  /** {@link run}, for one that prints little. @throws as {@link run}, {@link GitError} */
  async read(request: GitRequest): Promise<string> {
    const { output, end } = await this.run(request)
    const chunks: Buffer[] = []
    const [ended] = await Promise.allSettled([end, collect(output, chunks)])
    if (ended.status === 'rejected') throw ended.reason
    return Buffer.concat(chunks).toString()
  }

  /** Ends all that run; resolves when they have. */
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

  /** Whoever leaves makes room for another. */
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
    { args, settings = [], folder, input = [], variables = {}, signal }: GitRequest,
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
    const abort = () => stop(nobodyWaits)
    signal?.addEventListener('abort', abort)
    pipeline(input, child.stdin).catch((error: unknown) => {
      // One that has read enough closes its end; whether it did well, its exit code says.
      if (errorCode(error) !== 'EPIPE' && errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') {
        stop(`what it was to read did not come: ${String(error)}`)
      }
    })
    const end = new Promise<void>((resolve, reject) => {
      const finish = (problem?: string, exitCode?: number) => {
        clearTimeout(limit)
        clearTimeout(force)
        signal?.removeEventListener('abort', abort)
        this.#running.delete(running)
        release()
        const failed = why ?? problem
        if (failed === undefined) return resolve()
        const code = why === undefined ? exitCode : undefined
        reject(new GitError(`git ${args[0]} failed, ${failed}`, words.trim(), code))
      }
      child.once('error', (error) => finish(error.message))
      // What it has not read by then may be long in coming, and is for nobody.
      child.once('close', (code, signalName) =>
        code === 0 ? finish() : finish(`it ended with ${code ?? signalName}`, code ?? undefined),
      )
    })
    const running = { kill: stop, end }
    this.#running.add(running)
    // Whoever waits for it learns of its failure.
    end.catch(() => undefined)
    // Read at once, since what a program has left unread in the end is thrown away.
    const output = child.stdout.pipe(new PassThrough())
    output.once('close', () => {
      if (!output.readableEnded) abort()
    })
    return { output, end }
  }
}

function leftAlone(): GitError {
  return new GitError(`git was not started, ${nobodyWaits}`, '')
}

/** What it needs to be found and to run at all. */
function environment(folder: string): Record<string, string> {
  const { PATH, SystemRoot } = process.env
  const nobody = join(folder, 'nobody')
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
    LC_ALL: 'C',
    HOME: nobody,
    XDG_CONFIG_HOME: nobody,
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
