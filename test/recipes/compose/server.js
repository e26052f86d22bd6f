// An app that signs its users in at the hub, with nothing but Node.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_SCOPES } = process.env
const port = Number(process.env.PORT ?? 3000)
const redirectUri = `http://localhost:${port}/callback`

// Everything else is where the metadata says.
const metadata = await read(fetch(`${OPENID_PROVIDER_URL}/.well-known/openid-configuration`))
console.log(`the issuer is ${metadata.issuer}`)

/** What a browser has to bring back from the hub, by the state that it has as a cookie. */
const begun = new Map()
const cookieName = 'my_app_state'

createServer(async (request, response) => {
  const url = new URL(request.url, redirectUri)
  try {
    if (url.pathname === '/callback') {
      const name = await finish(url.searchParams, request.headers.cookie ?? '')
      response.end(`Signed in as ${name}`)
    } else {
      const { state, location } = begin()
      const cookie = `${cookieName}=${state}; Path=/; HttpOnly; SameSite=Lax`
      response.writeHead(302, { location, 'set-cookie': cookie }).end()
    }
  } catch (error) {
    response.writeHead(400).end(`Not signed in: ${error.message}`)
  }
}).listen(port)

function begin() {
  const [state, nonce, verifier] = [16, 16, 32].map((size) =>
    randomBytes(size).toString('base64url'),
  )
  begun.set(state, { nonce, verifier })
  const url = new URL(metadata.authorization_endpoint)
  url.search = new URLSearchParams({
    client_id: OAUTH_CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: OAUTH_SCOPES,
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { state, location: url.href }
}

async function finish(answer, cookies) {
  const state = answer.get('state')
  const checks = begun.get(state)
  // In another browser than the one that began, the callback would sign in a stranger.
  if (checks === undefined || !cookies.includes(`${cookieName}=${state}`)) {
    throw new Error('this was not begun here')
  }
  begun.delete(state)
  if (answer.has('error')) throw new Error(answer.get('error_description') ?? answer.get('error'))
  const { id_token: idToken, access_token: token } = await read(
    fetch(metadata.token_endpoint, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${OAUTH_CLIENT_ID}:${OAUTH_CLIENT_SECRET}`)}`,
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.get('code'),
        redirect_uri: redirectUri,
        code_verifier: checks.verifier,
      }),
    }),
  )
  const { sub } = claimsOf(idToken, checks.nonce)
  const headers = { authorization: `Bearer ${token}` }
  const user = await read(fetch(metadata.userinfo_endpoint, { headers }))
  if (user.sub !== sub) throw new Error('this is the user of another sign-in')
  return user.preferred_username
}

/** Checks all but the signature: the token comes from the hub itself (OpenID Connect Core 3.1.3.7). */
function claimsOf(idToken, nonce) {
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url'))
  const isOurs =
    claims.iss === metadata.issuer && claims.aud === OAUTH_CLIENT_ID && claims.nonce === nonce
  const isCurrent = claims.iat > 0 && claims.exp > Date.now() / 1000
  if (!isOurs || !isCurrent || !claims.sub) throw new Error('this is another ID token')
  return claims
}

async function read(asked) {
  const answer = await asked
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
