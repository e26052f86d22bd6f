// The smallest Fastify program: one route that answers JSON, one that reads a form, nothing else.
import { parse } from 'node:querystring'
import fastify from 'fastify'
import { options, ready } from './child.mjs'

/** The answers are handed in, so that both sides of a comparison send as much. */
const { answer = { status: 'ok' }, formAnswer = answer, formStatus = 200 } = options()

const app = fastify()
app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => done(null, parse(body.toString())),
)
app.get('/json', async () => answer)
app.post('/form', async (_request, reply) => reply.code(formStatus).send(formAnswer))
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
