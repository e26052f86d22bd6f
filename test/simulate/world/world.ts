import type { ResolvedOptions } from '../../../server/app/config/options.ts'
import type { RunningSandbox, runSandbox } from '../../../server/app/run-sandbox.ts'
import { ProcessDied, type SimulatedDisk } from '../platform/disk.ts'
import { createRandom, type Random } from '../../../server/core/random.ts'
import { foreseen } from '../../fuzz/requests/message.ts'
import { DiskTrouble, namesTheDisk } from './disk-trouble.ts'
import { type Life, present, Scheduler } from '../platform/scheduler.ts'
import { Facts } from './facts.ts'
import { origin, simulatedMachine } from './machine.ts'
import { Network } from './network.ts'
import { machineFailure, Processes } from './processes.ts'
import { type InvariantName, Violation } from './violation.ts'

/** The product, loaded after the platform was replaced. */
export interface Product {
  readonly runSandbox: typeof runSandbox
  readonly options: ResolvedOptions
}

/** Response to a client. */
export interface Reply {
  readonly status: number
  readonly text: string
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, unknown>>
  readonly json: () => unknown
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Buffer
  /** Bearer token. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The connection ended without a response: the client does not know what the server has done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Time that a machine takes to start. Git, which counts in seconds, relies on it. */
const bootMs = 5000

/** Folder of the state on the simulated disk. */
export const dataFolder = '/simulated/data'

/** Life of the process, with its disk. */
export interface OwnLife extends Life {
  readonly disk: SimulatedDisk
}

/** What is left of a process that has ended: events that would happen, and open files. */
export interface Held {
  readonly waiting: readonly string[]
  readonly openDescriptors: number
}

interface Pending {
  readonly lose: () => void
}

/** A sandbox with its disk, receivers and clients, and what these know. */
export class World {
  readonly scheduler: Scheduler
  readonly network: Network
  readonly processes: Processes
  readonly facts = new Facts()
  disk: SimulatedDisk
  /** Chance of the present step. */
  random: Random
  /** Starts of the process so far. */
  starts = 0
  /** First thing found that must not be. */
  violation: Violation | undefined
  /** Whether the process has died in an operation of the disk. */
  isDead = false
  /** Times at which the disk refuses operations, so that failures are to be expected. */
  readonly trouble = new DiskTrouble()
  /** File with a flipped bit, which a failure must name. */
  damaged: string | undefined
  /** Whether the last start has left out the end of the journal. */
  hasLeftOut = false
  /** Lives of the process that have ended by a crash. */
  readonly crashes: { readonly kind: 'kill' | 'power cut'; readonly life: number }[] = []
  /** Responses and starts, in their order. */
  readonly log: string[] = []
  /** Chance of whatever happens at present. */
  readonly chance: Random
  readonly #product: Product
  readonly #pending = new Set<Pending>()
  readonly #work = new Set<Promise<void>>()
  #running: RunningSandbox | undefined
  /** Called when a client of this process has its first response. */
  #hasAnswered: () => void = () => undefined
  /** Whether it takes no more requests. */
  #isStopping = false
  #life: OwnLife | undefined

  constructor(
    product: Product,
    seed: string,
    newDisk: (scheduler: Scheduler, random: Random) => SimulatedDisk,
  ) {
    this.#product = product
    this.random = createRandom(seed)
    // The same object for all, so that a step gives them its chance.
    this.chance = {
      int: (below) => this.random.int(below),
      chance: (probability) => this.random.chance(probability),
      pick: (list) => this.random.pick(list),
    }
    this.scheduler = new Scheduler(this.chance, Date.UTC(2026, 0, 1), (error) => {
      if (!(error instanceof ProcessDied)) this.notePlight(String((error as Error).stack ?? error))
    })
    this.network = new Network(this.scheduler, this.chance)
    this.network.epoch = () => this.facts.epoch
    this.processes = new Processes(this.scheduler, this.chance, this.network)
    this.disk = newDisk(this.scheduler, this.chance)
  }

