import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TokenList } from '../../server/contract/control-tokens.ts'
import { hubMcpScopes, serveMcpSite } from '../helpers/mcp-site.ts'
import { installPythonPackages } from '../helpers/python-client.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

/** Registers, signs carol in by the control API in place of her browser, and calls the server with the token. */
const script = `
import asyncio, json, sys, urllib.request
from urllib.parse import parse_qs, urlsplit
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata
try:
    import httpx2 as httpx
    from mcp.shared.auth import AuthorizationCodeResult
except ImportError:
    import httpx
    AuthorizationCodeResult = None

sandbox, server = sys.argv[1:3]

class Storage:
    tokens = client = None
    async def get_tokens(self): return self.tokens
    async def set_tokens(self, tokens): self.tokens = tokens
    async def get_client_info(self): return self.client
    async def set_client_info(self, client): self.client = client

asked = {}
async def redirect(url):
    asked.update({name: values[0] for name, values in parse_qs(urlsplit(url).query).items()})

async def callback():
    body = json.dumps({**asked, "user": "carol"}).encode()
    request = urllib.request.Request(sandbox + "/_sandbox/api/authorize", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        query = parse_qs(urlsplit(json.load(response)["redirectTo"]).query)
    told = {name: values[0] for name, values in query.items()}
    if AuthorizationCodeResult is None:
        return told["code"], told["state"]
    return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told.get("iss"))

async def main():
    storage = Storage()
    metadata = OAuthClientMetadata(client_name="Editor", redirect_uris=["http://127.0.0.1:33418/callback"])
    provider = OAuthClientProvider(server, metadata, storage, redirect, callback)
    async with httpx.AsyncClient(auth=provider) as client:
        answer = await client.get(server, headers={"MCP-Protocol-Version": "2025-11-25"})
    print(json.dumps({
        "status": answer.status_code,
        "name": answer.json().get("name"),
        "registered": storage.client.scope,
        "granted": storage.tokens.scope,
        "resource": asked.get("resource"),
    }))

asyncio.run(main())
`

describe.each(['1.30.0', '2.3.0'])('the Python package mcp %s', (version) => {
  let interpreter: string
  let obstacle: string | undefined
  beforeAll(async () => {
    const installed = await installPythonPackages([`mcp==${version}`])
    interpreter = installed.interpreter
    obstacle = installed.obstacle
  }, 240_000)
  beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

  const signIn = async (sandboxUrl: string, server: string) => {
    const { stdout } = await promisify(execFile)(interpreter, ['-c', script, sandboxUrl, server], {
      timeout: 120_000,
    })
    return JSON.parse(stdout) as Record<string, unknown>
  }

  test.each([false, true])('registers and signs in, strict: %s', async (strict) => {
    const sandbox = await startTestSandbox({ strict })
    const server = await serveMcpSite(sandbox.url)
    const scope = hubMcpScopes.join(' ')
    expect(await signIn(sandbox.url, server)).toEqual({
      status: 200,
      name: 'carol',
      registered: scope,
      granted: scope,
      resource: server,
    })
    const { items } = await sandbox.control<TokenList>('GET', 'tokens')
    expect(items[0]?.resources).toEqual([server])
  })

  test('signs in where the server names scopes that the Hub does not have', async () => {
    const sandbox = await startTestSandbox({ strict: true })
    const server = await serveMcpSite(sandbox.url, ['openid', 'offline_access', 'read-mcp'])
    expect(await signIn(sandbox.url, server)).toMatchObject({
      status: 200,
      granted: 'openid read-mcp',
    })
  })
})
