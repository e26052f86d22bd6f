import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  auth,
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ExperimentList } from '../../server/contract/control-experiments.ts'
import type { RequestList } from '../../server/contract/control-requests.ts'
import type { TokenList } from '../../server/contract/control-tokens.ts'
import { omitUndefined } from '../../server/core/omit-undefined.ts'
import type { Sandbox, SandboxOptions } from '../../server/index.ts'
import { hubMcpScopes } from '../helpers/mcp-site.ts'
import { installPythonPackages } from '../helpers/python-client.ts'
import { defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { createUserAgent } from '../helpers/user-agent.ts'

// Clients of the sandbox's own MCP server. Each brings its own sign-in; the sandbox is all they know.

const documentUrl = 'https://editor.example/oauth/client.json'
const appId = '8d3f4a1e-6c5b-4f1a-9d2e-7b8c9a0d1e2f'
const document = {
  client_id: documentUrl,
  client_name: 'Editor',
  redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}

const ways = ['metadata document', 'registration', 'pre-registered app'] as const
type Way = (typeof ways)[number]
const clientIds: Record<Way, RegExp> = {
  'metadata document': /^https:\/\/editor\.example\/oauth\/client\.json$/,
  registration: /^(?!8d3f4a1e)[\da-f-]{36}$/,
  'pre-registered app': /^8d3f4a1e-6c5b-4f1a-9d2e-7b8c9a0d1e2f$/,
}

/** A sandbox that knows the client by its document and by an app. */
async function start(options: SandboxOptions = {}) {
  const fixtures = await defaultFixtures({ clientMetadataDocuments: { [documentUrl]: document } })
  const { redirect_uris: redirectUris } = document
  const apps = [...(fixtures.apps ?? []), { clientId: appId, name: 'Editor', redirectUris }]
  return startTestSandbox({ ...options, fixtures: { ...fixtures, apps } })
}

/** An MCP client as an editor has one, with a user in front of it. */
function createEditor(url: string, way: Way = 'registration') {
  let information: OAuthClientInformationMixed | undefined =
    way === 'pre-registered app' ? { client_id: appId } : undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  const opened: URL[] = []
  const { client_id: _clientId, ...clientMetadata } = document
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:33418/callback',
    clientMetadata: { ...clientMetadata, redirect_uris: ['http://127.0.0.1:33418/callback'] },
    ...(way === 'metadata document' ? { clientMetadataUrl: documentUrl } : {}),
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved
    },
    tokens: () => tokens,
    // Without a refresh token: the SDK would step up by a refresh, which cannot add scopes.
    saveTokens: ({ refresh_token: _refreshToken, ...saved }) => {
      tokens = saved
    },
    redirectToAuthorization: (to) => {
      opened.push(to)
    },
    saveCodeVerifier: (saved) => {
      verifier = saved
    },
    codeVerifier: () => verifier,
  }
  const client = new Client({ name: 'editor', version: '1.0.0' })
  const serverUrl = new URL(url)
  const newTransport = () =>
    new StreamableHTTPClientTransport(serverUrl, { authProvider: provider })

  /** Connects, and signs the user in when the server or a tool asks for it. */
  async function signIn(user: string): Promise<void> {
    const back = await createUserAgent(user).authorize(opened.at(-1)!)
    if (back.searchParams.has('error')) throw new Error(back.searchParams.get('error')!)
    const authorizationCode = back.searchParams.get('code')!
    const iss = back.searchParams.get('iss') ?? undefined
    await auth(provider, { serverUrl, authorizationCode, ...omitUndefined({ iss }) })
  }
  return {
    opened,
    granted: () => tokens?.scope?.split(' ') ?? [],
    clientId: () => information?.client_id,
    async connect(user = 'carol') {
      const first = newTransport()
      try {
        await client.connect(first)
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
        await signIn(user)
        await client.connect(newTransport())
      }
    },
    async call(name: string, args: Record<string, unknown> = {}) {
      const { content } = await client.callTool({ name, arguments: args })
      return (content as { text: string }[])[0]?.text ?? ''
    },
    /** Signs in again after a call that wanted more. */
    async stepUp(user = 'carol') {
      await client.close()
      await signIn(user)
      await client.connect(newTransport())
    },
  }
}

