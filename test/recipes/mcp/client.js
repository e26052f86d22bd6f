import { once } from 'node:events'
import { createServer } from 'node:http'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const serverUrl = new URL(process.argv[2] ?? 'http://localhost:3000/mcp')

// A native app: it listens where the browser comes back to (RFC 8252).
const callback = createServer()
callback.listen(0, '127.0.0.1')
await once(callback, 'listening')
const redirectUrl = `http://127.0.0.1:${callback.address().port}/callback`

const kept = {}
const state = crypto.randomUUID()
const provider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'Example editor',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'none',
    scope: 'openid profile',
  },
  state: () => state,
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: (url) => console.log(`Open this in your browser:\n  ${url}`),
}

/** What the browser brings back. */
async function authorizationCode() {
  const [request, response] = await once(callback, 'request')
  const answer = new URL(request.url, redirectUrl).searchParams
  response.end('You can close this window.')
  if (answer.get('state') !== state) throw new Error('This is the answer to another question.')
  const code = answer.get('code')
  if (code === null) throw new Error(answer.get('error_description') ?? answer.get('error'))
  return code
}

try {
  const client = new Client({ name: 'example-editor', version: '1.0.0' })
  const first = new StreamableHTTPClientTransport(serverUrl, { authProvider: provider })
  try {
    await client.connect(first)
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error
    await first.finishAuth(await authorizationCode())
    await client.connect(new StreamableHTTPClientTransport(serverUrl, { authProvider: provider }))
  }
  const { content } = await client.callTool({ name: 'whoami' })
  console.log(`The server knows me as ${content[0].text}`)
  await client.close()
} catch (error) {
  console.log(`Not signed in: ${error.message}`)
  process.exitCode = 1
} finally {
  callback.close()
  callback.closeAllConnections()
}
