import { oauthHandleRedirect, oauthLoginUrl } from '@huggingface/hub'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { createUserAgent } from '../user-agent.ts'

export interface LibraryOptions {
  issuer: string
  clientId: string
}

/** Signs alice in by a library. @returns the user whom the app knows then */
export type LibraryApp = (options: LibraryOptions) => Promise<unknown>

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
  return userInfo.sub
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
    return subject
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
  return sub
}
