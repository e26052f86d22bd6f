import type { DeliveryFacts, WebhookContext } from './handler.ts'
import type { Log } from './log.ts'
import { json, plainHeaders } from './rejection.ts'

export interface HandlerRunnerOptions {
  /** After how long a running handler is answered for with 202; false: never. In milliseconds. */
  autoAckMs: number | false
  log: Log
}

/** How long the hub waits for an answer. */
const senderTimeoutMs = 30_000

const goneMessage = 'The sender no longer waits for a response.'

/** Runs handlers, and everything that goes on after their answer. */
export class HandlerRunner {
  readonly #options: HandlerRunnerOptions
  readonly #pending = new Set<Promise<unknown>>()
  readonly #running = new Set<AbortController>()

  constructor(options: HandlerRunnerOptions) {
    this.#options = options
  }

  /**
   * Runs one handler.
   * @param whenSent resolves once the answer is on its way; deferred work waits for it
   * @returns its answer: 500 where it fails, 202 while it is still running
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

  /** Makes `idle` wait for work; hands the work back. */
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

  /** Tells all work that is still running to stop. */
  abort(): void {
    const reason = new Error('The receiver was closed.')
    for (const stop of this.#running) stop.abort(reason)
  }

  // Never rejects: an error of the handler is an answer, too.
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

  // Resolves to undefined when the handler is still running and is to be answered for.
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

/** Work put off until the answer has left. */
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
