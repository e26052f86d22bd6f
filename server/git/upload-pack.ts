import { takeSlices } from '../core/slices.ts'
import { Refusal } from '../core/refusal.ts'
import { type Packet, PacketError, PacketReader } from './pkt-line.ts'

/** The commands of protocol 2 that a fetch is made of. */
const fetchCommands = ['ls-refs', 'fetch']

/** What a fetch may leave out. Not `sparse:oid`: it would read any object of the repo, whether a ref leads there or not. */
const plainFilter = /^(?:blob:none|blob:limit=\d+[kmg]?|tree:\d+|object:type=[a-z]+)$/i

/** What a fetch asks for, in protocol 0 or 2. */
export interface FetchQuestion {
  readonly wants: ReadonlySet<string>
  /** A filter that is not possible here. */
  readonly refusedFilter?: string
  /** It says where history is to end: there may be nothing left then, or no such ref. */
  readonly isShallow?: true
}

/** Where history is to end, as a client of git asks for it. */
const deepening = /^deepen(?: [1-9]\d*|-since \d+|-not \S+)$/

/**
 * Reads what is to be looked at before git sees it: git itself would hand out in protocol 2 any object that it has, also
 * what no ref leads to any more.
 * @param body of a request to `git-upload-pack`
 * @throws {PacketError}
 * @throws {Refusal} `invalid` for a command that is no part of a fetch
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
 * @param ids of all that refs lead to; no more of them are taken than it needs
 * @returns the first that is wanted, and not among them
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
  // Compressed, a few kilobytes stand for megabytes of lines.
  const pause = takeSlices()
  for (let packet: Packet | undefined; (packet = await reader.next()) !== undefined;) {
    // git takes its own end for a fault of its own, and aborts.
    if (packet === 'response-end') throw new PacketError('only an answer ends with 0002')
    if (typeof packet !== 'string') lines.push(packet.toString())
    await pause()
  }
  return lines
}

async function* streamOf(chunks: Iterable<Uint8Array>) {
  yield* chunks
}
