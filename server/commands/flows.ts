import type { RequestItem } from '../contract/control-requests.ts'
import { CommandError } from './command-error.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { flowLines, flowSummary } from './flow-lines.ts'
import { print, printJson, renderTable } from './output.ts'
import { createPaint, oneLine, type Paint, wantsColor } from './paint.ts'

interface ListOptions extends ConnectOptions {
  json?: boolean
  limit?: string
  color?: boolean
}

export interface FlowsOptions extends ListOptions {
  verbose?: boolean
}

/** Where nobody says how wide a line may be. */
const usualWidth = 100

/** The sign-ins, the newest last so that it stands above the prompt; or one of them, step by step. */
export async function flows(id: string | undefined, options: FlowsOptions): Promise<void> {
  const { call } = await connect(options)
  if (id !== undefined) {
    const flow = await call('GET flows/:id', { params: { id } })
    if (options.json === true) return printJson(flow)
    const { verbose = false } = options
    const lines = flowLines(flow, { width: widthOf(), paint: paintOf(options), verbose })
    return print(lines.join('\n'))
  }
  const { items } = await call('GET flows', { query: { limit: limitOf(options) } })
  if (options.json === true) return printJson(items)
  if (items.length === 0) {
    process.stderr.write('No sign-in yet. Play one: hub-sandbox demo sign-in --yes\n')
    return
  }
  print(renderTable(items.toReversed().map(flowSummary)))
}

export interface RequestsOptions extends ListOptions {
  client?: string
  user?: string
  method?: string
  path?: string
  status?: string
  refused?: boolean
}

/** The requests, the newest last; a refused one with the reason under it. */
export async function requests(options: RequestsOptions): Promise<void> {
  const { call } = await connect(options)
  const { client, user, method, path, status, refused } = options
  const { items } = await call('GET requests', {
    query: {
      limit: limitOf(options),
      ...(client === undefined ? {} : { clientId: client }),
      ...(user === undefined ? {} : { user }),
      ...(method === undefined ? {} : { method }),
      ...(path === undefined ? {} : { path }),
      ...(status === undefined ? {} : { status }),
      ...(refused === true ? { refused: '1' as const } : {}),
    },
  })
  if (options.json === true) return printJson(items)
  const paint = paintOf(options)
  for (const item of items.toReversed()) print(requestLine(item, paint))
}

/** @param paint colours of the status */
export function requestLine(item: RequestItem, paint: Paint): string {
  const { at, method, path, status, durationMs, error, detail, flowId, user, app } = item
  const colour = status === 0 || status >= 400 ? 'red' : 'green'
  const who = [user?.username, app?.name].filter((name) => name !== undefined).join(' at ')
  const facts = [`${Math.round(durationMs)} ms`, who, flowId === undefined ? '' : `flow ${flowId}`]
  const end = facts.filter((fact) => fact !== '').join(', ')
  const shown = status === 0 ? 'cut' : String(status)
  const line = `${paint('dim', at)} ${paint(colour, shown.padStart(3))} ${oneLine(`${method} ${path}`)} ${paint('dim', oneLine(end))}`
  if (error === undefined) return line
  const reason = detail === undefined ? error : `${error}: ${detail}`
  return `${line}\n    ${paint('red', oneLine(reason))}`
}

function limitOf({ limit = '100' }: ListOptions): number {
  const number = Number(limit)
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number
  throw new CommandError(`--limit must be a whole number from 1 to 1000, not ${limit}`, {
    exitCode: 2,
  })
}

function paintOf(options: ListOptions): Paint {
  return createPaint(wantsColor(options, process.stdout.isTTY, process.env))
}

function widthOf(): number {
  return process.stdout.columns ?? usualWidth
}