describe('the TypeScript SDK at /mcp', () => {
  test.each(ways)('signs in by %s', async (way) => {
    const sandbox = await start()
    const editor = createEditor(`${sandbox.url}/mcp?login`, way)
    await editor.connect()
    expect(JSON.parse(await editor.call('hf_whoami'))).toMatchObject({ name: 'carol' })
    expect(editor.granted()).toEqual(hubMcpScopes)
    expect(editor.clientId()).toMatch(clientIds[way])
  })

  test('reads without a sign-in', async () => {
    const sandbox = await start()
    const editor = createEditor(`${sandbox.url}/mcp`)
    await editor.connect()
    expect(editor.opened).toEqual([])
    const args = { repo: 'acme/corpus', type: 'dataset', path: 'README.md' }
    expect(await editor.call('hub_read_file', args)).toContain('---')
  })

  test('signs in where iss and resource are required', async () => {
    const sandbox = await start({ sendIss: true, requireResource: true })
    const editor = createEditor(`${sandbox.url}/mcp?login`)
    await editor.connect()
    const { items } = await sandbox.control<TokenList>('GET', 'tokens')
    expect(items[0]?.resources).toEqual([`${sandbox.url}/mcp`])
    expect(await editor.call('hf_whoami')).toContain('carol')
  })

  test('steps up to the scope of a tool and keeps the others', async () => {
    const sandbox = await start()
    const editor = createEditor(`${sandbox.url}/mcp?login`)
    await editor.connect()
    const call = () =>
      editor.call('hub_open_discussion', { repo: 'acme/corpus', type: 'dataset', title: 'Hello' })
    await expect(call()).rejects.toThrow(UnauthorizedError)
    await editor.stepUp()
    expect(editor.granted()).toEqual([...hubMcpScopes, 'write-discussions'])
    expect(JSON.parse(await call())).toMatchObject({ pullRequest: false })
  })
})

/** Experiments, and the words with which a good client refuses. */
const drills = [
  ['resource', /does not match expected/],
  ['server-moved', /fetch failed/],
  ['registration', /Refused by fault rule/],
] as const

/** Runs an experiment, and waits for its verdict on the client. */
async function judge(sandbox: Sandbox, id: string, act: () => Promise<void>) {
  await sandbox.control('POST', `experiments/${id}/run`, {})
  await act()
  const verdict = async () => {
    const { items } = await sandbox.control<ExperimentList>('GET', 'experiments')
    return items.find((one) => one.id === id)?.verdict
  }
  await expect.poll(verdict, { timeout: 20_000 }).toMatchObject({ state: 'passed' })
}

describe('a good client refuses', () => {
  test.each(drills)('the experiment %s', { timeout: 40_000 }, async (id, message) => {
    const sandbox = await start()
    const connect = () => createEditor(`${sandbox.url}/mcp?login`).connect()
    await judge(sandbox, id, () => expect(connect()).rejects.toThrow(message))
    const { items } = await sandbox.control<TokenList>('GET', 'tokens')
    expect(items.filter(({ kind }) => kind === 'oauth')).toEqual([])
  })

  test('a call that lacks a scope, and steps up', { timeout: 40_000 }, async () => {
    const sandbox = await start()
    const editor = createEditor(`${sandbox.url}/mcp?login`)
    await editor.connect()
    await judge(sandbox, 'step-up', async () => {
      await expect(editor.call('hf_whoami')).rejects.toThrow(UnauthorizedError)
      await editor.stepUp()
    })
    expect(editor.granted()).toContain('write-discussions')
    expect(await editor.call('hf_whoami')).toContain('carol')
  })

  test('a metadata document that is gone', async () => {
    const sandbox = await start()
    const url = encodeURIComponent(documentUrl)
    await sandbox.control('DELETE', `client-metadata-documents/${url}`)
    const editor = createEditor(`${sandbox.url}/mcp?login`, 'metadata document')
    await expect(editor.connect()).rejects.toThrow(/./)
    const { items } = await sandbox.control<RequestList>('GET', 'requests?refused=1')
    expect(items[0]?.detail).toContain(`The client metadata document ${documentUrl} cannot be used`)
  })

  test('a metadata document that has changed its redirect URI', async () => {
    const sandbox = await start()
    const url = encodeURIComponent(documentUrl)
    const changed = { ...document, redirect_uris: ['https://editor.example/callback'] }
    await sandbox.control('PATCH', `client-metadata-documents/${url}`, { document: changed })
    const editor = createEditor(`${sandbox.url}/mcp?login`, 'metadata document')
    await expect(editor.connect()).rejects.toThrow(/./)
    const { items } = await sandbox.control<RequestList>('GET', 'requests?refused=1')
    expect(items[0]).toMatchObject({ error: 'invalid_redirect_uri' })
  })
})

