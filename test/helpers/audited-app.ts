import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AppItem } from '../../server/contract/control-types.ts'
import type { Sandbox } from '../../server/index.ts'

/** How an app behaves that an audit drives. */
export interface AuditedApp {
  /** Where it takes its user from; `claims` never calls the Hub with its token. Default: `userinfo`. */
  user?: 'userinfo' | 'claims'
  /** Response of `/login`, instead of a redirect to the Hub. */
  login?: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** How it uses metadata, which it reads at its start and when it is restarted. Default: it reads none. */
  metadata?: 'checks-issuer' | 'trusts-issuer' | 'ends-at-wrong-issuer'
  /** Response of `/me`, instead of 200 for signed-in users and 401 for others. */
  me?: number | ((request: IncomingMessage, response: ServerResponse) => void)
  /** Whether it begins a sign-in where the callback belongs to another browser, instead of refusing. */
  beginsAgain?: boolean
}

/** Starts an app that compares `state` and reads no ID token, with a client of its own. */
export async function startAuditedApp(
  sandbox: Pick<Sandbox, 'url' | 'control'>,
  { user = 'userinfo', login, metadata, me, beginsAgain = false }: AuditedApp = {},
) {
  const sessions = new Map<string, { state: string; isIn: boolean }>()
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.writeHead(403).end('The sign-in failed.'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`
  const { clientId, clientSecret = '' } = await sandbox.control<AppItem>('POST', 'apps', {
    name: 'Audited',
    redirectUris: [redirectUri],
    scopes: ['openid', 'profile'],
  })

  let issuer = sandbox.url
  let starts = 0
  async function restart(): Promise<void> {
    starts += 1
    const answer = await fetch(`${sandbox.url}/.well-known/openid-configuration`)
    issuer = ((await answer.json()) as { issuer: string }).issuer
  }
  if (metadata !== undefined) await restart()
  const isWrong = () => issuer !== sandbox.url

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const session = sessions.get(/\bsid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
    if (url.pathname === '/restart') {
      await restart()
      response.end()
    } else if (metadata === 'ends-at-wrong-issuer' && isWrong()) {
      request.socket.destroy()
    } else if (metadata === 'checks-issuer' && isWrong()) {
      response.writeHead(503).end('The Hub names another issuer.')
    } else if (url.pathname === '/login') {
      if (login !== undefined) return login(request, response)
      const [sid, state] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')]
      sessions.set(sid, { state, isIn: false })
      const ask = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile',
        state,
        nonce: 'nonce-that-it-never-compares',
      })
      const location = `${sandbox.url}/oauth/authorize?${ask.toString()}`
      response.writeHead(302, { location, 'set-cookie': `sid=${sid}; Path=/; HttpOnly` }).end()
    } else if (url.pathname === '/callback') {
      if (session?.state !== url.searchParams.get('state')) {
        if (beginsAgain) return void response.writeHead(302, { location: '/login' }).end()
        throw new Error('state')
      }
      await redeem(url.searchParams.get('code') ?? '')
      if (session !== undefined) session.isIn = true
      response.writeHead(302, { location: '/me' }).end()
    } else if (typeof me === 'function') {
      me(request, response)
    } else {
      response.writeHead(me ?? (session?.isIn === true ? 200 : 401)).end()
    }
  }

  async function redeem(code: string): Promise<void> {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUri,
      code,
    })
    const answer = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body })
    if (!answer.ok) throw new Error('token')
    const { access_token: token } = (await answer.json()) as { access_token: string }
    if (user === 'claims') return
    const headers = { authorization: `Bearer ${token}` }
    const info = await fetch(`${sandbox.url}/oauth/userinfo`, { headers })
    if (!info.ok) throw new Error('userinfo')
  }
  return {
    clientId,
    start: `${origin}/login`,
    signedIn: `${origin}/me`,
    restart: `${origin}/restart`,
    /** Issuer that it knows, and how often it has read that. */
    known: () => ({ issuer, starts }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
