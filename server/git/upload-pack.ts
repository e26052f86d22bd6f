import { Refusal } from '../core/refusal.ts'
import { type ObjectStore } from '../hub/git-objects.ts'
import { resolveRevision } from '../hub/revisions.ts'
import type { Repo } from '../state/entities/hub.ts'
import { type Packet, PacketError, PacketReader } from './pkt-line.ts'

/** The commands of protocol 2 that a fetch is made of. */
const fetchCommands = ['ls-refs', 'fetch']

/**
 * Looks at what a fetch asks for: git itself would hand out in protocol 2 any object that it has, also what no ref leads
 * to any more.
 * @param body of a request to `git-upload-pack`, in protocol 0 or 2
 * @returns the first id that is none of this repo, for git to be told
 * @throws {PacketError}
 * @throws {Refusal} `invalid` for a command that is no part of a fetch
 * @see gitprotocol-pack "Packfile Negotiation", gitprotocol-v2 "fetch"
 */
export async function findForeignWant(
  objects: ObjectStore,
  repo: Repo,
  body: Iterable<Uint8Array>,
): Promise<string | undefined> {
  const known = new Set(Object.values(repo.refs))
  for (const line of await linesOf(body)) {
    const command = /^command=(\S+)/.exec(line)?.[1]
    if (command !== undefined && !fetchCommands.includes(command)) {
      throw new Refusal('invalid', `The command ${command} is not known here`)
    }
    const id = /^want ([0-9a-f]{40})/.exec(line)?.[1]
    if (id !== undefined && !known.has(id) && !leadsTo(objects, repo, id)) return id
  }
  return undefined
}

function leadsTo(objects: ObjectStore, repo: Repo, id: string): boolean {
  try {
    resolveRevision(objects, repo, id)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

async function linesOf(body: Iterable<Uint8Array>): Promise<string[]> {
  const reader = new PacketReader(streamOf(body))
  const lines: string[] = []
  for (let packet: Packet | undefined; (packet = await reader.next()) !== undefined;) {
    // git takes its own end for a fault of its own, and aborts.
    if (packet === 'response-end') throw new PacketError('only an answer ends with 0002')
    if (typeof packet !== 'string') lines.push(packet.toString())
  }
  return lines
}

async function* streamOf(chunks: Iterable<Uint8Array>) {
  yield* chunks
}
