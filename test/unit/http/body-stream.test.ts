import { randomBytes } from 'node:crypto'
import fastify, { type FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { passingBody } from '../../../server/http/body-stream.ts'

const content = randomBytes(3_000_000)

/** A server that sends back what it reads, and notes what became of each part when it had the next one. */
function serve() {
  const left: number[] = []
  const app = fastify({ bodyLimit: 2 * content.length })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post('/', async (request: FastifyRequest) => {
    const copies: Buffer[] = []
    let last: Buffer | undefined
    for await (const part of passingBody(request)) {
      if (last !== undefined) left.push(last.length)
      copies.push(Buffer.from(part))
      last = part
    }
    return Buffer.concat(copies)
  })
  onTestFinished(() => app.close())
  return { app, left }
}

test('a body that passes gives back its memory part by part', async () => {
  const { app, left } = serve()
  const body = new Blob([content])
  const answer = await fetch(await app.listen(), { method: 'POST', body })
  expect(content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true)
  // What is small stays.
  expect(left.filter((bytes) => bytes >= 4096)).toEqual([])
  expect(left.length).toBeGreaterThan(10)
})

test('a body that is in the memory of whoever asks stays there', async () => {
  const { app } = serve()
  const payload = Buffer.from(content)
  const answer = await app.inject({ method: 'POST', url: '/', payload })
  expect(content.equals(answer.rawPayload)).toBe(true)
  expect(content.equals(payload)).toBe(true)
})
