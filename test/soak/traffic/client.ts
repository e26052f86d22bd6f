import { Agent, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { text as textOf } from 'node:stream/consumers'
import { messageOf } from '../../../server/core/background.ts'
import type { Receivers } from '../receivers.ts'

/** Longer than what a fault may delay. */
const patienceMs = 10_000

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Request {
  headers?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  token?: string
}

/** Unexpected response, maybe because of another client's fault, clock move or reset. */
export class Unexpected extends Error {}

/** Sends the requests of all clients, at one rate. */
export class Client {
  readonly url: string
  readonly receivers: Receivers
  readonly random: () => number
  readonly #intervalMs: number
  readonly #agent = new Agent({ keepAlive: true })
  #dueAt = 0
  #names = 0
  sent = 0
  /** Answers of the sandbox that only a mistake of its own explains. */
  readonly serverErrors: string[] = []

  constructor(url: string, receivers: Receivers, rate: number, random: () => number) {
    this.url = url
    this.receivers = receivers
    this.random = random
    this.#intervalMs = 1000 / rate
  }

  /** A name that nothing has had before. */
  newName(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.random() * choices.length)] ?? choices[0]
  }

  /** Waits until a request more is due. */
  async turn(): Promise<void> {
    const now = performance.now()
    this.#dueAt = Math.max(now, this.#dueAt + this.#intervalMs)
    this.sent += 1
    if (this.#dueAt > now) await sleep(this.#dueAt - now)
  }

  async request(method: string, path: string, request: Request = {}): Promise<Answer> {
    await this.turn()
    return this.requestAtOnce(method, path, request)
  }

  /** A request beside the rate. */
  async requestAtOnce(method: string, path: string, request: Request = {}): Promise<Answer> {
    const { form, json, token } = request
    const headers = { ...request.headers }
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`
    let body: string | undefined
    if (form !== undefined) {
      headers['content-type'] = 'application/x-www-form-urlencoded'
      body = new URLSearchParams(form).toString()
    } else if (json !== undefined) {
      headers['content-type'] = 'application/json'
      body = JSON.stringify(json)
    }
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    const answer = await this.#send(method, new URL(path, this.url), headers, body)
    const { status, text } = answer
    if (status === 500) this.serverErrors.push(`${method} ${path}: ${text.slice(0, 300)}`)
    return answer
  }

  /** Closes the connections that are kept for the next request. */
  hangUp(): void {
    this.#agent.destroy()
  }

  /** Not `fetch`: what it keeps open is nobody's to close. */
  #send(
    method: string,
    url: URL,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(patienceMs)
    return new Promise<Answer>((resolve, reject) => {
      const request = sendRequest(url, { method, headers, agent: this.#agent, signal })
      request.on('error', reject)
      request.on('response', (response) => {
        const { statusCode: status = 0, headers } = response
        textOf(response).then((text) => resolve({ status, headers, text }), reject)
      })
      request.end(body)
    }).catch((error: unknown) => {
      throw new Unexpected(`${method} ${url.pathname}: ${messageOf(error)}`, { cause: error })
    })
  }

  /** A request that is answered with JSON, or with nothing. @throws {Unexpected} */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    request: Request = {},
  ): Promise<T> {
    const answer = expectStatus(await this.request(method, path, request), [200, 201, 202, 204])
    return (answer.text === '' ? {} : JSON.parse(answer.text)) as T
  }

  /** A call of the control API. @throws {Unexpected} */
  control<T = Record<string, unknown>>(method: string, path: string, json?: unknown): Promise<T> {
    return this.call<T>(method, `/_sandbox/api/${path}`, json === undefined ? {} : { json })
  }
}

/** @throws {Unexpected} */
export function expectStatus(answer: Answer, statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer
  throw new Unexpected(`${answer.status} ${answer.text.slice(0, 200)}`)
}

/** Session of a client: a few requests. */
export type Act = (client: Client) => Promise<void>
