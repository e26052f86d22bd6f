import { Refusal } from '../../core/refusal.ts'
import { PacketError, packetsOf } from './pkt-line.ts'

/** Commands of a fetch in protocol 2. */
const fetchCommands = ['ls-refs', 'fetch']

/**
 * Most lines of a request. Git names each missing file of a partial clone, and of a long history a few thousand commits
 * that it has; a few compressed kilobytes could name far more.
 */
const mostLines = 65_536

/** Supported filters. Not `sparse:oid`: it would read any object of the repo, reachable or not. */
const plainFilter = /^(?:blob:none|blob:limit=\d+[kmg]?|tree:\d+|object:type=[a-z]+)$/i

/** Request of a fetch, in protocol 0 or 2. */
export interface FetchQuestion {
  readonly wants: ReadonlySet<string>
  /** Why the request is refused, for git's user. */
  readonly problem?: string
  /** The request limits the history, so it may find nothing, or an unknown ref. */
  readonly isShallow?: true
}

/** Limit of the history in a request. */
const deepening = /^deepen(?: [1-9]\d*|-since \d+|-not \S+)$/

/**
 * Reads the parts of a request that are checked before git runs: in protocol 2, git would return any object, even unreachable ones.
 * @param body of a request to `git-upload-pack`
 * @throws {PacketError}
 * @throws {Refusal} `invalid` for other commands than those of a fetch
 * @see gitprotocol-pack "Packfile Negotiation", gitprotocol-v2 "fetch"
 */
export function readFetchQuestion(body: Buffer): FetchQuestion {
  const wants = new Set<string>()
  let problem: string | undefined
  let isShallow = false
  let count = 0
  for (const packet of packetsOf(body)) {
    // Git would treat this as an internal error and abort.
    if (packet === 'response-end') throw new PacketError('only an answer ends with 0002')
    if (typeof packet === 'string') continue
    if (++count > mostLines) {
      const most = mostLines.toLocaleString('en')
      return {
        wants: new Set(),
        problem: `a request can have at most ${most} lines (wants and haves)`,
      }
    }
    const line = packet.toString()
    const command = /^command=(\S+)/.exec(line)?.[1]
    if (command !== undefined && !fetchCommands.includes(command)) {
      throw new Refusal('invalid', `Unknown command: ${command}`)
    }
    const id = /^want ([0-9a-f]{40})/.exec(line)?.[1]
    if (id !== undefined) wants.add(id)
    isShallow ||= deepening.test(line.trimEnd())
    const filter = /^filter (.*)/.exec(line)?.[1]
    if (filter !== undefined && !isFilter(filter)) problem = `filter '${filter}' not supported`
  }
  return { wants, ...(isShallow && { isShallow }), ...(problem !== undefined && { problem }) }
}

/** @see git-rev-list(1) `--filter` */
function isFilter(text: string): boolean {
  const [, parts] = /^combine:(.+)$/.exec(text) ?? []
  return parts === undefined
    ? plainFilter.test(text)
    : parts.split('+').every((part) => plainFilter.test(part.replaceAll(/%3a/gi, ':')))
}

/**
 * @param ids reachable ids, read as far as needed
 * @returns the first want that is not among them
 */
export async function findForeignWant(
  wants: ReadonlySet<string>,
  ids: AsyncIterable<string>,
): Promise<string | undefined> {
  const open = new Set(wants)
  for await (const id of ids) if (open.delete(id) && open.size === 0) return undefined
  return [...open][0]
}
