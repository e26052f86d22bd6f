import type { WaitingDevice } from '../../contract/control-flows.ts'
import type { DemoItem } from '../../contract/control-demos.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { whyUnreachable } from '../../core/reach.ts'
import type { RealTime } from '../../core/real-time.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import { type Cast, findUser } from './cast.ts'
import type { Cue, Message, Reply, Scene, Script, ShownCode } from './scene.ts'
import { scriptOf } from './script.ts'
import type { WholeRequest } from './whole-request.ts'

export interface DemoDeps {
  readonly ids: Pick<Ids, 'of'>
  readonly clock: Pick<Clock, 'now' | 'realNow'>
  readonly realTime: RealTime
}

/** Access of a demo to the sandbox that plays it. */
export interface DemoStage {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  /** Whether the metadata announces `iss` in authorization responses (RFC 9207 §3). */
  readonly announcesIss: boolean
  readonly cast: Cast
  send(message: Message): Promise<Reply>
  openCallback?: NonNullable<Scene['openCallback']>
  openWebhook?: NonNullable<Scene['openWebhook']>
  /** Finds the sign-in that began with a request, by the id in its response or by its path. */
  findFlow(first: FirstRequest): string | undefined
}

export type FirstRequest = { requestId: string } | { path: string }

/** Lifetime of a demo in real time: a presenter may move the clock of the sandbox. */
export const lifetimeMs = 15 * 60_000

type HowItEnded = Pick<DemoItem, 'outcome' | 'explanation' | 'fix'>

/** Error that ends a dropped script; it is never reported. */
class Dropped extends Error {}

/** Running script: the steps played, the next step, and the outcome. */
export class HeldDemo {
  readonly id: string
  readonly #deps: DemoDeps
  readonly #stage: DemoStage
  readonly #request: WholeRequest
  readonly #script: Script
  readonly #endsAt: number
  readonly #played: string[] = []
  readonly #dropping = new AbortController()
  readonly #dropped: Promise<never>
  #app: DemoItem['app']
  #deliveryId: string | undefined
  #user: string | undefined
  #device: DemoItem['device']
  #next: Cue | undefined
  #ending: HowItEnded | undefined
  #waiting: string | undefined
  #isPlaying = false
  #first: FirstRequest | undefined
  #flowId: string | undefined
  #reportWaiting: () => void = () => {}

