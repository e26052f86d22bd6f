// Smallest Fastify program for a list and a stream: it serializes the same object, and sends the same events one by one.
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { options, ready } from './child.mjs'

/** Object of the list, and events of the stream. */
const { list, events } = options()

const app = fastify()
app.get('/list', async () => list)
app.post('/stream', (_request, reply) =>
  reply.type('text/event-stream').header('cache-control', 'no-cache').send(Readable.from(events)),
)
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
