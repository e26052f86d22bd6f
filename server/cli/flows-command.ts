import type { RequestItem } from '../contract/control-requests.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { listOfApp } from './app-named.ts'
import { connect, nextCommand } from './connect.ts'
import { flowLines, flowSummary } from './flow-lines.ts'
import { readListWords } from './list-words.ts'
import { nothingOf, withId } from './known.ts'
import { print, printJson, printJsonLine, printList, say, terminalWidth } from './output.ts'
import { kindOf } from './program/kinds.ts'
import { oneLine } from '../core/terminal-text.ts'
import { createPaint, type Paint, wantsColor } from './paint.ts'
import { type ListOptions, readLimit } from './read-options.ts'
import { shortenShown } from '../core/shown-width.ts'
import { type RequestFilters, tailRequests } from './tail-requests.ts'
import { wrap } from '../core/wrap.ts'
import { type HtmlOption, refuseHtml, writeReport } from './write-report.ts'

interface ColorOptions extends ListOptions {
  color?: boolean
}

export interface FlowsOptions extends ColorOptions {
  verbose?: boolean
  html?: HtmlOption
}

/** Minimum width of method and path. */
const leastTarget = 20

/** Default width of a line. */
const usualWidth = 100

/** Prints the sign-ins, newest last and so right above the prompt, or one of them step by step. */
export async function flows(words: readonly string[], options: FlowsOptions): Promise<void> {
  const { id: given, q } = readListWords(words)
  if (q !== undefined) refuseHtml(options, 'sign-in')
  const { call } = await connect(options)
  if (given !== undefined) {
    const ofSignIns = kindOf('sign-in', call)
    if (options.html !== undefined) {
      const report = await withId(given, ofSignIns, (id) =>
        call('GET flows/:id/report', { params: { id } }),
      )
      return writeReport(report, { ...options, html: options.html })
    }
    const flow = await withId(given, ofSignIns, (id) => call('GET flows/:id', { params: { id } }))
    if (options.json === true) return printJson(flow)
    const { verbose = false } = options
    const lines = flowLines(flow, { width: widthOf(), paint: paintOf(options), verbose })
    return print(lines.join('\n'))
  }
  const query = { limit: readLimit(options), ...omitUndefined({ q }) }
  const { items } = await call('GET flows', { query })
  const ordered = options.json === true ? items : items.toReversed()
  const next = nextCommand(['demo', 'sign-in', '--yes'], options)
  const none = q === undefined ? 'No sign-ins yet.' : 'No sign-in matches.'
  printList(options, ordered, flowSummary, `${none} Run a demo: ${next}`)
}

export interface RequestsOptions extends ColorOptions {
  client?: string
  user?: string
  method?: string
  path?: string
  status?: string
  refused?: boolean
  follow?: boolean
}

/** Prints the requests, newest last, with reasons for refusals; with `follow` also new ones. */
export async function requests(words: readonly string[], options: RequestsOptions): Promise<void> {
  const paint = paintOf(options)
  const limit = readLimit(options)
  const filters = filtersOf(words, options)
  if (options.follow === true) {
    const show = (item: RequestItem) =>
      options.json === true ? printJsonLine(item) : print(requestLine(item, paint, terminalWidth()))
    return tailRequests(options, { filters, client: options.client, limit, show })
  }
  const { call } = await connect(options)
  const items = await listOfApp(call, options.client, async (clientId) => {
    const query = { limit, ...filters, ...omitUndefined({ clientId }) }
    return (await call('GET requests', { query })).items
  })
  if (options.json === true) return printJson(items)
  if (items.length === 0) {
    const next = nextCommand(['demo', 'sign-in', '--yes'], options)
    return say(
      `${nothingOf('request', [options.client, ...Object.values(filters)])} Create some: ${next}`,
    )
  }
  for (const item of items.toReversed()) print(requestLine(item, paint, terminalWidth()))
}

function filtersOf(words: readonly string[], options: RequestsOptions): RequestFilters {
  const { user, method, path, status, refused } = options
  return {
    ...omitUndefined({ user, method, path, status }),
    ...(refused === true ? { refused: '1' } : {}),
    ...(words.length === 0 ? {} : { q: words.join(' ') }),
  }
}

/**
 * Renders a request: one line, in which a long path is shortened, and the reason for a refusal.
 * @param paint colours of the status
 * @param width columns of the terminal
 */
export function requestLine(item: RequestItem, paint: Paint, width = Infinity): string {
  const { at, method, path, status, durationMs, error, detail, flowId, user, app } = item
  const { faultChanges = [] } = item
  const isBad = (status === 0 || status >= 400) && item.expected !== true
  const colour = isBad ? 'red' : status >= 400 ? 'dim' : 'green'
  const who = [user?.username, app?.name].filter((name) => name !== undefined).join(' at ')
  const facts = [`${Math.round(durationMs)} ms`, who, flowId === undefined ? '' : `flow ${flowId}`]
  const end = facts.filter((fact) => fact !== '').join(', ')
  const shown = status === 0 ? 'cut' : String(status)
  const left = width - `${at} ${shown.padStart(3)}  ${oneLine(end)}`.length
  const target = shortenShown(oneLine(`${method} ${path}`), Math.max(left, leastTarget))
  const line = `${paint('dim', at)} ${paint(colour, shown.padStart(3))} ${target} ${paint('dim', oneLine(end))}`
  const reason = [error, detail].filter((text) => text !== undefined).join(': ')
  const changes = faultChanges.length === 0 ? '' : `changed by a fault: ${faultChanges.join('; ')}`
  const notes = [
    { text: reason, colour: error !== undefined && isBad ? 'red' : 'dim' },
    { text: changes, colour: 'yellow' },
  ] as const
  return [
    line,
    ...notes.flatMap(({ text, colour: style }) =>
      noteLines(oneLine(text), width).map((line) => `    ${paint(style, line)}`),
    ),
  ].join('\n')
}

function noteLines(text: string, width: number): string[] {
  if (text === '') return []
  return width === Infinity ? [text] : wrap(text, width - 4)
}

function paintOf(options: ColorOptions): Paint {
  return createPaint(wantsColor(options, process.stdout.isTTY, process.env))
}

function widthOf(): number {
  return process.stdout.columns || usualWidth
}
