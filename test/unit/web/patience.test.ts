import { connect } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { answerInTime } from '../../../server/web/patience.ts'

test('a client that stops reading its response is cut off', async () => {
  const outcomes: unknown[] = []
  const app = fastify()
  app.get('/', (_request, reply) => {
    answerInTime(reply, 50)
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
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => outcomes).toEqual(['given up'])
})
