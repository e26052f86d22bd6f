// Smallest Fastify program: a route that responds with JSON, and one that issues tokens, which it keeps.
import { randomBytes } from 'node:crypto'
import { parse } from 'node:querystring'
import fastify from 'fastify'
import { ready } from './child.mjs'

const app = fastify()
const tokens = new Map()
app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => done(null, parse(body.toString())),
)
app.get('/json', async () => ({ status: 'ok' }))
app.post('/token', async (request) => {
  const token = randomBytes(24).toString('base64url')
  tokens.set(token, request.body)
  return { access_token: token, token_type: 'bearer', expires_in: 28_800 }
})
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
