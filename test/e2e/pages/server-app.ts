import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServerApp {
  url: string
  redirectUri: string
  /** How it signs in from now on: always with PKCE, and with a secret if it is given one. */
  register(client: { clientId: string; clientSecret?: string }): void
  close(): Promise<void>
}

/** An app whose server exchanges the code (RFC 6749 §4.1), as a developer would write it without a library. */
export async function startServerApp(hubUrl: string): Promise<ServerApp> {
  let client: { clientId: string; clientSecret?: string } = { clientId: '' }
  const verifiers = new Map<string, string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/callback') {
      response.setHeader('Content-Type', 'text/html')
      finish(searchParams).then(
        (text) => response.end(`<output>${text}</output>`),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    } else {
      response.writeHead(303, { Location: authorizationUrl() }).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirectUri = `${url}/callback`

  function authorizationUrl(): string {
    const state = randomBytes(16).toString('base64url')
    const verifier = randomBytes(32).toString('base64url')
    verifiers.set(state, verifier)
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return `${hubUrl}/oauth/authorize?${parameters}`
  }

  async function finish(answer: URLSearchParams): Promise<string> {
    const { clientId, clientSecret } = client
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: redirectUri,
      client_id: clientId,
      code_verifier: verifiers.get(answer.get('state') ?? '') ?? '',
    })
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const response = await fetch(`${hubUrl}/oauth/token`, {
      method: 'POST',
      body,
      headers: clientSecret === undefined ? {} : { authorization: `Basic ${credentials}` },
    })
    const tokens = (await response.json()) as { access_token?: string; error?: string }
    if (tokens.access_token === undefined) return `${response.status} ${tokens.error}`
    const userinfo = await fetch(`${hubUrl}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    const user = (await userinfo.json()) as { preferred_username: string }
    return `Hello ${user.preferred_username}`
  }

  return {
    url,
    redirectUri,
    register: (next) => {
      client = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
