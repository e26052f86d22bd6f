import { createHash } from 'node:crypto'
import { deviceCodeGrant, tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import type { SandboxApp } from '../../server/web/front-door.ts'
import { expect } from 'vitest'
import type { App } from '../../server/store/entities/oauth-entities.ts'

export const redirectUri = 'http://localhost:5173/callback'

/** 43 unreserved characters (RFC 7636 §4.1), and their challenge. */
export const verifier = 'the-verifier-of-the-tests-is-long-enough-43'
export const challenge = createHash('sha256').update(verifier).digest('base64url')
export const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

const codeGrant = {
  grant_type: 'authorization_code',
  redirect_uri: redirectUri,
  code_verifier: verifier,
}

const exchangeGrant = {
  grant_type: tokenExchangeGrant,
  subject_token_type: 'urn:service:token-type:user-email',
}

export interface Device {
  device_code: string
  user_code: string
}

/** Parameters by name; `undefined` leaves one out. */
export type Parameters = Record<string, string | undefined>

export function encode(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return new URLSearchParams(given).toString()
}

export function basic(app: Pick<App, 'id'>, secret: string): { authorization: string } {
  const pair = `${encodeURIComponent(app.id)}:${encodeURIComponent(secret)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Actions of a client program and its user, by `inject`. */
export function createOAuthClient(world: { readonly server: SandboxApp }) {
  const get = (url: string, headers: Record<string, string> = {}) =>
    world.server.inject({ method: 'GET', url, headers })

  const postForm = (url: string, form: Parameters | string, headers: Record<string, string> = {}) =>
    world.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: typeof form === 'string' ? form : encode(form),
    })

  const postJson = (url: string, payload: object, headers: Record<string, string> = {}) =>
    world.server.inject({ method: 'POST', url, headers, payload })

  /** @returns the session as a `Cookie` header */
  async function signIn(user: string, password?: string): Promise<{ cookie: string }> {
    const answer = await postForm('/login', { user, password })
    expect(answer.statusCode).toBe(303)
    const [cookie] = String(answer.headers['set-cookie']).split(';')
    return { cookie: cookie! }
  }

  const authorizeUrl = (parameters: Parameters) => `/oauth/authorize?${encode(parameters)}`

  /** Asks for a code as a program does that has the user's cookie, and gets it. */
  async function getCode(user: string, parameters: Parameters): Promise<string> {
    const answer = await postForm(
      authorizeUrl({ redirect_uri: redirectUri, ...parameters }),
      '',
      await signIn(user),
    )
    expect(answer.statusCode).toBe(303)
    const code = new URL(answer.headers.location!).searchParams.get('code')
    expect(code, `no code in ${answer.headers.location}`).not.toBeNull()
    return code!
  }

  const token = (form: Parameters | string, headers: Record<string, string> = {}) =>
    postForm('/oauth/token', form, headers)

  /** Exchanges a code with the verifier, unless the parameters have another one. */
  const redeem = (code: string, more: Parameters = {}, headers?: Record<string, string>) =>
    token({ ...codeGrant, code, ...more }, headers)

  const refresh = (refreshToken: string, more: Parameters = {}, headers?: Record<string, string>) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more }, headers)

  /** Exchanges the e-mail address of a member for a token (RFC 8693). */
  const exchange = (email: string, headers: Record<string, string>, more: Parameters = {}) =>
    token({ ...exchangeGrant, subject_token: email, ...more }, headers)

  const startDevice = async (form: Parameters | string) =>
    (await postForm('/oauth/device', form)).json<Device>()

  const poll = ({ device_code }: Pick<Device, 'device_code'>, more: Parameters) =>
    token({ grant_type: deviceCodeGrant, device_code, ...more })

  /** The whole sign-in of a public app. */
  async function signInTo(app: App, user: string, scope = 'openid profile') {
    const code = await getCode(user, { client_id: app.id, scope, ...pkce })
    const answer = await redeem(code, { client_id: app.id })
    expect(answer.statusCode).toBe(200)
    return answer.json<{ access_token: string; refresh_token: string; id_token?: string }>()
  }

  return {
    get,
    postForm,
    postJson,
    signIn,
    authorizeUrl,
    getCode,
    token,
    redeem,
    refresh,
    exchange,
    startDevice,
    poll,
    signInTo,
  }
}

/** Checks an error answer of an endpoint for programs (RFC 6749 §5.2). */
export function expectOAuthError(
  answer: {
    statusCode: number
    headers: Record<string, unknown>
    json(): unknown
  },
  status: number,
  error: string,
  description: RegExp = /\w/,
): void {
  expect(answer.json()).toEqual({ error, error_description: expect.stringMatching(description) })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
  })
}
