import type { CommandResult } from '../uploads/pushes.ts'
import type { Refs } from '../../store/objects/object-store.ts'
import { sortedRefs } from './packed-refs.ts'
import { flushPacket, longestLine, packetOf } from './pkt-line.ts'
import { encodeRefText } from './ref-text.ts'

const capabilities =
  'report-status delete-refs side-band-64k quiet atomic ofs-delta object-format=sha1 agent=hub-sandbox'
const noId = '0'.repeat(40)

/** Side bands: the report for the client, and text for its user. */
const bands = { report: '\x01', words: '\x02' }

/**
 * Lists the refs that a push is compared with.
 * @see gitprotocol-pack "Reference Discovery", gitprotocol-http "Smart Server Response"
 */
export function advertiseReceivePack(refs: Refs): Buffer {
  const sorted = sortedRefs(refs)
  const lines = sorted.length === 0 ? [['capabilities^{}', noId] as const] : sorted
  return Buffer.concat([
    packetOf('# service=git-receive-pack\n'),
    flushPacket,
    ...lines.map(([ref, id], index) =>
      packetOf(index === 0 ? `${id} ${ref}\0${capabilities}\n` : `${id} ${ref}\n`),
    ),
    flushPacket,
  ])
}

/** Outcome of a push. */
export interface PushOutcome {
  /** Failure of unpacking. */
  readonly unpackProblem?: string
  readonly results: readonly CommandResult[]
  /** Lines for the user, which git shows after `remote:`. */
  readonly words?: readonly string[]
}

/**
 * Formats the response to a push by the client's capabilities.
 * @param client capabilities of the client
 * @see gitprotocol-pack "Report Status", gitprotocol-capabilities "side-band-64k"
 */
export function formatReport(
  { unpackProblem, results, words = [] }: PushOutcome,
  client: ReadonlySet<string>,
): Buffer {
  const report = !client.has('report-status')
    ? []
    : [
        packetOf(`unpack ${oneLine(unpackProblem ?? 'ok')}\n`),
        ...results.map(({ ref, problem }) =>
          packetOf(
            encodeRefText(
              problem === undefined ? `ok ${ref}\n` : `ng ${ref} ${oneLine(problem)}\n`,
            ),
          ),
        ),
        flushPacket,
      ]
  if (!client.has('side-band-64k')) return Buffer.concat(report)
  const shown = words.map((line) => `${line}\n`).join('')
  return Buffer.concat([
    ...inBand(bands.words, Buffer.from(shown)),
    ...inBand(bands.report, Buffer.concat(report)),
    flushPacket,
  ])
}

function inBand(band: string, bytes: Buffer): Buffer[] {
  const packets: Buffer[] = []
  const size = longestLine - 1
  for (let start = 0; start < bytes.length; start += size) {
    packets.push(packetOf(Buffer.concat([Buffer.from(band), bytes.subarray(start, start + size)])))
  }
  return packets
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 500)
}
