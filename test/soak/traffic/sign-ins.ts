import { createHash, randomBytes } from 'node:crypto'
import { aliceToken, exchangeApp, publicApp, redirectUri, secretApp } from '../fixtures.ts'
import { type Act, type Answer, type Client, expectStatus, Unexpected } from './client.ts'

interface Tokens {
  access_token: string
  refresh_token?: string
}

interface AppOfSignIn {
  id: string
  secret?: string
}

const basic = ({ id, secret }: { id: string; secret: string }) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

function codeOf({ headers, status, text }: Answer): string {
  const location = headers.location
  const code =
    location === undefined ? null : new URL(location, redirectUri).searchParams.get('code')
  if (code === null) throw new Unexpected(`no code: ${status} ${location} ${text.slice(0, 200)}`)
  return code
}

/** A whole sign-in by the pages, with PKCE. */
async function signIn(client: Client, app: AppOfSignIn): Promise<Tokens> {
  const login = await client.request('POST', '/login', { form: { user: 'alice' } })
  const cookie = login.headers['set-cookie']?.[0]?.split(';', 1)[0]
  if (cookie === undefined) throw new Unexpected(`no session: ${login.status}`)
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: app.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-of-the-soak',
    prompt: 'consent',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const path = `/oauth/authorize?${query}`
  const page = expectStatus(await client.request('GET', path, { headers: { cookie } }), [200])
  const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const headers = { cookie, origin: client.url }
  const code = codeOf(
    await client.request('POST', path, { headers, form: { nonce, decision: 'approve' } }),
  )
  const { id, secret } = app
  return client.call<Tokens>('POST', '/oauth/token', {
    headers: secret === undefined ? {} : basic({ id, secret }),
    form: {
      grant_type: 'authorization_code',
      client_id: id,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    },
  })
}

const askWith = async (client: Client, token: string) => {
  await client.call('GET', '/oauth/userinfo', { token })
  await client.call('GET', '/api/whoami-v2', { token })
}

const wholeSignIn: Act = async (client) => {
  const tokens = await signIn(client, { id: publicApp })
  await askWith(client, tokens.access_token)
  for (let round = 0, { refresh_token } = tokens; round < 3 && refresh_token; round++) {
    const next = await client.call<Tokens>('POST', '/oauth/token', {
      form: { grant_type: 'refresh_token', client_id: publicApp, refresh_token },
    })
    refresh_token = next.refresh_token
  }
}

const signInWithSecret: Act = async (client) => {
  const { access_token: token } = await signIn(client, secretApp)
  await askWith(client, token)
  await client.call('POST', '/api/credentials/revoke', { json: { credentials: [token] } })
  expectStatus(await client.request('GET', '/oauth/userinfo', { token }), [401])
}

/** Takes back what all sign-ins before have given: what nobody takes back lives for ever. */
const disconnect: Act = async (client) => {
  for (const id of [publicApp, secretApp.id]) {
    await client.control('DELETE', `consents?user=alice&clientId=${id}`)
  }
}

const denied: Act = async (client) => {
  const query = { client_id: publicApp, redirect_uri: redirectUri, response_type: 'code' }
  await client.control('POST', 'authorize', { ...query, user: 'bob', decision: 'deny' })
}

interface Device {
  device_code: string
  user_code: string
}

const startDevice = (client: Client) =>
  client.call<Device>('POST', '/oauth/device', { form: { client_id: publicApp, scope: 'openid' } })

const pollDevice = (client: Client, { device_code }: Device) =>
  client.request('POST', '/oauth/token', {
    form: { grant_type: deviceGrant, client_id: publicApp, device_code },
  })

/** Polls too fast, is told to slow down, and is approved. */
const deviceFlow: Act = async (client) => {
  const device = await startDevice(client)
  for (let poll = 0; poll < 3; poll++) expectStatus(await pollDevice(client, device), [400])
  const decision = { user: 'alice', decision: 'approve' }
  await client.control('POST', `device/${device.user_code}`, decision)
  expectStatus(await pollDevice(client, device), [200, 400])
}

/** Most devices are never approved. */
const forgottenDevice: Act = async (client) => {
  expectStatus(await pollDevice(client, await startDevice(client)), [400])
}

const exchange: Act = async (client) => {
  const { access_token: token } = await client.call<Tokens>('POST', '/oauth/token', {
    headers: basic(exchangeApp),
    form: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'alice@example.com',
      subject_token_type: 'urn:service:token-type:user-email',
      scope: 'openid profile',
    },
  })
  await client.call('GET', '/api/whoami-v2', { token })
}

/** Clients that register themselves, and are never seen again. */
const registration: Act = async (client) => {
  const registered = await client.call<{ client_id: string }>('POST', '/oauth/register', {
    json: { client_name: client.newName('registered'), redirect_uris: [redirectUri] },
  })
  await client.control('POST', 'authorize', {
    user: 'bob',
    client_id: registered.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
}

const metadataDocument: Act = async (client) => {
  const url = `https://${client.newName('client')}.example/.well-known/oauth-cimd`
  const document = {
    client_id: url,
    client_name: 'Documented',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  }
  await client.control('POST', 'client-metadata-documents', { url, document })
  await client.control('POST', 'authorize', {
    user: 'alice',
    client_id: url,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  await client.control('DELETE', `client-metadata-documents/${encodeURIComponent(url)}`)
}

const discovery: Act = async (client) => {
  await client.call('GET', '/.well-known/openid-configuration')
  await client.call('GET', '/oauth/jwks')
  await client.call('GET', '/api/whoami-v2', { token: aliceToken })
}

export const signIns: Record<string, Act> = {
  wholeSignIn,
  signInWithSecret,
  disconnect,
  denied,
  deviceFlow,
  forgottenDevice,
  exchange,
  registration,
  metadataDocument,
  discovery,
}
