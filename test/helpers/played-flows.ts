import { deviceCodeGrant, tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import { type Answer, type ControlWorld, exchangeClient, publicClient } from './control.ts'

/** Response of a token endpoint, granted or refused. */
export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  error?: string
}

export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** Plays clients and browsers at a sandbox, as far as the arrows of a drawing need them. */
export function playFlows({ call, hub }: Pick<ControlWorld, 'call' | 'hub'>) {
  const request = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: publicClient,
      redirect_uri: 'http://localhost/callback',
      response_type: 'code',
      scope: 'openid profile',
      state: 'xyz',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...changes,
    }).toString()

  /** From the authorization request to the consent page. */
  async function toConsent(changes: Record<string, string> = {}): Promise<{ cookie: string }> {
    const first = await hub('GET', `/oauth/authorize?${request(changes)}`)
    const login = pathOf(first)
    await hub('GET', login)
    const next = new URLSearchParams(login.slice(login.indexOf('?'))).get('next') ?? ''
    const signedIn = await hub('POST', '/login', { form: { user: 'alice', next } })
    const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? ''
    await hub('GET', pathOf(signedIn), { headers: { cookie } })
    return { cookie }
  }

  async function answer(
    { cookie }: { cookie: string },
    decision: 'approve' | 'deny',
    changes: Record<string, string> = {},
  ): Promise<URLSearchParams> {
    const path = `/oauth/authorize?${request(changes)}`
    const answered = await hub('POST', path, { headers: { cookie }, form: { decision } })
    return new URL(String(answered.headers['location'])).searchParams
  }

  const exchangeCode = (code: string, verifier = codeVerifier) =>
    hub<Tokens>('POST', '/oauth/token', {
      form: {
        grant_type: 'authorization_code',
        client_id: publicClient,
        code,
        redirect_uri: 'http://localhost/callback',
        code_verifier: verifier,
      },
    })

  const refresh = (refreshToken: string) =>
    hub<Tokens>('POST', '/oauth/token', {
      form: {
        grant_type: 'refresh_token',
        client_id: publicClient,
        refresh_token: refreshToken,
      },
    })

  const userinfo = (token: string) =>
    hub('GET', '/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } })

  async function startDevice(): Promise<{ userCode: string; poll: () => Promise<Answer<Tokens>> }> {
    const { body } = await hub<{ device_code: string; user_code: string }>(
      'POST',
      '/oauth/device',
      { form: { client_id: publicClient } },
    )
    const form = {
      grant_type: deviceCodeGrant,
      client_id: publicClient,
      device_code: body.device_code,
    }
    return { userCode: body.user_code, poll: () => hub('POST', '/oauth/token', { form }) }
  }

  const answerDevice = (userCode: string, decision = 'approve', user = 'bob') =>
    call('POST', `device/${userCode}`, { user, decision })

  const exchangeToken = (
    email: string,
    changes: Record<string, string> = {},
    secret = 'sandbox_exchange_secret',
    encode: (part: string) => string = encodeURIComponent,
  ) =>
    hub<Tokens>('POST', '/oauth/token', {
      form: {
        grant_type: tokenExchangeGrant,
        subject_token: email,
        subject_token_type: 'urn:service:token-type:user-email',
        ...changes,
      },
      headers: {
        authorization: `Basic ${btoa([exchangeClient, secret].map(encode).join(':'))}`,
      },
    })

  /** A whole sign-in. */
  async function signIn(changes: Record<string, string> = {}): Promise<Tokens> {
    const code = (await answer(await toConsent(changes), 'approve', changes)).get('code') ?? ''
    return (await exchangeCode(code)).body
  }

  return {
    request,
    toConsent,
    answer,
    exchangeCode,
    refresh,
    userinfo,
    startDevice,
    answerDevice,
    exchangeToken,
    signIn,
  }
}

/** RFC 6749 §2.3.1 as oauth4webapi has it, and Auth.js and openid-client with it: hyphens and underscores, too. */
export const encodeEverything = (part: string) =>
  part.replaceAll(/[^A-Za-z0-9]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function pathOf({ headers }: Answer<unknown>): string {
  const { pathname, search } = new URL(String(headers['location']), 'http://localhost')
  return `${pathname}${search}`
}
