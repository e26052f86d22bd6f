import { setTimeout as sleep } from 'node:timers/promises'

export interface Work {
  /** How much has been done so far. */
  readonly count: () => number
  /** So much more is to be done at least. */
  readonly least: number
  /** Workers. They end when their sandbox is gone, and fail when it should not be. */
  readonly workers: readonly Promise<unknown>[]
}

/**
 * Waits for a time, and on a busy machine for as long as it takes until enough was done, and the next is on its way.
 * @throws whatever a worker does
 */
export async function untilWorked(ms: number, { count, least, workers }: Work): Promise<void> {
  const [started, before] = [performance.now(), count()]
  const waiting = async () => {
    await sleep(ms)
    if (count() - before >= least) return
    while (count() - before < least) await sleep(5)
    await sleep((Math.random() * (performance.now() - started)) / least)
  }
  await Promise.race([waiting(), Promise.all(workers)])
}
