import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import * as client from 'openid-client'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env
const { INFERENCE_URL = 'https://router.huggingface.co' } = process.env
const issuer = new URL(OPENID_PROVIDER_URL ?? 'https://huggingface.co')
const redirectUri = `http://localhost:${PORT}/callback`
const model = 'meta-llama/Llama-3.1-8B-Instruct'
const cookieOptions = { path: '/', httpOnly: true, sameSite: 'Lax' }

/** Sign-ins that have begun, and sessions with the user's access token, by the value of their cookie. */
const begun = new Map()
const sessions = new Map()

const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, {
  // The library requires https, which a server on this machine does not need.
  execute: issuer.hostname === 'localhost' ? [client.allowInsecureRequests] : [],
})

const app = new Hono()

const page = (content) => html`<!doctype html><title>Chat</title>${content}`
const sessionOf = (context) => sessions.get(getCookie(context, 'session'))
const form = html`<form action="/chat" method="post">
  <input name="message" required /><button>Send</button>
</form>`

app.get('/', (context) => {
  const session = sessionOf(context)
  return context.html(
    page(
      session
        ? html`<p>Hello, ${session.name}</p>
            ${form}`
        : html`<a href="/login">Sign in</a>`,
    ),
  )
})

app.get('/login', async (context) => {
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  begun.set(state, verifier)
  setCookie(context, 'state', state, { ...cookieOptions, maxAge: 600 })
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile inference-api',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return context.redirect(url.href)
})

app.get('/callback', async (context) => {
  const expectedState = getCookie(context, 'state')
  const pkceCodeVerifier = begun.get(expectedState)
  deleteCookie(context, 'state', cookieOptions)
  begun.delete(expectedState)
  if (!pkceCodeVerifier) return context.text('This sign-in did not begin here.', 400)
  const answer = new URL(redirectUri)
  answer.search = new URL(context.req.url).search
  try {
    const checks = { expectedState, pkceCodeVerifier }
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    const id = randomUUID()
    const { preferred_username: name } = tokens.claims()
    sessions.set(id, { name, token: tokens.access_token })
    setCookie(context, 'session', id, cookieOptions)
    return context.redirect('/')
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      return context.text(`Not signed in: ${error.error_description ?? error.error}`, 403)
    }
    // The hub does not answer, or its answer is not the one to this sign-in.
    return context.text(`The sign-in failed: ${error.message}`, 502)
  }
})

app.post('/chat', async (context) => {
  const session = sessionOf(context)
  if (!session) return context.redirect('/login')
  const { message } = await context.req.parseBody()
  const response = await fetch(`${INFERENCE_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${session.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: String(message) }] }),
  })
  if (response.status === 402) return context.text('You have no inference credits left.', 402)
  // The token has expired or was revoked.
  if (response.status === 401) return context.redirect('/login')
  if (!response.ok) return context.text(`The model did not answer: ${response.status}`, 502)
  const { choices } = await response.json()
  return context.html(
    page(
      html`<p>${choices[0].message.content}</p>
        ${form}`,
    ),
  )
})

serve({ fetch: app.fetch, port: Number(PORT) })
