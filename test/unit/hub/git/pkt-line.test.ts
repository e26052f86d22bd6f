import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  longestLine,
  type Packet,
  PacketReader,
  packetOf,
} from '../../../../server/hub/git/pkt-line.ts'

/** The same bytes in pieces of so many. */
function inPieces(bytes: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let start = 0; start < bytes.length; start += size) {
    pieces.push(bytes.subarray(start, start + size))
  }
  return pieces
}

async function readAll(bytes: Buffer, size = 65_536): Promise<Packet[]> {
  const reader = new PacketReader(Readable.from(inPieces(bytes, size)))
  const packets: Packet[] = []
  for (let packet; (packet = await reader.next()) !== undefined;) packets.push(packet)
  return packets
}

describe('pkt-lines (gitprotocol-common)', () => {
  test('the examples of the document are read', () => {
    expect(packetOf('a\n').toString()).toBe('0006a\n')
    expect(packetOf('a').toString()).toBe('0005a')
    expect(packetOf('foobar\n').toString()).toBe('000bfoobar\n')
    expect(packetOf('').toString()).toBe('0004')
  })

  test('a line has at most 65,520 bytes with its length', () => {
    expect(packetOf(Buffer.alloc(longestLine)).toString('latin1', 0, 4)).toBe('fff0')
    expect(() => packetOf(Buffer.alloc(longestLine + 1))).toThrow(TypeError)
  })

  test('lines are read as they were written, in any chunks', async () => {
    const line = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 500 }), async (lines, size) => {
        expect(await readAll(Buffer.concat(lines.map(packetOf)), size)).toEqual(lines)
      }),
      { numRuns: 50 },
    )
  })

  test('lines are distinguished from the markers between them', async () => {
    expect(await readAll(Buffer.from('0000000100020006a\n0004'))).toEqual([
      'flush',
      'delimiter',
      'response-end',
      Buffer.from('a\n'),
      Buffer.of(),
    ])
  })

  test('bytes after the lines are left unread', async () => {
    for (const size of [1, 7, 1000]) {
      const reader = new PacketReader(
        Readable.from(inPieces(Buffer.from('0005a0000PACK\0\x01'), size)),
      )
      expect(await reader.next()).toEqual(Buffer.from('a'))
      expect(await reader.next()).toBe('flush')
      expect((await buffer(reader.rest())).toString()).toBe('PACK\0\x01')
    }
  })

  test.each([
    ['zzzz', 'no length'],
    ['0x10', 'no length'],
    [' 005a', 'no length'],
    ['0003', 'cannot have the length'],
    ['00', 'within the length'],
    ['0010abc', 'within a line'],
  ])('%j is not valid', async (text, message) => {
    await expect(readAll(Buffer.from(text))).rejects.toThrow(message)
  })
})
