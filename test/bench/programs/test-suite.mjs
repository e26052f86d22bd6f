// Suite of 50 tests. Each resets the sandbox, signs a user in as an app does, calls the API, and receives a delivery from
// programs that send any.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { options, ready } from './child.mjs'

const tests = 50
const redirectUri = 'http://localhost/callback'
/** @type {{ of: keyof typeof suites, modules: string, delivers: boolean }} */
const { of, modules, delivers } = options()

/** @param {string} path of a package, or of the built sandbox */
const load = (path) =>
  import(
    (path.startsWith('.') ? new URL(path, import.meta.url) : pathToFileURL(join(modules, path)))
      .href
  )

/** @type {(() => void) | undefined} */
let arrived
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    response.end()
    arrived?.()
  })
})
await new Promise((resolve) => {
  receiver.listen(0, '127.0.0.1', () => resolve(undefined))
})
const { port } = /** @type {import('node:net').AddressInfo} */ (receiver.address())
const receiverUrl = `http://127.0.0.1:${port}/`

/** @param {() => Promise<unknown>} act causes a delivery */
async function delivered(act) {
  const delivery = new Promise((resolve) => {
    arrived = () => resolve(undefined)
  })
  await Promise.all([act(), delivery])
}

/** @param {string} url @param {RequestInit} [init] @returns {Promise<any>} */
async function json(url, init) {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** @param {string} url @param {RequestInit} [init] @returns the code at the redirect URI */
async function codeFrom(url, init) {
  const response = await fetch(url, { redirect: 'manual', ...init })
  await response.arrayBuffer()
  const code = new URL(response.headers.get('location') ?? url).searchParams.get('code')
  if (code === null) throw new Error(`${url}: ${response.status}, and no code`)
  return code
}

/** @param {Record<string, string>} fields */
const form = (fields) => new URLSearchParams(fields)

/** @param {string} token */
const bearer = (token) => ({ headers: { authorization: `Bearer ${token}` } })

/** The authorization code flow with PKCE of a public client. @param {string} authorize @param {string} token @param {string} clientId */
async function signIn(authorize, token, clientId) {
  const verifier = randomBytes(32).toString('base64url')
  const query = form({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-of-the-suite',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const code = await codeFrom(`${authorize}?${query.toString()}`)
  const body = form({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  })
  return json(token, { method: 'POST', body })
}

const suites = {
  async 'hub-sandbox'() {
    const { startSandbox } = await load('../../../dist/library/index.cjs')
    const sandbox = await startSandbox({ autoApprove: 'alice', deliveryProfile: 'ci' })
    const { url, fixtures } = sandbox
    /** @param {string} token @param {object} body */
    const post = (token, body) => ({
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { clientId } = fixtures.apps.find(
      (/** @type {any} */ { clientSecret }) => clientSecret === undefined,
    )
    return async () => {
      await sandbox.reset()
      const { access_token: token } = await signIn(
        `${url}/oauth/authorize`,
        `${url}/oauth/token`,
        clientId,
      )
      await json(`${url}/${delivers ? 'api/whoami-v2' : 'oauth/userinfo'}`, bearer(token))
      if (!delivers) return
      const watched = [{ type: 'dataset', name: 'acme/corpus' }]
      const webhook = { url: receiverUrl, watched, domains: ['repo'] }
      await json(`${url}/api/settings/webhooks`, post('hf_sandbox_alice', webhook))
      const tag = post('hf_sandbox_alice', { tag: 'of-the-suite' })
      await delivered(() => fetch(`${url}/api/datasets/acme/corpus/tag/main`, tag))
    }
  },

  async 'oauth2-mock-server'() {
    const { OAuth2Server } = await load('oauth2-mock-server/dist/index.mjs')
    const server = new OAuth2Server()
    await server.issuer.keys.generate('RS256')
    await server.start(0, '127.0.0.1')
    const { url } = server.issuer
    // It has no state to reset.
    return async () => {
      const { access_token: token } = await signIn(`${url}/authorize`, `${url}/token`, 'suite')
      await json(`${url}/userinfo`, bearer(token))
    }
  },

  async emulate() {
    const { createEmulator } = await load('emulate/dist/api.js')
    const clientId = 'suite'
    const clientSecret = 'secret-of-the-suite'
    const app = {
      client_id: clientId,
      client_secret: clientSecret,
      name: 'Suite',
      redirect_uris: [redirectUri],
    }
    const emulator = await createEmulator({
      service: 'github',
      port: options().port,
      seed: {
        tokens: { token_of_the_suite: { login: 'octocat', scopes: ['repo', 'admin:repo_hook'] } },
        github: {
          users: [{ login: 'octocat', name: 'Octocat', email: 'octocat@example.com' }],
          repos: [{ owner: 'octocat', name: 'hello-world', auto_init: true }],
          oauth_apps: [app],
        },
      },
    })
    const { url } = emulator
    const repo = `${url}/repos/octocat/hello-world`
    /** @param {object} body */
    const post = (body) => ({
      method: 'POST',
      headers: { authorization: 'token token_of_the_suite', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const asked = { client_id: clientId, redirect_uri: redirectUri, scope: 'repo', state: 'state' }
    return async () => {
      emulator.reset()
      // It always shows a page with its users, and reads the choice from a form.
      await (await fetch(`${url}/login/oauth/authorize?${form(asked).toString()}`)).text()
      const chosen = { method: 'POST', body: form({ login: 'octocat', ...asked }) }
      const code = await codeFrom(`${url}/login/oauth/callback`, chosen)
      const { access_token: token } = await json(`${url}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: form({
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: redirectUri,
          code,
        }),
      })
      await json(`${url}/user`, bearer(token))
      const config = { url: receiverUrl, content_type: 'json' }
      await json(`${repo}/hooks`, post({ config, events: ['issues'] }))
      await delivered(() => json(`${repo}/issues`, post({ title: 'Of the suite' })))
    }
  },
}

const test = await suites[of]()

ready(receiverUrl, {
  /** Milliseconds for each test; the first one includes code that is loaded on demand. */
  async run() {
    const began = performance.now()
    for (let index = 0; index < tests; index++) await test()
    return (performance.now() - began) / tests
  },
})
