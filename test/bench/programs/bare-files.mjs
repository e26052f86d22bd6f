// Smallest Fastify program for files: one route hashes and stores a body, one sends the file.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import fastify from 'fastify'
import { options, ready } from './child.mjs'

/** Path of the stored file. */
const { file } = options()

const app = fastify()
app.addContentTypeParser('*', (_request, _body, done) => done(null))
app.put('/file', async (request) => {
  const hash = createHash('sha256')
  await pipeline(
    request.raw,
    async function* (chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(file),
  )
  return { hash: hash.digest('hex') }
})
app.get('/file', (_request, reply) =>
  reply.header('content-length', statSync(file).size).send(createReadStream(file)),
)
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