  /** The running sandbox. */
  get sandbox(): RunningSandbox {
    if (this.#running === undefined) throw new Error('the sandbox does not run')
    return this.#running
  }

  /** Whether the disk refuses operations, or has until just now. */
  get hasFaults(): boolean {
    return this.trouble.isFelt(this.scheduler.now)
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Work of clients that has not ended. */
  get openWork(): number {
    return this.#work.size
  }

  /** Notes that something is not true that must be; only the first counts. */
  fail(invariant: InvariantName, problem: string): void {
    this.violation ??= new Violation(invariant, problem)
  }

  /** Notes a warning or an error that nobody has handled. What a dead process does is lost. */
  notePlight(problem: string): void {
    const life = present.getStore()
    if (this.isDead || this.hasFaults || (life !== undefined && life !== this.#life)) return
    if (problem.includes(machineFailure)) return
    // The machine has no programs, and once an hour repos are pruned by one.
    if (problem.includes('spawn git ENOENT')) return
    // The start after a power cut says what it leaves out.
    if (problem.includes('that a power cut has spoiled')) {
      this.hasLeftOut = true
      return
    }
    this.fail('the process neither warns nor fails', problem)
  }

  /** Starts the process on what the disk has. */
  async start(): Promise<void> {
    this.starts += 1
    this.isDead = false
    this.hasLeftOut = false
    this.#isStopping = false
    const machine = simulatedMachine(this.network, this.processes, {
      newRunId: () => `run${this.starts}`,
      firstAnswer: new Promise((resolve) => {
        this.#hasAnswered = resolve
      }),
      answered: () => this.#answered(),
      hangUp: () => this.#hangUp(),
    })
    const life = { isOver: false, disk: this.disk }
    this.#life = life
    const starting = present.run(life, () =>
      this.#product.runSandbox(this.#product.options, {}, machine),
    )
    // The lock of a process that died while it wrote it is waited for.
    this.#running = await this.scheduler.until(starting, 20_000, () => this.isDead)
  }

  /**
   * Ends the process in an orderly way.
   * @param ms time that passes after it
   */
  async stop(ms = 0): Promise<Held> {
    const { sandbox } = this
    this.#isStopping = true
    const closing = this.#within(() => sandbox.close())
    await this.scheduler.until(closing, 60_000, () => this.isDead)
    const held = await this.rest(ms)
    if (!this.isDead) this.#leave()
    return held
  }

  /** Lets time pass, and returns what a process that has ended holds then. */
  async rest(ms: number): Promise<Held> {
    const lastMs = this.scheduler.now + ms
    while (this.scheduler.now < lastMs && (await this.scheduler.step(lastMs - this.scheduler.now)));
    const { waiting } = this.scheduler
    return { waiting, openDescriptors: this.disk.counts().openDescriptors }
  }

  /** Notes a violation if a process that has ended holds something. */
  checkRest({ waiting, openDescriptors }: Held, unfinished = 0): void {
    if (waiting.length + openDescriptors + unfinished === 0) return
    this.fail(
      'a stopped process holds nothing',
      `${waiting.join(', ') || 'no'} events, ${openDescriptors} open files, ${unfinished} unfinished files`,
    )
  }

  /** Ends the process in an orderly way, unless it dies meanwhile, and starts it again. */
  async restart(): Promise<void> {
    try {
      await this.stop()
      if (!this.isDead) await this.start()
    } catch (error) {
      if (!this.isDead && !(this.hasFaults && namesTheDisk(String(error)))) throw error
      this.isDead = true
    }
    if (this.isDead) await this.recover()
  }

  /** Ends the process at once, and starts it again on what is left. */
  async recover(kind: 'kill' | 'power cut' = 'kill'): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      this.crash(kind)
      try {
        await this.start()
        return
      } catch (error) {
        if (!this.isDead) {
          return this.fail('the sandbox starts on what a crash leaves', String(error))
        }
      }
    }
  }

  /** Lets the disk refuse some operations for a while. */
  breakDisk(fault: NonNullable<SimulatedDisk['fault']>, ms: number): void {
    const { disk } = this
    disk.fault = fault
    this.trouble.begin(this.scheduler.now)
    this.scheduler.after(ms, () => this.repairDisk(disk))
  }

  /** Lets the disk do all that it is asked for. */
  repairDisk(disk = this.disk): void {
    disk.fault = undefined
    if (disk === this.disk) this.trouble.end(this.scheduler.now, true)
  }

  /** Resolves when every request has its response. */
  async #answered(): Promise<void> {
    while (this.#pending.size > 0)
      await new Promise((resolve) => this.scheduler.after(1, () => resolve(undefined)))
  }

  /** Time of the sandbox. */
  now(): number {
    return this.sandbox.deps.clock.now()
  }

  /** Ends the process at once. */
  crash(kind: 'kill' | 'power cut'): void {
    const safe = this.trouble.safeUntil(this.scheduler.now)
    if (kind === 'power cut') this.facts.doubt(safe)
    this.network.doubt(safe)
    this.trouble.end(this.scheduler.now, false)
    this.log.push(kind)
    this.crashes.push({ kind, life: this.scheduler.died })
    this.disk = this.disk.crash(kind)
    this.#leave()
    if (kind === 'power cut') this.scheduler.now += bootMs
  }

  #within<T>(work: () => T): T {
    return this.#life === undefined ? work() : present.run(this.#life, work)
  }

  #leave(): void {
    if (this.#life !== undefined) this.#life.isOver = true
    this.#running = undefined
    this.scheduler.clear()
    this.#hangUp()
  }

  /** Ends all connections. */
  #hangUp(): void {
    for (const { lose } of this.#pending) lose()
  }

  /** Lets a client do something beside all else. */
  begin(name: string, work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        if (error instanceof ConnectionLost) return
        this.notePlight(`${name}: ${String((error as Error).stack ?? error)}`)
      })
      .finally(() => this.#work.delete(running))
    this.#work.add(running)
  }

