import type { Mistake } from './mistakes.ts'
import type { Key } from './verify-id-token.ts'

/** A failure that the app explains to its user. */
export class Explained extends Error {}

export interface HubOptions {
  issuer: string
  clientId: string
  clientSecret?: string
  redirectUri: string
  makes: (mistake: Mistake) => boolean
  /** Time after a read of the keys in which they are not read again. */
  keepsKeysMs: number
}

export interface Tokens {
  access_token?: string
  token_type?: string
  expires_in?: number
  refresh_token?: string
  id_token?: string
  scope?: string
}

const knownMetadata = /_(endpoint|supported|uri|documentation|required)$|^issuer$/
const knownMembers =
  'access_token token_type expires_in refresh_token id_token scope organization'.split(' ')

/** Requests of the example app to the hub. */
export function createHubClient(options: HubOptions) {
  const { issuer, clientId, clientSecret, redirectUri, makes, keepsKeysMs } = options
  let keys: readonly Key[] | undefined
  let readAt = 0
  let hasFailed = false
  let isBlocked = false

  async function readMetadata(): Promise<void> {
    const response = await request(`${issuer}/.well-known/openid-configuration`)
    const metadata = (await response.json()) as Record<string, unknown>
    if (metadata['issuer'] !== issuer && !makes('no-metadata-issuer-check')) {
      throw new Explained('The metadata of the Hub names another issuer.')
    }
    const isUnknown = (name: string) => !knownMetadata.test(name) || name.startsWith('unknown')
    if (makes('refuses-unknown-metadata') && Object.keys(metadata).some(isUnknown)) {
      throw new Explained('The metadata of the Hub has unknown members.')
    }
  }

  async function readKeys(again: boolean): Promise<readonly Key[]> {
    if (hasFailed) throw new Explained('The keys of the Hub could not be read.')
    if (keys !== undefined && (!again || makes('reads-keys-once'))) return keys
    if (keys !== undefined && Date.now() - readAt < keepsKeysMs) return keys
    const response = await request(`${issuer}/oauth/jwks`)
    if (!response.ok) {
      hasFailed = makes('remembers-failed-keys')
      throw new Explained('The keys of the Hub cannot be read now.')
    }
    const set = (await response.json()) as { keys: Key[] }
    const isUnknown = ({ kid }: Key) => !set.keys.some((key) => key.kid === kid)
    if (makes('requires-old-key') && keys?.some(isUnknown) === true) {
      throw new Explained('The Hub no longer has its old key.')
    }
    readAt = Date.now()
    return (keys = set.keys)
  }

  async function askForTokens(form: Record<string, string>): Promise<Tokens> {
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret }
    const isHasty = makes('breaks-when-slow')
    const response = await request(`${issuer}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, ...secret, ...form }),
      signal: AbortSignal.timeout(isHasty ? 4000 : 15_000),
    }).catch((error: unknown) => {
      throw isHasty && isTimeout(error) ? new TypeError('unexpected', { cause: error }) : error
    })
    if (!response.ok) throw new Explained(`The Hub refused with the status ${response.status}.`)
    return readJson<Tokens>(response)
  }

  return {
    readMetadata,
    readKeys,
    async redeem(code: string, verifier: string): Promise<Tokens> {
      const form = {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }
      if (isBlocked) {
        isBlocked = false
        throw new Explained('The Hub has failed before.')
      }
      const tries = makes('repeats-code') ? 4 : 1
      for (let tried = 1; ; tried += 1) {
        try {
          return checkTokens(await askForTokens(form), makes)
        } catch (error) {
          isBlocked = makes('blocks-after-failure') && !isRefusedResponse(error)
          if (tried >= tries) throw error
        }
      }
    },
    refresh: (refreshToken: string) =>
      askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    async userinfo(token: string): Promise<Record<string, unknown>> {
      const response = await call('/oauth/userinfo', token)
      if (!response.ok) throw new Explained('The Hub does not say who you are.')
      return readJson(response)
    },
    whoami: (token: string) => call('/api/whoami-v2', token),
    repos: (token: string) => call('/api/settings/repositories', token),
  }

  async function call(path: string, token: string): Promise<Response> {
    return request(`${issuer}${path}`, { headers: { authorization: `Bearer ${token}` } })
  }
}

/** A token response that the app does not accept. */
class RefusedResponse extends Explained {}

function isRefusedResponse(error: unknown): boolean {
  return error instanceof RefusedResponse
}

/** @throws {Explained} for a token response that the app cannot use */
function checkTokens(tokens: Tokens, makes: HubOptions['makes']): Tokens {
  const refuse = (reason: string) => {
    throw new RefusedResponse(`The response of the Hub ${reason}.`)
  }
  const { access_token: accessToken, token_type: type } = tokens
  if (accessToken === undefined && !makes('no-access-token-check')) refuse('has no access token')
  const isBearer = makes('requires-lower-case-type')
    ? type === 'bearer'
    : /^bearer$/i.test(type ?? '')
  if (!isBearer && !makes('no-token-type-check')) refuse('has no bearer token')
  const unknown = Object.keys(tokens).filter((name) => !knownMembers.includes(name))
  if (makes('refuses-unknown-members') && unknown.length > 0) refuse('has unknown members')
  if (makes('requires-refresh-token') && !tokens.refresh_token) refuse('has no refresh token')
  if (makes('requires-expiry') && !tokens.expires_in) refuse('has no expires_in')
  if (makes('limits-token') && (accessToken ?? '').length > 1000) refuse('has a long token')
  return tokens
}

async function request(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (cause) {
    throw new Explained('The Hub does not respond. Try again later.', { cause })
  }
}

/** Checks whether a request failed without a response. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Explained && error.cause !== undefined
}

function isTimeout(error: unknown): boolean {
  return error instanceof Explained && (error.cause as Error | undefined)?.name === 'TimeoutError'
}

async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T
  } catch {
    throw new Explained('The Hub sent something that is no JSON.')
  }
}
