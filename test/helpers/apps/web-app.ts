import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHubClient, Explained, isUnreachable, type Tokens } from './hub-client.ts'
import type { Mistake } from './mistakes.ts'
import { verifyIdToken } from './verify-id-token.ts'

/**
 * Source of the app's user data. `drops-foreign-userinfo`: signs in by the ID token alone if userinfo is about another
 * user, as mod_auth_openidc does. `reads-keys-seldom`: reads the keys again 30 s after the last time at the earliest, as
 * `createRemoteJWKSet()` of jose does.
 */
export type Shape =
  | 'both'
  | 'claims-only'
  | 'userinfo-only'
  | 'drops-foreign-userinfo'
  | 'reads-keys-seldom'

export interface WebAppOptions {
  issuer: string
  clientId: string
  clientSecret?: string
  mistakes?: readonly Mistake[]
  shape?: Shape
}

export interface WebApp {
  /** Page that starts a sign-in. */
  loginUrl: string
  /** Responds with 200 for signed-in users, and with 401 for others. */
  whoamiUrl: string
  /** Calls the hub for the signed-in user. */
  useUrl: string
  close(): Promise<void>
}

interface Pending {
  state: string
  nonce: string
  verifier: string
}

interface Session {
  pending?: Pending
  user?: string
  tokens?: Tokens
  refreshing?: Promise<void>
}

type Claims = Readonly<Record<string, unknown>>

interface Page {
  status: number
  text: string
  location?: string
}

