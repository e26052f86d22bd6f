import type { DeliveryFacts, WebhookContext } from './handler.ts'
import type { Log } from './log.ts'
import { json, plainHeaders } from './rejection.ts'

export interface HandlerRunnerOptions {
  /** Milliseconds after which a running handler gets the response 202; false: never. */
  autoAckMs: number | false
  log: Log
}

/** Time that the Hub waits for a response. */
const senderTimeoutMs = 30_000

const goneMessage = 'The sender no longer waits for a response.'

/** Runs handlers, and the work that continues after their response. */
export class HandlerRunner {
  readonly #options: HandlerRunnerOptions
  readonly #pending = new Set<Promise<unknown>>()
  readonly #running = new Set<AbortController>()

  constructor(options: HandlerRunnerOptions) {
    this.#options = options
  }

  /**
   * Runs one handler.
   * @param whenSent resolves when the response was sent; deferred work waits for it
   * @returns the response: 500 if the handler fails, 202 while it is still running
   */
  async run(
    handler: (context: WebhookContext) => unknown,
    facts: DeliveryFacts,
    sender: { signal: AbortSignal; whenSent: () => Promise<unknown> },
  ): Promise<Response> {
    const deferred = new Deferred((task) => this.#background(facts, task))
    const stop = new AbortController()
    const hangUp = () => stop.abort(sender.signal.reason)
    if (sender.signal.aborted) hangUp()
    sender.signal.addEventListener('abort', hangUp, { once: true })
    this.#running.add(stop)
    const context: WebhookContext = {
      ...facts,
      signal: stop.signal,
      defer: (task) => deferred.add(task),
    }
    const work = this.track(this.#answerOf(handler, context))
    void work.then(() => this.#running.delete(stop))
    const response = await this.#inTime(work, stop)
    sender.signal.removeEventListener('abort', hangUp)
    if (response !== undefined) {
      if (response.ok) deferred.releaseAfter(this.track(sender.whenSent()))
      return response
    }
    this.#options.log.warn(
      `Webhook endpoint "${facts.endpoint}" is still running after ${this.#options.autoAckMs} ms; responded with 202. Use context.defer() for long work.`,
    )
    deferred.releaseAfter(this.track(sender.whenSent()))
    return json(202, { status: 'still processing' })
  }

  /** Makes `idle` wait for work, and returns the work. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const forget = () => this.#pending.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Resolves when no handler and no deferred work is running. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending)
  }

  /** Aborts the signal of all work that is still running. */
  abort(): void {
    const reason = new Error('The receiver was closed.')
    for (const stop of this.#running) stop.abort(reason)
  }

  // Never rejects: an error of the handler is a response, too.
  async #answerOf(
    handler: (context: WebhookContext) => unknown,
    context: WebhookContext,
  ): Promise<Response> {
    try {
      const result = await handler(context)
      if (result instanceof Response) return result
      if (result === undefined) return new Response(null, { status: 204, headers: plainHeaders })
      return json(200, result)
    } catch (error) {
      this.#options.log.error(`Webhook endpoint "${context.endpoint}" failed.`, error)
      return json(500, { error: 'The webhook handler failed.' })
    }
  }

  // Resolves to undefined when the handler is still running and gets the response 202.
  async #inTime(work: Promise<Response>, stop: AbortController): Promise<Response | undefined> {
    const { autoAckMs } = this.#options
    const giveUp = setTimeout(() => stop.abort(new Error(goneMessage)), senderTimeoutMs)
    let acknowledge: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      if (autoAckMs !== false) acknowledge = setTimeout(resolve, autoAckMs, undefined)
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(giveUp)
      clearTimeout(acknowledge)
    }
  }

  #background(facts: DeliveryFacts, task: () => unknown): void {
    const run = async () => {
      try {
        await task()
      } catch (error) {
        this.#options.log.error(`Deferred work of "${facts.endpoint}" failed.`, error)
      }
    }
    void this.track(run())
  }
}

/** Work that starts after the response was sent. */
class Deferred {
  readonly #start: (task: () => unknown) => void
  #queue: (() => unknown)[] | undefined = []

  constructor(start: (task: () => unknown) => void) {
    this.#start = start
  }

  add(task: () => unknown): void {
    if (this.#queue === undefined) this.#start(task)
    else this.#queue.push(task)
  }

  releaseAfter(sent: Promise<unknown>): void {
    const release = () => {
      const tasks = this.#queue ?? []
      this.#queue = undefined
      for (const task of tasks) this.#start(task)
    }
    sent.then(release, release)
  }
}
