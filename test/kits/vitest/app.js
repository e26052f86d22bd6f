import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const {
  OPENID_PROVIDER_URL: hub,
  OAUTH_CLIENT_ID: clientId,
  OAUTH_CLIENT_SECRET: secret,
} = process.env

/** An app whose users sign in at the hub. */
export async function startApp(port = 0) {
  const verifiers = new Map()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`)
    const redirectUri = new URL('/callback', url).href
    if (url.pathname === '/login') {
      const [state, verifier] = [random(), random()]
      verifiers.set(state, verifier)
      return response.writeHead(302, { location: loginUrl(redirectUri, state, verifier) }).end()
    }
    response.setHeader('content-type', 'text/html')
    if (url.pathname !== '/callback') return response.end('<a href="/login">Sign in</a>')
    const { state, code } = Object.fromEntries(url.searchParams)
    if (code === undefined) return response.end('<p>You have not signed in</p>')
    const user = await userOf(code, redirectUri, verifiers.get(state))
    if (user === undefined) return response.writeHead(502).end('<p>The sign-in failed</p>')
    return response.end(`<p>Hello, ${user.preferred_username}</p>`)
  })
  await new Promise((resolve) => server.listen(port, 'localhost', resolve))
  return {
    url: `http://localhost:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const random = () => randomBytes(32).toString('base64url')

function loginUrl(redirectUri, state, verifier) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${hub}/oauth/authorize?${query}`
}

async function userOf(code, redirectUri, verifier) {
  const answer = await fetch(`${hub}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  if (!answer.ok) return undefined
  const { access_token: token } = await answer.json()
  const info = await fetch(`${hub}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return info.json()
}
