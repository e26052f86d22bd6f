import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitRounds } from './limit-rounds.ts'
import { missingBuild } from './missing-build.ts'
import { printed, watch } from './printed.ts'

const root = new URL('../../', import.meta.url)
const cli = fileURLToPath(new URL('dist/server/cli.cjs', root))

/** A mistake planted into the server, to see that a test notices it. */
export type Sabotage = 'late-journal' | 'late-objects' | 'early-outcome'

export interface KilledSandboxOptions {
  /** An empty folder, for the state and the fixtures. */
  directory: string
  sabotage?: Sabotage
  /** A command that runs the one behind it. */
  within?: readonly string[]
}

const fixtures = {
  users: [{ username: 'alice' }],
  organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  apps: [{ name: 'App', redirectUris: ['http://localhost/'], scopes: ['openid', 'profile'] }],
  repos: [{ type: 'dataset', name: 'acme/corpus' }],
}

/** The built command line in a process of its own, that can be killed and started again on the same folder. */
export class KilledSandbox {
  url = ''
  readonly #options: KilledSandboxOptions
  #child: ChildProcess | undefined
  #isExpectedToRun = false
  #stderr = ''

  constructor(options: KilledSandboxOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const reason = missingBuild('server/cli.cjs')
    if (reason !== undefined) throw new Error(reason)
    const { directory, sabotage, within = [] } = this.#options
    const file = join(directory, 'fixtures.json')
    await writeFile(file, JSON.stringify(fixtures))
    const preload =
      sabotage === undefined ? [] : ['--import', new URL(`test/helpers/${sabotage}.mjs`, root).href]
    const where = ['--port', '0', '--data', join(directory, 'data'), '--fixtures', file]
    const flags = ['--json', ...where, '--delivery-profile', 'ci']
    const command = [...within, process.execPath, ...preload, cli, 'start', ...flags]
    const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    this.#isExpectedToRun = true
    this.#stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()))
    const [line] = await printed(watch(child), /^.+(?=\n)/, 'stdout')
    this.url = (JSON.parse(line) as { url: string }).url
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Without any notice: no handler of the program runs. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    this.#isExpectedToRun = false
    child.kill('SIGKILL')
    await exit
  }

  /**
   * @throws {TypeError} when it is killed before it has answered
   * @throws {Error} when it refuses, or has ended by itself
   */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const child = this.#child
    if (this.#isExpectedToRun && (child?.exitCode !== null || child.signalCode !== null)) {
      throw new Error(`the sandbox ended by itself: ${this.#stderr}`)
    }
    const answer = await fetch(`${this.url}/_sandbox/api/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }

  /** All items of a list. */
  async list<T>(path: string): Promise<T[]> {
    const items: T[] = []
    let cursor: string | undefined
    const round = limitRounds(1000)
    do {
      round()
      const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = await this.call<{ items: T[]; nextCursor?: string }>(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}limit=1000${after}`,
      )
      items.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return items
  }
}
