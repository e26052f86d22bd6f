import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const {
  OPENID_PROVIDER_URL: hub,
  OAUTH_CLIENT_ID: clientId,
  OAUTH_CLIENT_SECRET: secret,
} = process.env

/** An app whose users sign in at the hub. */
export async function startApp(port = 0) {
  /** Sign-ins that have begun, by their state. */
  const begun = new Map()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`)
    const redirectUri = new URL('/callback', url).href
    response.setHeader('content-type', 'text/html')
    if (url.pathname === '/login') {
      const [state, nonce, verifier] = [random(), random(), random()]
      begun.set(state, { nonce, verifier })
      response.setHeader('set-cookie', `my_app_state=${state}; Path=/; HttpOnly; SameSite=Lax`)
      const location = loginUrl(redirectUri, state, nonce, verifier)
      return response.writeHead(302, { location }).end()
    }
    if (url.pathname !== '/callback') return response.end('<a href="/login">Sign in</a>')
    const { state, code } = Object.fromEntries(url.searchParams)
    const checks = begun.get(state)
    // In another browser than the one that began, the callback would sign in a stranger.
    if (checks === undefined || !request.headers.cookie?.includes(`my_app_state=${state}`)) {
      return response.writeHead(400).end('<p>This sign-in did not begin here</p>')
    }
    begun.delete(state)
    if (code === undefined) return response.end('<p>You have not signed in</p>')
    try {
      const user = await userOf(code, redirectUri, checks)
      return response.end(`<p>Hello, ${user.preferred_username}</p>`)
    } catch {
      return response.writeHead(502).end('<p>The sign-in failed</p>')
    }
  })
  await new Promise((resolve) => server.listen(port, 'localhost', resolve))
  return {
    url: `http://localhost:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const random = () => randomBytes(32).toString('base64url')

function loginUrl(redirectUri, state, nonce, verifier) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${hub}/oauth/authorize?${query}`
}

async function userOf(code, redirectUri, { nonce, verifier }) {
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
  if (!answer.ok) throw new Error(`The token endpoint answered ${answer.status}`)
  const { id_token: idToken, access_token: token } = await answer.json()
  const { sub } = claimsOf(idToken, nonce)
  const info = await fetch(`${hub}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const user = await info.json()
  if (user.sub !== sub) throw new Error('This is the user of another sign-in')
  return user
}

/** Checks all but the signature: the token comes from the hub itself (OpenID Connect Core 3.1.3.7). */
function claimsOf(idToken, nonce) {
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url'))
  const isOurs = claims.iss === hub && claims.aud === clientId && claims.nonce === nonce
  const isCurrent = claims.iat > 0 && claims.exp > Date.now() / 1000
  if (!isOurs || !isCurrent || !claims.sub) throw new Error('This is another ID token')
  return claims
}