const script = `
import asyncio, json, sys, urllib.request, warnings
from urllib.parse import parse_qs, urlsplit
from fastmcp import Client
from fastmcp.client.auth import OAuth
import httpx2, mcp
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
warnings.simplefilter("ignore")

kind, way, sandbox, document, app = sys.argv[1:6]
server = sandbox + "/mcp?login"

def back_from(url):
    asked = {name: values[0] for name, values in parse_qs(urlsplit(str(url)).query).items()}
    body = json.dumps({**asked, "user": "carol"}).encode()
    request = urllib.request.Request(sandbox + "/_sandbox/api/authorize", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["redirectTo"]

class Browser(OAuth):
    async def redirect_handler(self, url):
        async def open_soon():
            target = await asyncio.to_thread(back_from, url)
            for _ in range(100):
                try:
                    return await asyncio.to_thread(lambda: urllib.request.urlopen(target).read())
                except urllib.error.URLError:
                    await asyncio.sleep(0.05)
        self.opening = asyncio.create_task(open_soon())

async def with_fastmcp():
    more = {"metadata document": {"client_metadata_url": document}, "registration": {}, "pre-registered app": {"client_id": app, "additional_client_metadata": {"token_endpoint_auth_method": "none"}}}[way]
    async with Client(server, auth=Browser(client_name="Editor", **more)) as client:
        answer = await client.call_tool("hf_whoami", {})
    return answer.content[0].text

class Storage:
    tokens = client = None
    async def get_tokens(self): return self.tokens
    async def set_tokens(self, tokens): self.tokens = tokens
    async def get_client_info(self): return self.client
    async def set_client_info(self, client): self.client = client

async def with_sdk():
    back = {}
    async def redirect(url): back["url"] = await asyncio.to_thread(back_from, url)
    async def callback():
        told = {name: values[0] for name, values in parse_qs(urlsplit(back["url"]).query).items()}
        return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told.get("iss"))
    storage = Storage()
    metadata = OAuthClientMetadata(client_name="Editor", redirect_uris=["http://127.0.0.1:33418/callback"], token_endpoint_auth_method="none")
    more = {"client_metadata_url": document} if way == "metadata document" else {}
    if way == "pre-registered app":
        storage.client = OAuthClientInformationFull(client_id=app, **metadata.model_dump(exclude_none=True))
    provider = OAuthClientProvider(server, metadata, storage, redirect, callback, **more)
    async with httpx2.AsyncClient(auth=provider, follow_redirects=True) as http:
        async with streamable_http_client(server, http_client=http) as streams:
            async with mcp.ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                answer = await session.call_tool("hf_whoami", {})
    return answer.content[0].text

print(asyncio.run(with_fastmcp() if kind == "FastMCP" else with_sdk()))
`

describe('the Python clients at /mcp', () => {
  let interpreter: string
  let obstacle: string | undefined
  beforeAll(async () => {
    const installed = await installPythonPackages(['fastmcp==4.2.3', 'mcp==2.3.0'])
    interpreter = installed.interpreter
    obstacle = installed.obstacle
  }, 240_000)
  beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))

  const cases = ways.flatMap((way) => [['the SDK', way] as const, ['FastMCP', way] as const])
  test.each(cases)('%s signs in by %s', { timeout: 120_000 }, async (kind, way) => {
    const sandbox = await start()
    const args = ['-c', script, kind, way, sandbox.url, documentUrl, appId]
    const { stdout } = await promisify(execFile)(interpreter, args, { timeout: 110_000 })
    expect(JSON.parse(stdout)).toMatchObject({ name: 'carol' })
    const { items } = await sandbox.control<TokenList>('GET', 'tokens')
    const token = items.find((item) => item.kind === 'oauth')
    expect(token?.resources?.[0]).toMatch(`${sandbox.url}/mcp`)
    expect(token?.app?.clientId).toMatch(clientIds[way])
  })
})
