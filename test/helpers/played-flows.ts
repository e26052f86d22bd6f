import { deviceCodeGrant, tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import { FlowDetail } from '../../server/contract/control-flows.ts'
import { FlowList } from '../../server/contract/control-requests.ts'
import type { StartedSession } from '../../server/contract/control-sign-in.ts'
import { type Answer, type ControlWorld, exchangeClient, publicClient } from './control.ts'

/** Response of a token endpoint, granted or refused. */
export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  error?: string
}

interface Device {
  device_code: string
  user_code: string
}

/** Verifier and challenge of RFC 7636, appendix B. */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' }

/** Plays clients and browsers at a sandbox, as far as the arrows of a drawing need them. */
export function playFlows({ call, hub, read }: ControlWorld) {
  const request = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: publicClient,
      redirect_uri: 'http://localhost/callback',
      response_type: 'code',
      scope: 'openid profile',
      state: 'xyz',
      ...pkce,
      ...changes,
    }).toString()

  /** Authorizes an app without a browser, by default the public one for alice. */
  const authorize = (changes: Record<string, unknown> = {}) =>
    call<{ redirectTo: string; message?: string }>('POST', 'authorize', {
      user: 'alice',
      ...Object.fromEntries(new URLSearchParams(request())),
      ...changes,
    })

  const authorizedCode = async (changes?: Record<string, unknown>) =>
    new URL((await authorize(changes)).body.redirectTo).searchParams.get('code') ?? ''

  /** Approves as a program that has the cookie of a user. */
  async function approve(user = 'alice', changes: Record<string, string> = {}): Promise<string> {
    const { body } = await call<StartedSession>('POST', 'sessions', { user })
    const cookie = `${body.name}=${body.value}`
    await hub('GET', `/oauth/authorize?${request(changes)}`, { headers: { cookie } })
    return (await answer({ cookie }, 'approve', changes)).get('code') ?? ''
  }

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

  /** A token request, by default of the public app. */
  const token = (form: Record<string, string>) =>
    hub<Tokens>('POST', '/oauth/token', { form: { client_id: publicClient, ...form } })

  const exchangeCode = (code: string, verifier = codeVerifier, app: Record<string, string> = {}) =>
    token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'http://localhost/callback',
      code_verifier: verifier,
      ...app,
    })

  const refresh = (refreshToken: string, changes: Record<string, string> = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes })

  const whoami = (bearer?: string) =>
    hub('GET', '/api/whoami-v2', bearer === undefined ? {} : { token: bearer })
  const userinfo = (bearer: string) => hub('GET', '/oauth/userinfo', { token: bearer })

  async function startDevice(more: Record<string, string> = {}) {
    const form = { client_id: publicClient, ...more }
    const { body } = await hub<Device>('POST', '/oauth/device', { form })
    const poll = () => token({ grant_type: deviceCodeGrant, device_code: body.device_code })
    return { userCode: body.user_code, deviceCode: body.device_code, poll }
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

  const flows = async () => (await read(FlowList, 'flows')).items

  /** The newest sign-in as it is drawn. */
  const newest = async () => read(FlowDetail, `flows/${(await flows())[0]?.id}`)

  /** A whole sign-in. */
  async function signIn(changes: Record<string, string> = {}): Promise<Tokens> {
    const code = (await answer(await toConsent(changes), 'approve', changes)).get('code') ?? ''
    return (await exchangeCode(code)).body
  }

  return {
    request,
    authorize,
    authorizedCode,
    approve,
    toConsent,
    answer,
    token,
    exchangeCode,
    refresh,
    whoami,
    userinfo,
    startDevice,
    answerDevice,
    exchangeToken,
    signIn,
    flows,
    newest,
  }
}

/** RFC 6749 §2.3.1 as oauth4webapi has it, and Auth.js and openid-client with it: hyphens and underscores, too. */
export const encodeEverything = (part: string) =>
  part.replaceAll(/[^A-Za-z0-9]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function pathOf({ headers }: Answer<unknown>): string {
  const { pathname, search } = new URL(String(headers['location']), 'http://localhost')
  return `${pathname}${search}`
}
