import { setTimeout as sleep } from 'node:timers/promises'
import type { ExperimentItem } from '../contract/control-experiments.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { clientIdOf } from './app-named.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { onInterrupt } from './on-interrupt.ts'
import { printJson, printTable, say } from './output.ts'
import { type ControlOptions, readWholeNumber } from './read-options.ts'

export interface RunOptions extends ControlOptions {
  client?: string
  webhook?: string
  play?: true
  timeout?: string
}

/** Interval between two looks at the verdict. */
const restMs = 250

/**
 * Runs an experiment, waits for its verdict and prints it. Exits with 1 unless it is passed. However it ends, nothing of it
 * stays armed: the sandbox itself stops it when this process was killed.
 */
export async function runExperiment(id: string, options: RunOptions): Promise<void> {
  const seconds = readWholeNumber('--timeout', options.timeout ?? '60')
  const { call } = await connect(options)
  const { client, webhook, play } = options
  const clientId = await clientIdOf(call, client)
  const params = { id }
  const stop = () => call('DELETE experiments/:id/run', { params })
  let run: Promise<ExperimentItem> | undefined
  // Before it is armed, so that a signal at any moment stops it.
  const restore = onInterrupt(async () => {
    try {
      await run
      await stop()
    } catch {
      // Refused, or the sandbox is gone: nothing is armed.
    }
  })
  try {
    run = call('POST experiments/:id/run', {
      params,
      body: omitUndefined({ clientId, webhookId: webhook, play, isFollowed: true }),
    })
    let item = await run
    try {
      if (options.json !== true && item.verdict?.state === 'armed') say(item.verdict.text)
      const endsAt = performance.now() + 1000 * seconds
      while (isOpen(item) && performance.now() < endsAt) {
        await sleep(restMs)
        item = await call('GET experiments/:id', { params })
      }
    } catch (error) {
      await stop().catch(() => undefined)
      throw error
    }
    if (isOpen(item)) await stop()
    conclude(item, options, `after ${seconds} s, and was stopped`)
  } finally {
    restore()
  }
}

/** Prints the verdict so far. Exits with 1 unless it is passed. */
export async function showVerdict(id: string, options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  conclude(await call('GET experiments/:id', { params: { id } }), options)
}

function isOpen({ verdict }: ExperimentItem): boolean {
  return verdict?.state === 'armed' || verdict?.state === 'watching'
}

/** @param end of the sentence about an experiment that has no verdict yet */
function conclude(item: ExperimentItem, options: ControlOptions, end?: string): void {
  const { id, verdict } = item
  if (options.json === true) printJson(item)
  else if (verdict !== undefined) printTable([[verdict.state, verdict.text]])
  if (verdict?.state === 'passed') return
  const state = verdict === undefined ? 'was not run' : `is ${verdict.state}`
  const further = isOpen(item) && end !== undefined ? ` ${end}` : ''
  throw new CommandError(`Experiment ${id} ${state}${further}.`)
}
