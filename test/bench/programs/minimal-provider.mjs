// Provider that signs the same tokens, without checks, log or state on disk.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { parse } from 'node:querystring'
import fastify from 'fastify'
import { SignJWT } from 'jose'
import { options, ready } from './child.mjs'

const { page, claims, userinfo } = options()
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const codes = new Map()
const tokens = new Map()
const refreshTokens = new Map()
const random = () => randomBytes(24).toString('base64url')

/** @param {{ client_id: string, scope: string }} grant */
async function tokenResponse(grant) {
  const accessToken = random()
  const refreshToken = random()
  tokens.set(accessToken, grant)
  refreshTokens.set(refreshToken, grant)
  const response = {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: 28_800,
    scope: grant.scope,
    refresh_token: refreshToken,
  }
  if (!grant.scope.includes('openid')) return response
  const now = Math.floor(Date.now() / 1000)
  const hash = createHash('sha256').update(accessToken, 'ascii').digest()
  const idToken = await new SignJWT({
    ...claims,
    aud: grant.client_id,
    iat: now,
    exp: now + 3600,
    auth_time: now,
    at_hash: hash.subarray(0, 16).toString('base64url'),
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'minimal', typ: 'JWT' })
    .sign(privateKey)
  return { ...response, id_token: idToken }
}

const app = fastify()
app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => done(null, parse(body.toString())),
)
app.get('/oauth/authorize', (_request, reply) => reply.type('text/html').send(page))
app.post('/oauth/authorize', (request, reply) => {
  const query = /** @type {Record<string, string>} */ (request.query)
  const code = random()
  codes.set(code, query)
  return reply.redirect(`${query.redirect_uri}?code=${code}&state=${query.state}`, 303)
})
app.post('/oauth/token', async (request) => {
  const form = /** @type {Record<string, string>} */ (request.body)
  if (form.grant_type === 'authorization_code') {
    const grant = codes.get(form.code)
    codes.delete(form.code)
    return tokenResponse(grant)
  }
  const grant = refreshTokens.get(form.refresh_token)
  refreshTokens.delete(form.refresh_token)
  return tokenResponse(grant)
})
app.get('/oauth/userinfo', (request, reply) => {
  const grant = tokens.get(request.headers.authorization?.slice('Bearer '.length))
  return reply.code(grant === undefined ? 401 : 200).send(userinfo)
})
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
