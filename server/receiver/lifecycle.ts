import type { NodeHandler } from './adapters/node.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { listen, type Listening, type ListenOptions } from './listen.ts'
import type { Log } from './log.ts'
import { onlyOnce } from './only-once.ts'
import type { HandlerRunner } from './handler-runner.ts'
import type { SecretGuard } from './secret.ts'

export interface LifecycleDeps {
  handler: NodeHandler
  runner: HandlerRunner
  endpoints: ReadonlyMap<string, unknown>
  guard: SecretGuard
  env: NodeJS.ProcessEnv
  log: Log
  /** External URL of the receiver, if it differs from the listening one. */
  publicUrl?: string
  /** External base path. */
  basePath?: string
}

type Running = Listening & { closed: Promise<unknown> }

const experimentalNotice =
  'The webhook receiver is experimental: it may change without notice, so pin the version. HF_HUB_DISABLE_EXPERIMENTAL_WARNING=1 silences this.'
const unreachableNotice =
  'WARNING: inside a Space only listen({ host: "0.0.0.0" }) can be reached from outside.'

/** Start of the receiver, with its messages. */
export class ReceiverLifecycle {
  readonly #deps: LifecycleDeps
  #running: Promise<Running> | undefined

  constructor(deps: LifecycleDeps) {
    this.#deps = deps
  }

  /** Starts when the program has nothing left to do. */
  readonly startAtEnd = onlyOnce(() => {
    process.once('beforeExit', this.#start)
  })

  /** After an adapter was requested, the receiver does not start by itself. */
  servedElsewhere(): void {
    process.off('beforeExit', this.#start)
    this.#warn()
  }

  async listen(options: ListenOptions): Promise<Running> {
    if (this.#running !== undefined) throw new Error('The webhook receiver is already listening.')
    this.servedElsewhere()
    this.#running = listen(this.#deps.handler, this.#deps.runner, options)
    try {
      const running = await this.#running
      this.#introduce(running, options)
      void running.closed.then(() => {
        this.#running = undefined
      })
      return running
    } catch (error) {
      this.#running = undefined
      throw error
    }
  }

  readonly #start = () => {
    this.listen({}).catch((error: unknown) => {
      this.#deps.log.error('Cannot start the webhook receiver.', error)
      process.exitCode = 1
    })
  }

  readonly #warn = onlyOnce(() => {
    const { env, guard, log } = this.#deps
    if (env['HF_HUB_DISABLE_EXPERIMENTAL_WARNING'] !== '1') log.warn(experimentalNotice)
    for (const line of guard.notice.lines) log[guard.notice.warning ? 'warn' : 'info'](line)
  })

  #introduce({ url }: Running, { host = '127.0.0.1' }: ListenOptions): void {
    const { endpoints, log, publicUrl, basePath = '' } = this.#deps
    const root = (publicUrl ?? url) + basePath
    log.info('Webhooks are set up and ready to use:')
    for (const name of endpoints.keys()) log.info(`  - POST ${root}/webhooks/${name}`)
    log.info(`Instructions: ${root}/`)
    if (publicUrl !== undefined && isLoopbackHost(host)) log.warn(unreachableNotice)
  }
}
