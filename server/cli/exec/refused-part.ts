import type { ControlCall } from '../../contract/control-call.ts'
import type { RequestItem } from '../../contract/control-requests.ts'
import { shortened } from '../../core/shortened.ts'
import { oneLine } from '../../core/terminal-text.ts'
import { allRequests } from '../../client/lists.ts'
import { nextCommand } from '../connect.ts'
import { gatherSegments } from './gather-segments.ts'
import type { RunPartMaker } from './run-part.ts'

/** Maximum number of kinds to print. */
const mostKinds = 10
/** Maximum length of a reason. */
const reasonLength = 300

/** Refused requests that differ only in names and other values. */
export interface RefusedKind {
  readonly key: string
  /** The first one: method, path, status and reason. */
  readonly text: string
  readonly count: number
}

/** Prints the refused requests at the end of a failed run, with their reasons: often one of them is the cause. */
export const refusedPart: RunPartMaker = {
  isWanted: () => true,
  async begin(run) {
    const { connection, isOwn, options } = run
    const seen = new Set(isOwn ? [] : (await readRefused(connection.call)).map(({ id }) => id))
    const gathered = gatherSegments(run, async ({ call }) => {
      const kinds = kindsOf((await readRefused(call)).filter(({ id }) => !seen.has(id)))
      return kinds.length === 0 ? undefined : kinds
    })
    return {
      async programEnded({ exitCode }) {
        const { segments } = await gathered()
        if (exitCode === 0) return undefined
        const kinds = joined(segments.flatMap(({ content }) => content))
        const next = isOwn
          ? 'To see each request, add --artifact FOLDER and open the report in it.'
          : `To see each request: ${nextCommand(['requests', '--refused'], { url: options.url ?? connection.url })}`
        for (const line of refusedLines(kinds, next)) run.print(line)
        return undefined
      },
    }
  },
}

/** Reads the refused requests of the log, oldest first, without those that were resent by hand or provoked by an audit. */
async function readRefused(call: ControlCall): Promise<RequestItem[]> {
  const items = await allRequests(call, { refused: true })
  return items.filter(({ resentFrom, audit }) => resentFrom === undefined && audit !== true)
}

/** Groups requests by kind, in the order of the first of each. */
export function kindsOf(
  items: readonly Pick<RequestItem, 'method' | 'path' | 'status' | 'error' | 'detail'>[],
): RefusedKind[] {
  return joined(
    items.map(({ method, path, status, error, detail }) => {
      const [route = ''] = path.split('?')
      const shown = status === 0 ? 'cut' : String(status)
      const reason = [error, detail].filter((text) => text !== undefined).join(': ')
      const text = `${method} ${route}  ${shown} ${shortened(oneLine(reason), reasonLength)}`
      const [endpoint = reason === '' ? route : ''] = /^\/(?:oauth|api)\/[^/]+/.exec(route) ?? []
      const key = `${method} ${endpoint} ${shown} ${withoutValues(reason)}`
      return { key, text: text.trimEnd(), count: 1 }
    }),
  )
}

/** Joins equal kinds of several segments. */
export function joined(kinds: readonly RefusedKind[]): RefusedKind[] {
  const byKey = new Map<string, RefusedKind>()
  for (const kind of kinds) {
    const { count = 0 } = byKey.get(kind.key) ?? {}
    byKey.set(kind.key, { ...(byKey.get(kind.key) ?? kind), count: count + kind.count })
  }
  return [...byKey.values()]
}

/** @param next how to see the requests themselves */
export function refusedLines(kinds: readonly RefusedKind[], next: string): string[] {
  if (kinds.length === 0) return []
  const shown = kinds.slice(0, mostKinds)
  const width = Math.max(...shown.map(({ count }) => String(count).length))
  const more = kinds.length - shown.length
  return [
    'Refused requests of this run, with their reasons:',
    ...shown.map(({ text, count }) => `  ${String(count).padStart(width)} × ${text}`),
    ...(more > 0 ? [`  and ${more} more kinds`] : []),
    next,
  ]
}

/** Removes what differs between two requests of one kind: names with a slash, URLs, ids and numbers. */
function withoutValues(text: string): string {
  return text.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '"').replaceAll(/\S*[/\d]\S*/g, '#')
}