/** A small web app that signs users in with the hub, without mistakes or with chosen ones. */
export async function startWebApp(options: WebAppOptions): Promise<WebApp> {
  const { issuer, clientId, clientSecret, shape = 'both' } = options
  const makes = (mistake: Mistake) => (options.mistakes ?? []).includes(mistake)
  const readsIdToken = shape !== 'userinfo-only' && !makes('ignores-id-token')
  const sessions = new Map<string, Session>()
  /** Begun sign-ins by state: an app with the mistake finds them there, and not in the session. */
  const begun = new Map<string, Pending>()
  /** Names by email: an app with the mistake finds the account of a user there. */
  const accounts = new Map<string, string>()
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`
  const secret = clientSecret === undefined ? {} : { clientSecret }
  const hub = createHubClient({
    issuer,
    clientId,
    ...secret,
    redirectUri,
    makes,
    keepsKeysMs: shape === 'reads-keys-seldom' ? 30_000 : 0,
  })

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const id = /\bsid=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
    const sid = id !== undefined && sessions.has(id) ? id : randomBytes(16).toString('hex')
    const session = sessions.get(sid) ?? {}
    sessions.set(sid, session)
    const { status, text, location } = await answer(url, session)
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': `sid=${sid}; HttpOnly; Path=/`,
      ...(location === undefined ? {} : { location }),
    })
    response.end(text)
  }

  async function answer(url: URL, session: Session): Promise<Page> {
    try {
      if (url.pathname === '/login') return await login(session)
      if (url.pathname === '/callback') return await callback(url.searchParams, session)
      if (url.pathname === '/use') return await callHub(session)
      const { user } = session
      if (url.pathname === '/whoami' && user === undefined) return page(401, 'Not signed in.')
      return page(200, user === undefined ? 'Welcome.' : `Signed in as ${user}.`)
    } catch (error) {
      if (error instanceof Explained) return page(502, `Something went wrong: ${error.message}`)
      return { status: 500, text: 'Internal Server Error' }
    }
  }

  async function login(session: Session): Promise<Page> {
    await hub.readMetadata()
    const random = () => randomBytes(32).toString('base64url')
    const pending = { state: random(), nonce: random(), verifier: random() }
    session.pending = pending
    begun.set(pending.state, pending)
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email read-repos',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return { status: 303, text: '', location: `${issuer}/oauth/authorize?${query}` }
  }

  async function callback(query: URLSearchParams, session: Session): Promise<Page> {
    const state = query.get('state')
    const error = query.get('error')
    if (error !== null) return showError(error, query.get('error_description') ?? '')
    if (makes('refuses-unknown-parameters') && query.has('foo')) refuse('unknown parameters')
    const pending =
      session.pending ?? (makes('sign-in-without-session') ? begun.get(state ?? '') : undefined)
    if (pending === undefined) return page(400, 'This browser has not begun a sign-in.')
    checkState(state, pending)
    const iss = query.get('iss')
    if (iss !== null && iss !== issuer && !makes('no-callback-issuer-check')) {
      refuse('another issuer')
    }
    const code = query.get('code') ?? ''
    if (makes('limits-code') && code.length > 255) refuse('a long code')
    if (!makes('redeems-code-again')) delete session.pending
    begun.delete(pending.state)
    const tokens = await orBreak('breaks-without-tokens', () => hub.redeem(code, pending.verifier))
    if (makes('breaks-without-scopes') && !tokens.scope?.includes('profile')) throw new TypeError()
    session.user = accountOf(await readUser(tokens, pending.nonce))
    session.tokens = tokens
    return { status: 303, text: '', location: `${origin}/` }
  }

  function checkState(state: string | null, pending: Pending): void {
    if (makes('no-state-check') || (state === null && makes('optional-state'))) return
    if (state !== pending.state) refuse('another state')
  }

  function showError(error: string, description: string): Page {
    if (makes('breaks-when-denied') && error === 'access_denied') throw new TypeError(error)
    const text = makes('shows-description-unescaped') ? description : escaped(description)
    return { status: 400, text: `<p>The Hub refused: ${text}</p>` }
  }

  async function readUser(tokens: Tokens, nonce: string): Promise<Claims> {
    const { access_token: accessToken, id_token: idToken } = tokens
    const isLeftOut = idToken === undefined && makes('optional-id-token')
    const claims = readsIdToken && !isLeftOut ? await verify(tokens, { nonce }) : undefined
    if (shape === 'claims-only' || accessToken === undefined) return claims ?? {}
    const info = await orBreak('breaks-without-userinfo', () => hub.userinfo(accessToken))
    const isSame = claims?.['sub'] === undefined || claims['sub'] === info['sub']
    if (!isSame && shape === 'drops-foreign-userinfo') return claims ?? {}
    if (!isSame && !makes('no-userinfo-subject-check')) refuse('another user in userinfo')
    return info
  }

  function accountOf(claims: Claims): string {
    const email = String(claims['email'])
    const name = (makes('links-by-email') ? accounts.get(email) : undefined) ?? nameOf(claims)
    accounts.set(email, name)
    return name
  }

  function verify(tokens: Tokens, more: { nonce?: string; subject?: string }) {
    const { access_token: accessToken, id_token: idToken } = tokens
    const expected = { issuer, clientId, accessToken, makes, readKeys: hub.readKeys, ...more }
    return verifyIdToken(idToken, expected).catch((error: unknown) => {
      throw error instanceof TypeError ? error : new Explained((error as Error).message)
    })
  }

  async function callHub(session: Session): Promise<Page> {
    const { tokens } = session
    const token = tokens?.access_token
    if (token === undefined) return page(401, 'Not signed in.')
    let answered = await hub.whoami(token)
    if (answered.status === 429 && makes('does-not-wait')) answered = await hub.whoami(token)
    if (answered.status === 429) return page(503, 'The Hub is busy. Try again in a moment.')
    if (answered.status === 401 && !makes('keeps-dead-token')) {
      await refreshOnce(session)
      const renewed = session.tokens?.access_token
      if (renewed === undefined) return page(401, 'Sign in again.')
      answered = await hub.whoami(renewed)
    }
    if (!answered.ok) return page(503, 'The Hub does not accept the request now.')
    const { access_token: present = '', scope } = session.tokens ?? {}
    if (scope?.includes('read-repos') === true || makes('ignores-granted-scopes')) {
      const repos = await hub.repos(present)
      if (!repos.ok) return page(503, 'The Hub does not list your repos now.')
    }
    return page(200, `Signed in as ${session.user}.`)
  }

  /** Requests of one session share a refresh. */
  async function refreshOnce(session: Session): Promise<void> {
    if (makes('refreshes-at-once')) return refresh(session)
    session.refreshing ??= refresh(session).finally(() => delete session.refreshing)
    await session.refreshing
  }

  async function refresh(session: Session): Promise<void> {
    const refreshToken = session.tokens?.refresh_token
    if (refreshToken === undefined) return signOut(session)
    const tries = makes('repeats-lost-refresh') ? 4 : 1
    let wasLost = false
    for (let tried = 1; ; tried += 1) {
      try {
        const tokens = await hub.refresh(refreshToken)
        if (readsIdToken && tokens.id_token && !makes('no-refreshed-id-token-check')) {
          const subject = subjectOf(session.tokens?.id_token)
          const isKnown = subject !== undefined && !makes('no-refreshed-subject-check')
          await verify(tokens, isKnown ? { subject } : {})
        }
        session.tokens = { ...session.tokens, ...tokens }
        if (makes('keeps-old-refresh-token')) session.tokens.refresh_token = refreshToken
        return
      } catch (error) {
        if (makes('repeats-refused-refresh')) throw error
        wasLost ||= isUnreachable(error)
        if (tried >= tries || !wasLost) return signOut(session)
      }
    }
  }

  function signOut(session: Session): void {
    delete session.tokens
    delete session.user
  }

  async function orBreak<T>(mistake: Mistake, work: () => Promise<T>): Promise<T> {
    if (!makes(mistake)) return work()
    return work().catch((error: unknown) => {
      throw new TypeError('unexpected', { cause: error })
    })
  }

  return {
    loginUrl: `${origin}/login`,
    whoamiUrl: `${origin}/whoami`,
    useUrl: `${origin}/use`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function page(status: number, text: string): Page {
  return { status, text: `<p>${escaped(text)}</p>` }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function refuse(what: string): never {
  throw new Explained(`The callback has ${what}.`)
}

function nameOf(claims: Claims): string {
  const name = claims['preferred_username'] ?? claims['sub']
  return typeof name === 'string' ? name : 'somebody'
}

function subjectOf(idToken: string | undefined): string | undefined {
  if (idToken === undefined) return undefined
  const claims = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')
  return (JSON.parse(claims) as { sub?: string }).sub
}
