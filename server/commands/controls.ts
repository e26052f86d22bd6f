import { omitUndefined } from '../core/omit-undefined.ts'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { MoveClockRequest } from '../contract/control-clock.ts'
import type { AddFaultRequest } from '../contract/control-faults.ts'
import { CommandError } from './command-error.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { print, printJson, renderTable } from './output.ts'
import { readOverride } from './overrides.ts'

/** Back to the fixtures, completely; snapshots stay. */
export async function reset(options: ConnectOptions): Promise<void> {
  const { call, url } = await connect(options)
  const { erasedRequests } = await call('POST reset')
  process.stderr.write(`${url} is back to its fixtures; ${erasedText(erasedRequests)}.\n`)
}

function erasedText(requests: number): string {
  return requests === 1
    ? '1 request is gone from its log'
    : `${requests} requests are gone from its log`
}

/** Reads the clock, after moving it where `move` says so. */
export async function clock(options: ConnectOptions, move?: MoveClockRequest): Promise<void> {
  const { call } = await connect(options)
  const reading = await (move === undefined
    ? call('GET clock')
    : call('POST clock', { body: move }))
  print(`${reading.now}${reading.frozen ? ' (frozen)' : ''}`)
}

export interface FaultOptions extends ConnectOptions {
  route?: string
  method?: string
  grantType?: string
  client?: string
  webhook?: string
  skip?: string
  times?: string
  delay?: string
  status?: string
  oauthError?: string
  body?: string
  set?: string[]
  remove?: string[]
  break?: string
}

/** Adds a rule that delays, refuses, breaks or changes answers, and prints its id. */
export async function addFault(options: FaultOptions): Promise<void> {
  const { call } = await connect(options)
  const { id, hints = [] } = await call('POST faults', { body: faultOf(options) })
  for (const hint of hints) process.stderr.write(`${hint}\n`)
  print(id)
}

export function faultOf(options: FaultOptions): AddFaultRequest {
  const { route, method, grantType, client, webhook } = options
  const { delay, oauthError, body, set, remove, break: broken } = options
  return {
    match: {
      ...omitUndefined({ route, method, grantType, clientId: client, webhookId: webhook }),
    },
    ...wholeNumbers(options),
    ...omitUndefined({ delay, oauthError, body }),
    ...(set === undefined ? {} : { set: Object.fromEntries(set.map(readOverride)) }),
    ...omitUndefined({ remove }),
    // The sandbox says which there are.
    ...(broken === undefined ? {} : { break: broken as 'reset' }),
  }
}

function wholeNumbers(options: FaultOptions): Pick<AddFaultRequest, 'skip' | 'times' | 'status'> {
  const numbers: Pick<AddFaultRequest, 'skip' | 'times' | 'status'> = {}
  for (const key of ['skip', 'times', 'status'] as const) {
    const text = options[key]
    if (text === undefined) continue
    if (!/^\d+$/.test(text)) {
      throw new CommandError(`--${key} must be a whole number, not ${text}`, { exitCode: 2 })
    }
    numbers[key] = Number(text)
  }
  return numbers
}

export async function listFaults(options: ConnectOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET faults')
  const rows = items.map(({ id, hits, createdAt: _createdAt, matches: _matches, ...rule }) => [
    id,
    `${hits} hits`,
    JSON.stringify(rule),
  ])
  if (rows.length > 0) print(renderTable(rows))
}

export async function clearFaults(options: ConnectOptions): Promise<void> {
  const { call } = await connect(options)
  await call('DELETE faults')
}

export async function createSnapshot(
  name: string | undefined,
  options: ConnectOptions,
): Promise<void> {
  const { call } = await connect(options)
  const created = await call('POST snapshots', { body: omitUndefined({ name }) })
  print(created.name)
}

export async function restoreSnapshot(name: string, options: ConnectOptions): Promise<void> {
  const { call, url } = await connect(options)
  const { erasedRequests } = await call('POST snapshots/:name/restore', { params: { name } })
  process.stderr.write(`${url} is back to ${name}; ${erasedText(erasedRequests)}.\n`)
}

export async function listSnapshots(options: ConnectOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET snapshots')
  const rows = items.map(({ name, createdAt, size }) => [name, createdAt, `${size} bytes`])
  if (rows.length > 0) print(renderTable(rows))
}

/** Prints a snapshot, or the present state, as a fixtures file. */
export async function exportSnapshot(
  name: string | undefined,
  options: ConnectOptions,
): Promise<void> {
  const { call } = await connect(options)
  printJson(
    await (name === undefined
      ? call('GET export')
      : call('GET snapshots/:name', { params: { name } })),
  )
}

/** Keeps a fixtures file as a snapshot; `restore` then goes there. */
export async function importSnapshot(
  file: string,
  options: ConnectOptions & { name?: string },
): Promise<void> {
  const fixtures = await readValue(file)
  const { call } = await connect(options)
  const created = await call('POST snapshots', {
    body: { ...omitUndefined({ name: options.name }), fixtures },
  })
  print(created.name)
}

async function readValue(file: string): Promise<unknown> {
  let text
  try {
    text = await readFile(file, 'utf8')
    if (!/^\.ya?ml$/i.test(extname(file))) return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, { exitCode: 2 })
  }
  const { parseYaml } = await import('../fixtures/parse-yaml.ts')
  const result = parseYaml(text)
  if ('problem' in result) throw new CommandError(`${file}: ${result.problem}`, { exitCode: 2 })
  return result.value
}
