import { takeSlices } from '../core/slices.ts'
import { Refusal } from '../core/refusal.ts'
import { type Packet, PacketError, PacketReader } from './pkt-line.ts'

/** Commands of a fetch in protocol 2. */
const fetchCommands = ['ls-refs', 'fetch']

/** Supported filters. Not `sparse:oid`: it would read any object of the repo, reachable or not. */
const plainFilter = /^(?:blob:none|blob:limit=\d+[kmg]?|tree:\d+|object:type=[a-z]+)$/i

/** Request of a fetch, in protocol 0 or 2. */
export interface FetchQuestion {
  readonly wants: ReadonlySet<string>
  /** Unsupported filter. */
  readonly refusedFilter?: string
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
export async function readFetchQuestion(body: Iterable<Uint8Array>): Promise<FetchQuestion> {
  const wants = new Set<string>()
  let refusedFilter: string | undefined
  let isShallow = false
  for (const line of await linesOf(body)) {
    const command = /^command=(\S+)/.exec(line)?.[1]
    if (command !== undefined && !fetchCommands.includes(command)) {
      throw new Refusal('invalid', `Unknown command: ${command}`)
    }
    const id = /^want ([0-9a-f]{40})/.exec(line)?.[1]
    if (id !== undefined) wants.add(id)
    isShallow ||= deepening.test(line.trimEnd())
    const filter = /^filter (.*)/.exec(line)?.[1]
    if (filter !== undefined && !isFilter(filter)) refusedFilter = filter
  }
  return {
    wants,
    ...(isShallow && { isShallow }),
    ...(refusedFilter !== undefined && { refusedFilter }),
  }
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

async function linesOf(body: Iterable<Uint8Array>): Promise<string[]> {
  const reader = new PacketReader(streamOf(body))
  const lines: string[] = []
  // A few compressed kilobytes may contain megabytes of lines.
  const pause = takeSlices()
  for (let packet: Packet | undefined; (packet = await reader.next()) !== undefined;) {
    // Git would treat this as an internal error and abort.
    if (packet === 'response-end') throw new PacketError('only an answer ends with 0002')
    if (typeof packet !== 'string') lines.push(packet.toString())
    await pause()
  }
  return lines
}

async function* streamOf(chunks: Iterable<Uint8Array>) {
  yield* chunks
}
