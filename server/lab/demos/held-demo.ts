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

/** The ways of a try to the sandbox that plays it. */
export interface DemoStage {
  /** Root of the sandbox, without a trailing slash. */
  readonly url: string
  readonly cast: Cast
  send(message: Message): Promise<Reply>
  openCallback?: NonNullable<Scene['openCallback']>
  /** The sign-in that a request was the first of: by the id that its answer had, or by its path. */
  findFlow(first: FirstRequest): string | undefined
}

export type FirstRequest = { requestId: string } | { path: string }

/** How long one may stand, whatever the clock of the sandbox does: a presenter moves that on purpose. */
export const lifetimeMs = 15 * 60_000

type HowItEnded = Pick<DemoItem, 'outcome' | 'explanation' | 'fix'>

/** Told to a script that is given up; nobody hears of it. */
class Dropped extends Error {}

/** A script under way: what was played, what comes next, and how it ended. */
export class HeldTry {
  readonly id: string
  readonly #deps: DemoDeps
  readonly #stage: DemoStage
  readonly #request: WholeRequest
  readonly #script: Script
  readonly #endsAt: number
  readonly #played: string[] = []
  readonly #dropping = new AbortController()
  readonly #dropped: Promise<never>
  #app: DemoItem['app'] = { clientId: '', name: '' }
  #user: string | undefined
  #device: DemoItem['device']
  #next: Cue | undefined
  #ending: HowItEnded | undefined
  #waiting: string | undefined
  #isPlaying = false
  #first: FirstRequest | undefined
  #flowId: string | undefined
  #tellWaiting: () => void = () => {}

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
    // Nothing may be waiting when it is given up.
    this.#dropped.catch(() => undefined)
    this.#script = scriptOf(this.#scene(), request)
  }

  describe(): DemoItem {
    const { kind, variant, pace, answeredBy } = this.#request
    if (this.#first !== undefined) this.#flowId ??= this.#stage.findFlow(this.#first)
    return {
      id: this.id,
      kind,
      pace,
      answeredBy,
      app: this.#app,
      played: [...this.#played],
      done: this.#ending !== undefined,
      ...this.#ending,
      endsAt: isoTime(this.#endsAt),
      ...omitUndefined({
        variant,
        user: this.#user,
        flowId: this.#flowId,
        waiting: this.#waiting,
        device: this.#device,
        next: this.#next && describeCue(this.#next),
      }),
    }
  }

  /**
   * Comes to the first cue, before any request.
   * @throws {Refusal} `invalid` when the sandbox lacks what it takes
   */
  async begin(): Promise<void> {
    await this.#step()
  }

  /**
   * Plays the next step, or all of them at once. Resolves sooner where somebody is waited for: it goes on by itself.
   * @throws {Refusal} `conflict` while it is being played, and when it has ended
   */
  async advance(): Promise<void> {
    if (this.#ending !== undefined) {
      throw new Refusal('conflict', 'It has ended; try another one.')
    }
    if (this.#isPlaying) {
      throw new Refusal('conflict', this.#waiting ?? 'Its step is being played; ask after that.')
    }
    const waits = new Promise<void>((resolve) => (this.#tellWaiting = resolve))
    await Promise.race([this.#play(), waits])
  }

  /** Gives it up: what is waited for is waited for no longer. */
  async drop(): Promise<void> {
    this.#dropping.abort()
    // The script lets go of what it holds.
    await this.#script.return({ outcome: 'refused', explanation: '' }).catch(() => undefined)
  }

  #scene(): Scene {
    const { clock, realTime } = this.#deps
    const { url, cast, openCallback } = this.#stage
    const { pace, answeredBy, decision, user, app: clientId } = this.#request
    return {
      url,
      cast,
      ids: this.#deps.ids.of('what a try sends'),
      pace,
      answeredBy,
      decision,
      ...omitUndefined({
        clientId,
        openCallback,
        user: user === undefined ? undefined : findUser(cast, user),
      }),
      send: (message) => this.#send(message),
      waitFor: (why, what) => this.#waitFor(why, what),
      pause: (ms) => new Promise((resolve) => realTime.after(ms, resolve)),
      realNow: () => clock.realNow(),
      plays: (player, who) => {
        this.#app = { clientId: player.clientId, name: player.name }
        // A person signs in as whom they like.
        this.#user = answeredBy === 'person' ? undefined : who?.username
      },
      shows: (code) => (this.#device = code && this.#describeCode(code)),
    }
  }

  async #send(message: Message): Promise<Reply> {
    this.#dropping.signal.throwIfAborted()
    const reply = await Promise.race([this.#stage.send(message), this.#dropped])
    this.#first ??= { requestId: String(reply.headers['x-request-id']) }
    return reply
  }

  async #waitFor<T>(why: string, what: Promise<T>): Promise<T> {
    this.#waiting = why
    this.#tellWaiting()
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

  /** To the next cue, or to the end. */
  async #step(): Promise<void> {
    const { done, value } = await this.#script.next()
    if (this.#next !== undefined) this.#played.push(this.#next.name)
    if (done === true) this.#end(value)
    else this.#await(value)
  }

  /** What a person does in a browser meanwhile need not be asked for. */
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
