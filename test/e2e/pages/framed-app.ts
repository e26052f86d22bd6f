import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FramedApp {
  url: string
  /** Attributes of its cookies from now on. */
  setCookies(attributes: string): void
  close(): Promise<void>
}

/**
 * An app as it runs in a Space: its server signs users in, with the state of the sign-in and the session in cookies, and
 * builds its redirect URI from the Host header.
 */
export async function startFramedApp(
  hubUrl: string,
  client: { clientId: string; clientSecret?: string | undefined },
): Promise<FramedApp> {
  let attributes = ''
  const sessions = new Map<string, string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const cookies = new Map(
      (request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=') as [string, string]),
    )
    const redirectUri = `http://${request.headers.host}/callback`
    response.setHeader('Content-Type', 'text/html')
    const set = (name: string, value: string) =>
      response.appendHeader('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; ${attributes}`)
    if (pathname === '/login') {
      const state = randomUUID()
      set('oauth_state', state)
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.clientId,
        redirect_uri: redirectUri,
        scope: 'openid profile',
        state,
      })
      response.writeHead(303, { Location: `${hubUrl}/oauth/authorize?${query}` }).end()
    } else if (pathname === '/callback') {
      if (cookies.get('oauth_state') !== searchParams.get('state')) {
        response.writeHead(400).end('<h1>The state of the sign-in is lost</h1>')
        return
      }
      exchange(searchParams.get('code') ?? '', redirectUri).then(
        (user) => {
          const session = randomUUID()
          sessions.set(session, user)
          set('session', session)
          response.writeHead(303, { Location: '/' }).end()
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    } else if (pathname === '/framing') {
      response.end(`<iframe src="${hubUrl}/login"></iframe>`)
    } else {
      const user = sessions.get(cookies.get('session') ?? '')
      response.end(
        user === undefined
          ? '<h1>Not signed in</h1><a href="/login">Sign in</a>'
          : `<h1>Hello ${user}</h1>`,
      )
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`

  async function exchange(code: string, redirectUri: string): Promise<string> {
    const { clientId, clientSecret = '' } = client
    const response = await fetch(`${hubUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
      }),
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
    })
    const tokens = (await response.json()) as { id_token: string }
    const [, claims = ''] = tokens.id_token.split('.')
    const { preferred_username: name } = JSON.parse(
      Buffer.from(claims, 'base64url').toString(),
    ) as { preferred_username: string }
    return name
  }

  return {
    url,
    setCookies(next) {
      attributes = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
