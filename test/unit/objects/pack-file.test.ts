import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { array, assert, property, uint8Array } from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { adler32 } from '../../../server/objects/adler32.ts'
import { headBytes, readLooseHeader, unpackLoose } from '../../../server/objects/loose-object.ts'
import { packFile } from '../../../server/objects/pack-file.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const sumOfZlib = (bytes: Uint8Array) =>
  deflateSync(bytes).readUInt32BE(deflateSync(bytes).length - 4)

test('adds up as zlib does, in one part or in many (RFC 1950 §9)', () => {
  assert(
    property(array(uint8Array({ maxLength: 9000 }), { maxLength: 4 }), (parts) => {
      const sum = parts.reduce((before, part) => adler32(part, before), 1)
      expect(sum).toBe(sumOfZlib(Buffer.concat(parts)))
    }),
  )
  for (const byte of [0, 0xff]) {
    const bytes = Buffer.alloc(1_000_000, byte)
    expect(adler32(bytes)).toBe(sumOfZlib(bytes))
  }
})

async function pack(content: Buffer) {
  const folder = temporaryDirectory()
  const [source, packed] = [join(folder, 'source'), join(folder, 'packed')]
  writeFileSync(source, content)
  const handle = await open(source)
  onTestFinished(() => handle.close())
  const id = await packFile({ handle, size: content.length }, packed)
  return { id, packed, bytes: readFileSync(packed) }
}

const text = (bytes: number) => Buffer.alloc(bytes, 'of some length. ')
const mostStored = 65_535

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a byte', Buffer.from('a')],
  ['some blocks', randomBytes(3 * mostStored)],
  ['a byte less', randomBytes(3 * mostStored - 1)],
  ['a byte more', randomBytes(3 * mostStored + 1)],
  ['10 MiB', randomBytes(10 * 1024 * 1024)],
  ['a text', text(2_000_000)],
  ['a text behind what is dense', Buffer.concat([randomBytes(1_000_000), text(1_000_000)])],
])('packs %s as git does', async (_, content) => {
  const { id, bytes } = await pack(content)
  const header = `blob ${content.length}\0`
  expect(id).toBe(createHash('sha1').update(header).update(content).digest('hex'))
  expect(readLooseHeader(bytes.subarray(0, headBytes))).toMatchObject({ size: content.length })
  expect(unpackLoose(bytes, id).content.equals(content)).toBe(true)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  expect(() => unpackLoose(bytes, id)).toThrow('cannot be unpacked')
})

test('makes what can be smaller smaller, and nothing larger', async () => {
  const dense = randomBytes(1_000_000)
  expect(statSync((await pack(dense)).packed).size).toBeLessThan(dense.length * 1.001)
  // Each byte of it has 7 bits.
  const slack = Buffer.from(dense.map((byte) => byte & 0x7f))
  expect(statSync((await pack(slack)).packed).size).toBeLessThan(dense.length * 0.9)
  const half = Buffer.concat([dense, text(dense.length)])
  expect(statSync((await pack(half)).packed).size).toBeLessThan(dense.length * 1.02)
})
