import type { RefCommand } from '../uploads/pushes.ts'
import { PacketError, type PacketReader } from './pkt-line.ts'
import { decodeRefText } from './ref-text.ts'

/** Commands at the beginning of a push. */
export interface ReceiveRequest {
  readonly commands: readonly RefCommand[]
  /** Commits at the end of a shallow history, whose parents the client does not have. */
  readonly shallow: readonly string[]
  /** Capabilities of the client. */
  readonly capabilities: ReadonlySet<string>
}

/** Limit of commands; a push of every ref of a large repo has some thousands. */
const mostCommands = 50_000

const command = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)(?:\0([^\n]*))?\n?$/
const noId = '0'.repeat(40)

/**
 * Reads the commands of a push, which precede its pack.
 * @throws {PacketError} for an invalid command
 * @see gitprotocol-pack "Reference Update Request and Packfile Transfer"
 */
export async function readCommands(reader: PacketReader): Promise<ReceiveRequest> {
  const commands: RefCommand[] = []
  const shallow: string[] = []
  let capabilities = new Set<string>()
  for (;;) {
    const packet = await reader.next()
    if (packet === 'flush') return { commands, shallow, capabilities }
    if (packet === undefined) throw new PacketError('it ends before its commands do')
    const line = typeof packet === 'string' ? packet : decodeRefText(packet)
    const [, boundary] = /^shallow ([0-9a-f]{40})\n?$/.exec(line) ?? []
    if (boundary !== undefined) {
      shallow.push(boundary)
      if (shallow.length > mostCommands) throw new PacketError('its history has too many ends')
      continue
    }
    const [, oldId, newId, ref, extra] = command.exec(line) ?? []
    if (oldId === undefined || newId === undefined || ref === undefined) {
      throw new PacketError(`invalid command: ${JSON.stringify(line.slice(0, 100))}`)
    }
    if (commands.length === 0) capabilities = new Set(extra?.split(' ').filter(Boolean))
    commands.push({ ref, oldId: idOf(oldId), newId: idOf(newId) })
    if (commands.length > mostCommands) throw new PacketError('it has too many commands')
  }
}

function idOf(digits: string): string | null {
  return digits === noId ? null : digits
}
