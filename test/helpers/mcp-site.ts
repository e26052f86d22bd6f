import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Scopes that the Hub publishes for its own MCP server, one of them hidden. */
export const hubMcpScopes =
  'openid profile read-mcp read-repos jobs contribute-repos inference-api'.split(' ')

/**
 * Serves an MCP server as far as its sign-in goes: metadata of a protected resource (RFC 9728), a challenge for requests
 * without a token, and the sandbox's own response to `whoami-v2` for others. It closes with the test.
 * @param scopes of its metadata
 * @returns its URL
 */
export async function serveMcpSite(
  authorizationServer: string,
  scopes: readonly string[] = hubMcpScopes,
): Promise<string> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
      return send(200, {
        resource: `${origin}/mcp`,
        authorization_servers: [authorizationServer],
        scopes_supported: scopes,
      })
    }
    const { authorization } = request.headers
    if (authorization === undefined) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
      const challenge = `Bearer resource_metadata="${metadata}"`
      return send(401, { error: 'sign in' }, { 'www-authenticate': challenge })
    }
    const whoami = fetch(`${authorizationServer}/api/whoami-v2`, { headers: { authorization } })
    void whoami.then(async (answer) => send(answer.status, await answer.json()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}
