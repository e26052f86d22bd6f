import type { Outgoing } from '../../../server/web/outgoing/outgoing.ts'
import type { FetchedDocument } from '../../../server/web/outgoing/fetched-document.ts'
import type { OutgoingRequest, Sending, SendingResult } from '../../../server/web/outgoing/wire.ts'
import type { Random } from '../../../server/core/random.ts'
import { redirectUri } from './fixtures.ts'
import type { Scheduler } from '../platform/scheduler.ts'

/** Client ids that are the URLs of metadata documents. */
export const documentUrls = ['https://client.test/one', 'https://client.test/two']

/** Ways in which a receiver responds. */
export const manners = [
  'success',
  'refusal',
  'failure',
  'silence',
  'reset',
  'late success',
  'slow success',
] as const
export type Manner = (typeof manners)[number]

/** Request that a receiver got. */
export interface Arrival {
  /** Path of the URL, which names the receiver. */
  readonly receiver: string
  /** Name of the webhook, with which its secret begins. */
  readonly webhook: string
  readonly secret: string
  readonly messageId: string
  readonly body: string
  /** State of the sandbox to which it belongs. */
  readonly epoch: number
  /** Simulated time at which the attempt has ended, if the sandbox is sure to know it. */
  endedAt?: number
  /** Status of the response, if it has come in time. */
  status?: number
  /** Whether the attempt has ended. */
  isOver: boolean
}

/** The name of a webhook is the part of its secret that stays. */
export const nameIn = (secret: string) => secret.split('.')[0] ?? ''

export const ofSecret = (secret: string) => ({ webhook: nameIn(secret), secret })

/** Receivers of webhooks, at `http://receiver.test/<name>`. */
export class Network {
  readonly arrivals: Arrival[] = []
  /** Calls that a check looks at before anything else happens. */
  onArrival: (arrival: Arrival) => void = () => undefined
  epoch: () => number = () => 0
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #manners = new Map<string, Manner>()

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler
    this.#random = random
  }

  /** The sandbox may have forgotten the responses since a time: it may send these requests again. */
  doubt(since: number): void {
    for (const arrival of this.arrivals) {
      if ((arrival.endedAt ?? 0) > since) delete arrival.endedAt
    }
  }

  setManner(receiver: string, manner: Manner): void {
    this.#manners.set(receiver, manner)
  }

  /** Lets all receivers respond with success. */
  calm(): void {
    this.#manners.clear()
  }

  arrive(arrival: Arrival): void {
    this.arrivals.push(arrival)
    this.onArrival(arrival)
  }

  /** The network functions of a sandbox. */
  outgoing(): Outgoing {
    return {
      post: (request) => this.#post(request),
      isBlocked: () => false,
      findTargetProblem: () => undefined,
      fetchDocument: (url) => this.#fetch(url.href),
      visitPage: () => Promise.reject(new Error('nothing listens there')),
    }
  }

  /** Answers with the metadata document of a client, if all goes well. */
  #fetch(url: string): Promise<FetchedDocument> {
    const document = {
      client_id: url,
      client_name: 'Client with a document',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }
    const contentType = 'application/json'
    const isThere = documentUrls.includes(url) && this.#random.chance(0.8)
    const answer: FetchedDocument | undefined = isThere
      ? { status: 200, contentType, body: JSON.stringify(document) }
      : this.#random.pick([
          { status: 200, contentType, body: '{' },
          { status: 503, contentType: 'text/plain', body: '' },
          undefined,
        ])
    return new Promise((resolve, reject) => {
      this.#scheduler.later('document', () => {
        if (answer === undefined) reject(new Error('nothing listens there'))
        else resolve(answer)
      })
    })
  }

  #post(request: OutgoingRequest): Sending {
    const header = (name: string) => request.headers.find(([found]) => found === name)?.[1] ?? ''
    const receiver = new URL(request.url).pathname.slice(1)
    const arrival: Arrival = {
      receiver,
      ...ofSecret(header('X-Webhook-Secret')),
      messageId: header('Webhook-Id'),
      body: typeof request.body === 'string' ? request.body : '',
      epoch: this.epoch(),
      isOver: false,
    }
    this.arrive(arrival)
    const startedAt = this.#scheduler.now
    let end: (result: Partial<SendingResult>) => void = () => undefined
    const result = new Promise<SendingResult>((resolve) => {
      end = (part) => {
        if (arrival.isOver) return
        arrival.isOver = true
        arrival.endedAt = this.#scheduler.now
        const durationMs = this.#scheduler.now - startedAt
        resolve({ durationMs, timings: { waitMs: durationMs }, ...part })
      }
    })
    const respond = (status: number) => {
      if (!arrival.isOver) arrival.status = status
      const isSuccess = status < 300
      end({
        status,
        response: { status, headers: [], body: '', encoding: 'utf-8', size: 0, truncated: false },
        ...(isSuccess
          ? {}
          : { error: { class: 'http_status', message: `responded with ${status}` } }),
      })
    }
    const deadline = () =>
      end({ error: { class: 'timeout', message: 'no response within the deadline' } })
    const { deadlineMs } = request
    const manner = this.#manners.get(receiver) ?? 'success'
    const after = (ms: number, act: () => void) => this.#scheduler.after(ms, act)
    const acts: Record<Manner, () => unknown> = {
      success: () => this.#scheduler.later('response', () => respond(200)),
      refusal: () =>
        this.#scheduler.later('response', () => respond(this.#random.pick([400, 401, 404, 410]))),
      failure: () =>
        this.#scheduler.later('response', () => respond(this.#random.pick([500, 502, 503, 429]))),
      silence: () => after(deadlineMs, deadline),
      reset: () =>
        this.#scheduler.later('reset', () =>
          end({ error: { class: 'connection_reset', message: 'the connection was reset' } }),
        ),
      'late success': () => {
        after(deadlineMs, deadline)
        after(deadlineMs + 1000, () => respond(200))
      },
      'slow success': () => after(deadlineMs - 1, () => respond(200)),
    }
    acts[manner]()
    return { result, abort: (error) => end({ error }) }
  }
}
