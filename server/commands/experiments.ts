import { setTimeout as sleep } from 'node:timers/promises'
import type { ExperimentItem } from '../contract/control-experiments.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { clientIdOf } from './app-named.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection } from './connect.ts'
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

export async function listExperiments(options: ControlOptions): Promise<void> {
  const { items } = await (await connect(options)).call('GET experiments')
  if (options.json === true) return printJson(items)
  printTable(items.map(({ id, title, verdict }) => [id, title, verdict?.state ?? '']))
}

/** Runs an experiment, waits for its verdict and prints it. Exits with 1 unless it is passed. */
export async function runExperiment(id: string, options: RunOptions): Promise<void> {
  const timeoutMs = 1000 * readWholeNumber('--timeout', options.timeout ?? '60')
  const connection = await connect(options)
  const { client, webhook, play } = options
  const clientId = await clientIdOf(connection.call, client)
  let item = await connection.call('POST experiments/:id/run', {
    params: { id },
    body: omitUndefined({ clientId, webhookId: webhook, play }),
  })
  if (options.json !== true && item.verdict?.state === 'armed') say(item.verdict.text)
  const endsAt = Date.now() + timeoutMs
  while (isOpen(item) && Date.now() < endsAt) {
    await sleep(restMs)
    item = await find(connection, id)
  }
  conclude(item, options)
}

/** Prints the verdict so far. Exits with 1 unless it is passed. */
export async function showVerdict(id: string, options: ControlOptions): Promise<void> {
  conclude(await find(await connect(options), id), options)
}

export async function stopExperiment(id: string, options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  await call('DELETE experiments/:id/run', { params: { id } })
  if (options.json === true) printJson({})
}

function isOpen({ verdict }: ExperimentItem): boolean {
  return verdict?.state === 'armed' || verdict?.state === 'watching'
}

async function find({ call }: Connection, id: string): Promise<ExperimentItem> {
  const { items } = await call('GET experiments')
  const found = items.find((item) => item.id === id)
  if (found !== undefined) return found
  const known = items.map((item) => item.id).join(', ')
  throw new CommandError(`Unknown experiment ${id}. Use one of ${known}.`, { exitCode: 2 })
}

function conclude(item: ExperimentItem, options: ControlOptions): void {
  const { id, verdict } = item
  if (options.json === true) printJson(item)
  else if (verdict !== undefined) printTable([[verdict.state, verdict.text]])
  if (verdict?.state === 'passed') return
  const state = verdict === undefined ? 'was not run' : `is ${verdict.state}`
  throw new CommandError(`Experiment ${id} ${state}.`)
}
