import { oauthHandleRedirect, oauthLoginUrl } from '@huggingface/hub'
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { createUserAgent } from '../user-agent.ts'

export interface LibraryOptions {
  issuer: string
  clientId: string
}

/** Session of a user whom a library has signed in. */
export interface LibrarySession {
  /** Returns the user whom the app knows, if any. */
  user(): string | undefined
  /** Makes the app call the Hub. */
  use?(): Promise<unknown>
}

/** Signs alice in by a library. */
export type LibraryApp = (options: LibraryOptions) => Promise<LibrarySession>

const redirectUri = 'http://localhost:53682/callback'
const scope = 'openid profile'

/** The Hub's own library, as its documentation shows it. */
export const huggingfaceHub: LibraryApp = async ({ issuer, clientId }) => {
  const localStorage: { codeVerifier?: string; nonce?: string } = {}
  const url = await oauthLoginUrl({
    clientId,
    hubUrl: issuer,
    redirectUrl: redirectUri,
    scopes: scope,
    localStorage,
  })
  const callback = await createUserAgent('alice').authorize(url)
  const { userInfo } = await oauthHandleRedirect({
    hubUrl: issuer,
    redirectedUrl: callback.href,
    ...localStorage,
  })
  return { user: () => userInfo.sub }
}

/** openid-client 6, with the checks that its documentation shows. @param readsUserinfo otherwise it has the user from the ID token */
function openidClient(readsUserinfo: boolean): LibraryApp {
  return async ({ issuer, clientId }) => {
    const config = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    })
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const expectedNonce = openid.randomNonce()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const callback = await createUserAgent('alice').authorize(url)
    const tokens = await openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
    })
    const subject = tokens.claims()?.sub ?? ''
    if (readsUserinfo) await openid.fetchUserInfo(config, tokens.access_token, subject)
    return { user: () => subject }
  }
}

export const openidClientWithUserinfo = openidClient(true)
export const openidClientWithClaims = openidClient(false)

/** oauth4webapi with every check that it has, the signature of the ID token included. */
export const oauth4webapi: LibraryApp = async ({ issuer, clientId }) => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const url = new URL(issuer)
  const server = await oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, insecure),
  )
  const client = { client_id: clientId }
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const nonce = oauth.generateRandomNonce()
  const authorization = new URL(server.authorization_endpoint ?? '')
  authorization.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const callback = await createUserAgent('alice').authorize(authorization)
  const parameters = oauth.validateAuthResponse(server, client, callback, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, response, insecure)
  const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? { sub: '' }
  const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
  await oauth.processUserInfoResponse(server, client, sub, userinfo)
  return { user: () => sub }
}

/** The MCP SDK, as an editor uses it for the sandbox's own MCP server. It leaves `state` to the editor. */
export const mcpSdk: LibraryApp = async ({ issuer, clientId }) => {
  const state = crypto.randomUUID()
  let tokens: OAuthTokens | undefined
  let verifier = ''
  let opened: URL | undefined
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'Editor',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved
    },
    invalidateCredentials: (what) => {
      if (what !== 'verifier') tokens = undefined
    },
    redirectToAuthorization: (url) => {
      opened = url
    },
    saveCodeVerifier: (saved) => {
      verifier = saved
    },
    codeVerifier: () => verifier,
  }
  const client = new Client({ name: 'editor', version: '1.0.0' })
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${issuer}/mcp?login`), { authProvider })
  const first = transport()
  try {
    await client.connect(first)
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || opened === undefined) throw error
    const answer = (await createUserAgent('alice').authorize(opened)).searchParams
    if (answer.get('state') !== state)
      throw new Error('The state is another one.', { cause: error })
    await first.finishAuth(answer.get('code') ?? '')
    await client.connect(transport())
  }
  const whoami = async () => JSON.stringify(await client.callTool({ name: 'hf_whoami' }))
  if (!(await whoami()).includes('alice')) throw new Error('The server does not know the user.')
  return { user: () => tokens && 'alice', use: whoami }
}
