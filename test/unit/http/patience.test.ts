import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { answerInTime, bodyInTime } from '../../../server/http/patience.ts'

/** A server that sends back what it reads, or endlessly what nobody reads. */
async function serve(patienceMs: number) {
  const outcomes: unknown[] = []
  const app = fastify()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post('/', async (request) => {
    try {
      return await buffer(bodyInTime(request, patienceMs))
    } catch (error) {
      outcomes.push(error)
      throw error
    }
  })
  app.get('/', (_request, reply) => {
    answerInTime(reply, patienceMs)
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536)
      })(),
    )
    endless.once('close', () => outcomes.push('given up'))
    return reply.send(endless)
  })
  const url = new URL(await app.listen())
  onTestFinished(() => app.close())
  const socket = connect(Number(url.port))
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  return { url, socket, outcomes }
}

const head = (method: string, more = '') => `${method} / HTTP/1.1\r\nhost: x\r\n${more}\r\n`

test('whoever stops sending is cut off', async () => {
  const { socket, outcomes } = await serve(50)
  socket.write(head('POST', 'content-type: x/y\r\ncontent-length: 9\r\n') + 'abc')
  await once(socket, 'close')
  await expect.poll(() => outcomes).toMatchObject([{ message: 'The body ended early' }])
})

test('whoever stops reading is cut off', async () => {
  const { socket, outcomes } = await serve(50)
  socket.pause()
  socket.write(head('GET'))
  await expect.poll(() => outcomes).toEqual(['given up'])
})

test('whoever goes on is not', async () => {
  const { url } = await serve(400)
  const slow = async function* () {
    for (const part of ['a', 'b', 'c']) {
      yield Buffer.from(part)
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  }
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'x/y' },
    body: Readable.toWeb(Readable.from(slow())) as never,
    duplex: 'half',
  } as RequestInit)
  expect(await answer.text()).toBe('abc')
})
