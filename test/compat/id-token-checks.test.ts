import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../server/index.ts'
import { installPythonPackages } from '../helpers/python-client.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'

/** Checks each ID token as PyJWT and Authlib do by default, and prints why one is refused. */
const script = `
import json, os, urllib.request
import jwt
from authlib.jose import JsonWebKey, jwt as authlib_jwt
from authlib.oidc.core import CodeIDToken

issuer, audience = os.environ["ISSUER"], os.environ["AUDIENCE"]
jwks_uri = issuer + "/oauth/jwks"
keys = jwt.PyJWKClient(jwks_uri)
key_set = JsonWebKey.import_key_set(json.load(urllib.request.urlopen(jwks_uri)))
options = {"iss": {"value": issuer}, "aud": {"value": audience}}

def pyjwt(token):
    key = keys.get_signing_key_from_jwt(token).key
    jwt.decode(token, key, algorithms=["RS256"], audience=audience, issuer=issuer)

def authlib(token):
    claims = authlib_jwt.decode(token, key_set, claims_cls=CodeIDToken, claims_options=options)
    claims.validate(leeway=0)

def refusal(check, token):
    try:
        check(token)
    except Exception as error:
        return type(error).__name__

print(json.dumps([
    {check.__name__: refusal(check, token) for check in (pyjwt, authlib)}
    for token in json.loads(os.environ["TOKENS"])
]))
`

/**
 * Times as Spring Security checks them, with its default skew of 60 s: OidcIdTokenValidator.
 * @returns the claims that it would refuse
 */
function refusedBySpring(idToken: string): string[] {
  const { exp = 0, iat = Infinity } = decodeJwt(idToken)
  const now = Date.now() / 1000
  return [...(now - 60 > exp ? ['exp'] : []), ...(now + 60 < iat ? ['iat'] : [])]
}

let interpreter = ''
let obstacle: string | undefined
let sandbox: Sandbox
beforeAll(async () => {
  const installed = await installPythonPackages([
    'PyJWT==2.15.1',
    'Authlib==1.9.9',
    'cryptography==50.0.2',
  ])
  ;({ interpreter, obstacle } = installed)
}, 240_000)
beforeEach(async ({ skip }) => {
  skip(obstacle !== undefined, obstacle)
  sandbox = await startTestSandbox()
})

async function check(idTokens: readonly (string | undefined)[]) {
  const { stdout } = await promisify(execFile)(interpreter, ['-W', 'ignore', '-c', script], {
    env: {
      ...process.env,
      ISSUER: sandbox.url,
      AUDIENCE: defaultApps(sandbox).public.clientId,
      TOKENS: JSON.stringify(idTokens),
    },
    timeout: 60_000,
  })
  return JSON.parse(stdout) as { pyjwt: string | null; authlib: string | null }[]
}

async function refresh(token = '') {
  const answer = await fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: defaultApps(sandbox).public.clientId,
    }),
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id_token?: string }
}

describe('ID tokens as PyJWT, Authlib and Spring Security check them', () => {
  test.each(['8h', '30d'])('are accepted after clock advance %s', async (duration) => {
    const { id_token: before, refresh_token: token } = await sandbox.signIn({ user: 'alice' })
    await sandbox.clock.advance(duration)
    const { id_token: after } = await sandbox.signIn({ user: 'bob' })
    const { id_token: refreshed } = await refresh(token)
    const idTokens = [before, after, refreshed]
    const accepted = { pyjwt: null, authlib: null }
    expect(await check(idTokens)).toEqual([accepted, accepted, accepted])
    expect(idTokens.map((idToken = '') => refusedBySpring(idToken))).toEqual([[], [], []])
  })

  test('are refused as expired when the clock is a day behind real time', async () => {
    await sandbox.clock.set(new Date(Date.now() - 24 * 3_600_000))
    const { id_token: idToken = '' } = await sandbox.signIn({ user: 'alice' })
    expect(await check([idToken])).toEqual([
      { pyjwt: 'ExpiredSignatureError', authlib: 'ExpiredTokenError' },
    ])
    expect(refusedBySpring(idToken)).toEqual(['exp'])
  })
})