  /** @throws {Refusal} `invalid` when there is no such user */
  constructor(deps: DemoDeps, stage: DemoStage, request: WholeRequest) {
    this.#deps = deps
    this.#stage = stage
    this.#request = request
    this.id = deps.ids.of('try').objectId()
    this.#endsAt = deps.clock.realNow() + lifetimeMs
    this.#dropped = new Promise((_resolve, reject) => {
      this.#dropping.signal.addEventListener('abort', () => reject(new Dropped()))
    })
    // No caller may be waiting when the demo is dropped.
    this.#dropped.catch(() => undefined)
    this.#script = scriptOf(this.#scene(), request)
  }

  describe(): DemoItem {
    const { kind, variant, pace, answeredBy } = this.#request
    if (this.#first !== undefined) {
      this.#flowId = this.#stage.findFlow(this.#first) ?? this.#flowId
    }
    return {
      id: this.id,
      kind,
      pace,
      answeredBy,
      played: [...this.#played],
      done: this.#ending !== undefined,
      ...this.#ending,
      endsAt: isoTime(this.#endsAt),
      ...omitUndefined({
        variant,
        app: this.#app,
        user: this.#user,
        deliveryId: this.#deliveryId,
        flowId: this.#flowId,
        waiting: this.#waiting,
        device: this.#device,
        next: this.#next && describeCue(this.#next),
      }),
    }
  }

  /**
   * Runs to the first cue, before any request.
   * @throws {Refusal} `invalid` when the sandbox lacks a suitable app or user
   */
  async begin(): Promise<void> {
    await this.#step()
  }

  /**
   * Plays the next step, or all steps at once. Resolves early while the demo waits for a person; it continues by itself.
   * @throws {Refusal} `conflict` while it plays a step, and after its end
   */
  async advance(): Promise<void> {
    if (this.#ending !== undefined) {
      throw new Refusal('conflict', 'The demo has ended: start another one.')
    }
    if (this.#isPlaying) {
      throw new Refusal(
        'conflict',
        this.#waiting ?? 'The demo is playing a step: retry when the step is done.',
      )
    }
    const waits = new Promise<void>((resolve) => (this.#reportWaiting = resolve))
    await Promise.race([this.#play(), waits])
  }

  /** Drops the demo and cancels its waits. */
  async drop(): Promise<void> {
    this.#dropping.abort()
    // The script releases its callback server.
    await this.#script.return({ outcome: 'refused', explanation: '' }).catch(() => undefined)
  }

  #scene(): Scene {
    const { clock, realTime } = this.#deps
    const { url, announcesIss, cast, openCallback, openWebhook } = this.#stage
    const { pace, answeredBy, decision, user, app: clientId, scope } = this.#request
    return {
      url,
      issuer: url,
      announcesIss,
      cast,
      ids: this.#deps.ids.of('what a try sends'),
      pace,
      answeredBy,
      decision,
      ...omitUndefined({
        clientId,
        scope,
        openCallback,
        openWebhook,
        user: user === undefined ? undefined : findUser(cast, user),
      }),
      send: (message) => this.#send(message),
      waitFor: (why, what) => this.#waitFor(why, what),
      pause: (ms) => new Promise((resolve) => realTime.after(ms, resolve)),
      now: () => Math.min(clock.now(), clock.realNow()),
      realNow: () => clock.realNow(),
      plays: (player, who) => {
        this.#app = player && { clientId: player.clientId, name: player.name }
        // A person chooses the user.
        this.#user = answeredBy === 'person' ? undefined : who?.username
      },
      delivers: (deliveryId) => (this.#deliveryId = deliveryId),
      shows: (code) => (this.#device = code && this.#describeCode(code)),
    }
  }

  async #send(message: Message): Promise<Reply> {
    this.#dropping.signal.throwIfAborted()
    const reply = await Promise.race([this.#stage.send(message), this.#dropped])
    // A demo may sign in twice; the newer sign-in is shown.
    if (this.#first === undefined || message.path.startsWith('/oauth/authorize?')) {
      this.#first = { requestId: String(reply.headers['x-request-id']) }
    }
    return reply
  }

  async #waitFor<T>(why: string, what: Promise<T>): Promise<T> {
    this.#waiting = why
    this.#reportWaiting()
    try {
      return await Promise.race([what, this.#dropped])
    } finally {
      this.#waiting = undefined
    }
  }

  async #play(): Promise<void> {
    this.#isPlaying = true
    try {
      do await this.#step()
      while (this.#request.pace === 'at-once' && this.#ending === undefined)
    } catch (error) {
      const explanation = error instanceof Error ? error.message : String(error)
      this.#end({ outcome: 'failed', explanation })
    } finally {
      this.#isPlaying = false
    }
  }

  /** Runs to the next cue, or to the end. */
  async #step(): Promise<void> {
    const { done, value } = await this.#script.next()
    if (this.#next !== undefined) this.#played.push(this.#next.name)
    if (done === true) this.#end(value)
    else this.#await(value)
  }

  /** Continues without a call once a person has done the step in a browser. */
  #await(cue: Cue): void {
    this.#next = cue
    const { url, elsewhere } = cue
    if (elsewhere === undefined || url === undefined) return
    if (this.#request.answeredBy === 'person') this.#first = { path: pathOf(url) }
    void elsewhere.then(() => {
      if (this.#next === cue && !this.#isPlaying) void this.#play()
    })
  }

  #end(ending: HowItEnded): void {
    this.#next = undefined
    this.#ending = ending
  }

  #describeCode({ expiresIn, ...code }: ShownCode): WaitingDevice {
    return {
      ...code,
      expiresAt: isoTime(this.#deps.clock.now() + expiresIn * 1000),
      ...omitUndefined({ unreachable: whyUnreachable(code.verificationUri) }),
    }
  }
}

function describeCue({ name, explanation, url }: Cue): NonNullable<DemoItem['next']> {
  return { name, explanation, ...omitUndefined({ url }) }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
