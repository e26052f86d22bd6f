import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { giveBackSent } from '../../../server/http/sent-parts.ts'
import { readFileRange } from '../../../server/objects/passing-file.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const content = randomBytes(8_000_000)

/** A server that sends streams, and notes their parts. */
async function serve(open: () => Readable) {
  const parts: Buffer[] = []
  const app = fastify()
  app.get('/', (_request, reply) => {
    giveBackSent(reply.raw)
    const stream = open()
    stream.on('data', (part: Buffer) => parts.push(part))
    return reply.send(stream)
  })
  onTestFinished(() => app.close())
  return { app, url: new URL(await app.listen()), parts }
}

function fileOf(bytes: Buffer): string {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, bytes)
  return file
}

const kept = (parts: Buffer[]) => parts.filter(({ length }) => length >= 4096)

test('parts of a file are given back when they were sent, and not before', async () => {
  const file = fileOf(content)
  const { url, parts } = await serve(() => readFileRange(file))
  const answer = await fetch(url)
  const received: Uint8Array[] = []
  for await (const part of answer.body ?? []) {
    received.push(part)
    // As a client that is slower than the disk.
    if (received.length % 20 === 0) await sleep(1)
  }
  expect(content.equals(Buffer.concat(received))).toBe(true)
  await expect.poll(() => kept(parts)).toEqual([])
  expect(parts.length).toBeGreaterThan(100)
})

test('a part of a file is the same', async () => {
  const file = fileOf(content)
  const { app, url } = await serve(() => readFileRange(file, { start: 65_000, end: 200_001 }))
  const expected = content.subarray(65_000, 200_001)
  expect(expected.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true)
  expect(expected.equals((await app.inject('/')).rawPayload)).toBe(true)
})

test('bytes that somebody else has stay theirs', async () => {
  const own = Buffer.from(content)
  const { url } = await serve(() => Readable.from([own], { objectMode: false }))
  expect(content.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true)
  expect(content.equals(own)).toBe(true)
})

test('nothing happens to a server whose client leaves half-way', async () => {
  const file = fileOf(content)
  const { url } = await serve(() => readFileRange(file))
  const socket = connect(Number(url.port))
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  expect(content.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true)
})
