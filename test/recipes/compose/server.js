// An app that signs its users in at the hub, with nothing but Node.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_SCOPES } = process.env
const port = Number(process.env.PORT ?? 3000)
const redirectUri = `http://localhost:${port}/callback`

// Everything else is where the metadata says.
const metadata = await read(fetch(`${OPENID_PROVIDER_URL}/.well-known/openid-configuration`))
console.log(`the issuer is ${metadata.issuer}`)

/** What a browser has to bring back from the hub, by the state it is sent there with. */
const begun = new Map()

createServer(async (request, response) => {
  const url = new URL(request.url, redirectUri)
  try {
    if (url.pathname === '/callback') response.end(`Signed in as ${await finish(url.searchParams)}`)
    else response.writeHead(302, { location: begin() }).end()
  } catch (error) {
    response.writeHead(400).end(`Not signed in: ${error.message}`)
  }
}).listen(port)

function begin() {
  const [state, verifier] = [randomBytes(16), randomBytes(32)].map((id) => id.toString('base64url'))
  begun.set(state, verifier)
  const url = new URL(metadata.authorization_endpoint)
  url.search = new URLSearchParams({
    client_id: OAUTH_CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: OAUTH_SCOPES,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return url.href
}

async function finish(answer) {
  const verifier = begun.get(answer.get('state'))
  if (verifier === undefined) throw new Error('this was not begun here')
  begun.delete(answer.get('state'))
  if (answer.has('error')) throw new Error(answer.get('error_description') ?? answer.get('error'))
  const { access_token: token } = await read(
    fetch(metadata.token_endpoint, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${OAUTH_CLIENT_ID}:${OAUTH_CLIENT_SECRET}`)}`,
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.get('code'),
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    }),
  )
  const headers = { authorization: `Bearer ${token}` }
  const user = await read(fetch(metadata.userinfo_endpoint, { headers }))
  return user.preferred_username
}

async function read(asked) {
  const answer = await asked
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