  /** Sends a request. @throws {ConnectionLost} if the process dies before it has responded */
  send(path: string, sent: Sent = {}): Promise<Reply> {
    const running = this.#running
    const life = this.#life
    if (running === undefined || life === undefined || this.#isStopping)
      return Promise.reject(new ConnectionLost())
    const { method = 'GET', form, json, text, bytes, token, headers } = sent
    const payload = form === undefined ? (text ?? bytes) : new URLSearchParams(form).toString()
    const body = json === undefined ? payload : JSON.stringify(json)
    const sentAt = this.scheduler.now
    return new Promise<Reply>((resolve, reject) => {
      const pending: Pending = {
        lose: () => {
          this.#pending.delete(pending)
          reject(new ConnectionLost())
        },
      }
      this.#pending.add(pending)
      const request = {
        method,
        url: path,
        headers: {
          host: new URL(origin).host,
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { payload: body }),
      }
      const answering = this.#within(() => running.app.inject(request))
      answering.then(
        (response) => {
          // What a dead process has said never left it.
          if (this.isDead || life.isOver || !this.#pending.delete(pending)) return
          const { statusCode: status, body: found } = response
          this.#hasAnswered()
          this.log.push(`${method} ${path} ${status}`)
          this.scheduler.trace?.(`${method} ${path} ${status} ${found}`)
          const mayFail = this.trouble.isFelt(sentAt)
          const isNamed =
            (mayFail && namesTheDisk(found)) ||
            (this.damaged !== undefined && found.includes(this.damaged))
          if (status >= 500 && !foreseen.has(status) && !isNamed)
            this.fail(
              mayFail ? 'a refusal of the disk is named' : 'no request fails inside of the server',
              `${method} ${path} ${status} ${found}`,
            )
          // Nobody knows what of it is done.
          if (mayFail && status >= 400 && this.damaged === undefined)
            return reject(new ConnectionLost())
          const { headers: answered, rawPayload } = response
          resolve({
            status,
            text: found,
            bytes: rawPayload,
            headers: answered,
            json: () => JSON.parse(found),
          })
        },
        (error: Error) => {
          if (!this.isDead && !life.isOver && this.#pending.delete(pending)) reject(error)
        },
      )
    })
  }

  /** A request of the control API. */
  control(method: NonNullable<Sent['method']>, path: string, json?: unknown): Promise<Reply> {
    return this.send(`/_sandbox/api/${path}`, { method, ...(json !== undefined && { json }) })
  }
}
