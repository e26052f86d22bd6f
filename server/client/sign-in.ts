import { createHash, randomBytes } from 'node:crypto'
import { omitUndefined } from '../core/omit-undefined.ts'
import { ownAgent } from '../core/own-agent.ts'
import type { ControlCall } from '../contract/control-call.ts'
import type { TokenResponse } from '../contract/control-types.ts'
import type { SignInOptions } from './sandbox-api.ts'
import type { SandboxServer } from './sandbox-server.ts'

/** Returns the default user: the first one of the state, who may not be in the fixtures. */
export async function defaultUser(call: ControlCall): Promise<string> {
  const { items } = await call('GET users', { query: { limit: 1 } })
  return requireFirst(items[0]?.username, 'the sandbox has no users')
}

/** The app of a Space has hosts instead of redirect URIs, and each loopback host is one of them. */
const spaceRedirectUri = 'http://localhost/'

/** Performs the authorization code flow with PKCE, as app and user. */
export async function signInToApp(
  server: Pick<SandboxServer, 'request'>,
  call: ControlCall,
  options: SignInOptions,
): Promise<TokenResponse> {
  const user = options.user ?? (await defaultUser(call))
  const { items: apps } = await call('GET apps', { query: { limit: 1000 } })
  const client = requireFirst(
    apps.find((candidate) =>
      options.clientId === undefined
        ? candidate.clientSecret === undefined && candidate.redirectUris.length > 0
        : candidate.clientId === options.clientId,
    ),
    options.clientId === undefined
      ? 'the sandbox has no public app with a redirect URI'
      : `unknown client id ${options.clientId}`,
  )
  const redirectUri = requireFirst(
    client.redirectUris[0] ?? (client.origin === 'space' ? spaceRedirectUri : undefined),
    'the app has no redirect URI',
  )
  const verifier = randomBytes(32).toString('base64url')
  const { redirectTo } = await call('POST authorize', {
    body: {
      user,
      client_id: client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...omitUndefined({ scope: options.scope, organizations: options.organizations }),
    },
  })
  const returned = new URL(redirectTo).searchParams
  const code = returned.get('code')
  if (code === null) {
    throw new Error(`${returned.get('error')}: ${returned.get('error_description') ?? redirectTo}`)
  }
  const answer = await server.request({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': ownAgent,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: client.clientId,
      code_verifier: verifier,
      ...omitUndefined({ client_secret: client.clientSecret }),
    }).toString(),
  })
  const body = answer.body as TokenResponse & { error?: string; error_description?: string }
  if (body.error !== undefined) throw new Error(`${body.error}: ${body.error_description}`)
  return body
}

function requireFirst<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem)
  return value
}
