import type {
  ProcessEnd,
  ProcessRequest,
  RunningProcess,
} from '../../../server/hub/jobs/run-process.ts'
import type { Random } from '../../../server/core/random.ts'
import { type Arrival, type Network, ofSecret } from './network.ts'
import { type Life, present, type Scheduler } from '../platform/scheduler.ts'

/** Image whose jobs are run; those of others are only recorded. */
export const image = 'python:3.12'

/** Error of the machine itself, which the product reports. */
export const machineFailure = 'the machine of the job has failed'

const success: ProcessEnd = { kind: 'exited', code: 0 }
const failure: ProcessEnd = { kind: 'exited', code: 1 }
const killed: ProcessEnd = { kind: 'killed', signal: 'SIGTERM' }

/** Ways in which a program ends by itself; the last ones only when they are killed, or too late. */
const manners = [
  'success',
  'success',
  'slow success',
  'failure',
  'not started',
  'broken machine',
  'endless',
  'endless',
] as const

/** Process of a job. */
export interface JobProcess {
  readonly jobId: string
  /** Variables that it was given, with the values of all its secrets. */
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  /** Life of the sandbox that has started it. */
  readonly life: Life | undefined
  isOver: boolean
  isKilled: boolean
  succeed: () => void
}

/** Processes of jobs. One for a delivery is a request to a receiver, too. */
export class Processes {
  all: JobProcess[] = []
  /** Whether each ends soon, and well. */
  isCalm = false
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #network: Network

  constructor(scheduler: Scheduler, random: Random, network: Network) {
    this.#scheduler = scheduler
    this.#random = random
    this.#network = network
  }

  /** Returns true while the sandbox that has started it waits for its end. */
  isRunning({ isOver, life }: JobProcess): boolean {
    return !isOver && life?.isOver !== true
  }

  /** Lets all end with success. */
  calm(): void {
    this.isCalm = true
    for (const process of this.all) {
      if (this.isRunning(process)) this.#scheduler.later('process', process.succeed)
    }
  }

  /** Returns the processes of a job that go on. */
  runningOf(jobId: string): JobProcess[] {
    return this.all.filter((one) => one.jobId === jobId && this.isRunning(one) && !one.isKilled)
  }

  run(request: ProcessRequest): RunningProcess {
    const { variables, timeoutMs, onLine } = request
    const process: JobProcess = {
      jobId: variables['JOB_ID'] ?? '',
      variables,
      secrets: JSON.parse(variables['JOB_SECRETS'] ?? '{}') as Record<string, string>,
      life: present.getStore(),
      isOver: false,
      isKilled: false,
      succeed: () => undefined,
    }
    this.all = [...this.all.filter((one) => this.isRunning(one)), process]
    const arrival = this.#arrivalOf(process)
    // Its attempt is recorded in the same turn.
    if (arrival !== undefined) queueMicrotask(() => this.#network.arrive(arrival))
    const scheduler = this.#scheduler
    const manner = this.isCalm ? 'success' : this.#random.pick(manners)
    let end: (end: ProcessEnd | Error) => void = () => undefined
    const timers: (() => void)[] = []
    const after = (ms: number, result: ProcessEnd) =>
      timers.push(scheduler.after(ms, () => end(result)))
    const ended = new Promise<ProcessEnd>((resolve, reject) => {
      end = (result) => {
        if (process.isOver) return
        process.isOver = true
        for (const cancel of timers) cancel()
        if (arrival !== undefined) {
          arrival.isOver = true
          arrival.endedAt = scheduler.now
          if (result === success && !process.isKilled) arrival.status = 200
        }
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
    })
    process.succeed = () => end(success)
    const ends = {
      success: () => scheduler.later('process', () => end(success)),
      'slow success': () => after(1 + this.#random.int(4000), success),
      failure: () => scheduler.later('process', () => end(failure)),
      'not started': () =>
        scheduler.later('process', () => end({ kind: 'not-started', message: 'no such program' })),
      'broken machine': () => scheduler.later('process', () => end(new Error(machineFailure))),
      endless: () => after(timeoutMs, { kind: 'timeout' }),
    }
    ends[manner]()
    scheduler.later('output', () => process.isOver || onLine('The work has begun.'))
    const atKill = this.#random.pick([killed, killed, success, new Error(machineFailure)])
    const isDeaf = this.#random.chance(0.2)
    return {
      end: ended,
      kill: () => {
        if (process.isOver) return
        process.isKilled = true
        if (isDeaf) after(2000, killed)
        else scheduler.later('kill', () => end(atKill))
      },
    }
  }

  #arrivalOf({ variables }: JobProcess): Arrival | undefined {
    const { WEBHOOK_SECRET, WEBHOOK_ID, WEBHOOK_PAYLOAD = '' } = variables
    if (WEBHOOK_SECRET === undefined || WEBHOOK_ID === undefined) return undefined
    const about = { receiver: 'job', ...ofSecret(WEBHOOK_SECRET), messageId: WEBHOOK_ID }
    return { ...about, body: WEBHOOK_PAYLOAD, epoch: this.#network.epoch(), isOver: false }
  }
}
