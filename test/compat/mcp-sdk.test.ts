import {
  auth,
  discoverAuthorizationServerMetadata,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { describe, expect, test } from 'vitest'
import type { TokenList } from '../../server/contract/control-tokens.ts'
import { hubMcpScopes, serveMcpSite } from '../helpers/mcp-site.ts'
import { defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { createUserAgent } from '../helpers/user-agent.ts'

const documentUrl = 'https://editor.example/.well-known/oauth-cimd'
const redirectUrl = 'http://127.0.0.1:33418/callback'

const clientMetadata = {
  client_name: 'Editor',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
}

/** An MCP client as an editor has one: it keeps what the SDK hands it. */
function createProvider(clientMetadataUrl?: string) {
  let information: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  let opened: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved
    },
    redirectToAuthorization: (url) => {
      opened = url
    },
    saveCodeVerifier: (saved) => {
      verifier = saved
    },
    codeVerifier: () => verifier,
  }
  return {
    provider,
    get kept() {
      return { information, tokens, opened }
    },
  }
}

async function whoami(url: string, { access_token: token }: OAuthTokens) {
  const response = await fetch(`${url}/api/whoami-v2`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return (await response.json()) as { name: string }
}

describe('the MCP SDK', () => {
  const fixtures = () =>
    defaultFixtures({
      clientMetadataDocuments: {
        [documentUrl]: { ...clientMetadata, client_id: documentUrl },
      },
    })

  test('finds out that metadata documents are understood', async () => {
    const sandbox = await startTestSandbox()
    expect(await discoverAuthorizationServerMetadata(sandbox.url)).toMatchObject({
      issuer: sandbox.url,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
    })
  })

  test('signs in with the address of its metadata document, and refreshes', async () => {
    const sandbox = await startTestSandbox({ fixtures: await fixtures() })
    const client = createProvider(documentUrl)
    const options = { serverUrl: `${sandbox.url}/mcp`, scope: 'openid profile read-repos' }
    expect(await auth(client.provider, options)).toBe('REDIRECT')
    expect(client.kept.information?.client_id).toBe(documentUrl)
    expect(client.kept.opened?.searchParams.get('code_challenge_method')).toBe('S256')

    const callback = await createUserAgent('bob').authorize(client.kept.opened!)
    const authorizationCode = callback.searchParams.get('code')!
    expect(await auth(client.provider, { ...options, authorizationCode })).toBe('AUTHORIZED')
    const first = client.kept.tokens!
    expect(first).toMatchObject({ token_type: 'bearer', scope: 'openid profile read-repos' })
    expect(await whoami(sandbox.url, first)).toMatchObject({ name: 'bob' })

    expect(await auth(client.provider, options)).toBe('AUTHORIZED')
    expect(client.kept.tokens?.refresh_token).not.toBe(first.refresh_token)
  })

  test('registers by itself where it has no metadata document', async () => {
    const sandbox = await startTestSandbox()
    const client = createProvider()
    expect(await auth(client.provider, { serverUrl: `${sandbox.url}/mcp` })).toBe('REDIRECT')
    const callback = await createUserAgent('carol').authorize(client.kept.opened!)
    const authorizationCode = callback.searchParams.get('code')!
    const options = { serverUrl: `${sandbox.url}/mcp`, authorizationCode }
    expect(await auth(client.provider, options)).toBe('AUTHORIZED')
    expect(await whoami(sandbox.url, client.kept.tokens!)).toMatchObject({ name: 'carol' })
  })

  test.each([
    [hubMcpScopes, hubMcpScopes, false],
    [hubMcpScopes, hubMcpScopes, true],
    [['openid', 'offline_access', 'read-mcp'], ['openid', 'read-mcp'], true],
  ])('registers for the scopes %j of a server', async (scopes, granted, strict) => {
    const sandbox = await startTestSandbox({ strict })
    const serverUrl = await serveMcpSite(sandbox.url, scopes)
    const client = createProvider()
    expect(await auth(client.provider, { serverUrl })).toBe('REDIRECT')
    expect(client.kept.opened?.searchParams.get('resource')).toBe(serverUrl)
    const callback = await createUserAgent('carol').authorize(client.kept.opened!)
    const authorizationCode = callback.searchParams.get('code')!
    const iss = callback.searchParams.get('iss') ?? undefined
    const options = { serverUrl, authorizationCode, ...(iss === undefined ? {} : { iss }) }
    expect(await auth(client.provider, options)).toBe('AUTHORIZED')
    expect(client.kept.tokens?.scope).toBe(granted.join(' '))
    const headers = { authorization: `Bearer ${client.kept.tokens?.access_token}` }
    expect(await (await fetch(serverUrl, { headers })).json()).toMatchObject({ name: 'carol' })
    expect(await auth(client.provider, { serverUrl })).toBe('AUTHORIZED')
    const { items } = await sandbox.control<TokenList>('GET', 'tokens')
    const latest = items.slice(0, 2).map(({ resources }) => resources)
    expect(latest).toEqual([[serverUrl], [serverUrl]])
  })
})
