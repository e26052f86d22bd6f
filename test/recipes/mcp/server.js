import { discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'

const { OPENID_PROVIDER_URL: issuer = 'https://huggingface.co', PORT = 3000 } = process.env
const resourceServerUrl = new URL(`http://localhost:${PORT}/mcp`)
const oauthMetadata = await discoverAuthorizationServerMetadata(issuer)

/** The hub knows its tokens: whoever it names is the caller. */
const verifier = {
  async verifyAccessToken(token) {
    const answer = await fetch(oauthMetadata.userinfo_endpoint ?? `${issuer}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new InvalidTokenError('The Hub does not know this token')
    const user = await answer.json()
    // How long it lives is not told: each request asks anew.
    const expiresAt = Math.ceil(Date.now() / 1000) + 60
    return { token, clientId: 'hub', scopes: [], expiresAt, extra: { user } }
  },
}

function createServer() {
  const server = new McpServer({ name: 'who', version: '1.0.0' })
  server.registerTool('whoami', { description: 'Who calls' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: authInfo.extra.user.preferred_username }],
  }))
  return server
}

const app = express()
app.use(express.json())
app.use(
  mcpAuthMetadataRouter({
    oauthMetadata,
    resourceServerUrl,
    scopesSupported: ['openid', 'profile'],
  }),
)
app.post(
  resourceServerUrl.pathname,
  requireBearerAuth({
    verifier,
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
  }),
  async (request, response) => {
    const server = createServer()
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    response.on('close', () => server.close())
    await server.connect(transport)
    await transport.handleRequest(request, response, request.body)
  },
)
app.listen(Number(PORT), 'localhost')
