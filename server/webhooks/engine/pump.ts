import { inBackground, type Report } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { Queues } from './queues.ts'

/** Starts what may be sent, in portions, so that other work has its turn. */
export interface Pump {
  run: () => void
  /** The same, and tells that something has come to an end. */
  goOn: () => void
  /** Starts nothing any more. */
  stop(): void
  /** The places that are taken do not count any more. */
  clear(): void
}

export interface PumpOptions {
  queues: Pick<Queues, 'take' | 'done'>
  realTime: Pick<RealTime, 'soon'>
  report: Report
  /** Takes a delivery through its next attempt; `undefined` when there is nothing to send. */
  start: (webhookId: string, deliveryId: string) => Promise<void> | undefined
  /** Told of a delivery that the sandbox itself failed on. */
  giveUp: (deliveryId: string, message: string) => void
  onProgress: () => void
}

const portion = 200

export function createPump(options: PumpOptions): Pump {
  const { queues, realTime, report } = options
  let isNextPortionPlanned = false
  let stopped = false
  let generation = 0

  function run(): void {
    if (isNextPortionPlanned || stopped) return
    for (let count = 0; count < portion; count++) {
      const next = queues.take()
      if (next === undefined) return
      begin(next.webhookId, next.deliveryId)
    }
    isNextPortionPlanned = true
    realTime.soon(() => {
      isNextPortionPlanned = false
      goOn()
    })
  }

  function goOn(): void {
    inBackground(report, 'sending deliveries', () => {
      run()
      options.onProgress()
    })
  }

  /** Takes one through its next attempt; whatever happens, the place it took is free again. */
  function begin(webhookId: string, deliveryId: string): void {
    const startedIn = generation
    function freePlace(): void {
      if (generation === startedIn) queues.done(webhookId)
    }
    inBackground(
      report,
      `delivery ${deliveryId}`,
      () => {
        const started = options.start(webhookId, deliveryId)
        if (started === undefined) freePlace()
        return started?.then(() => {
          freePlace()
          goOn()
        })
      },
      (message) => {
        freePlace()
        options.giveUp(deliveryId, message)
        goOn()
      },
    )
  }

  return {
    run,
    goOn,
    stop() {
      stopped = true
    },
    clear() {
      generation++
    },
  }
}
