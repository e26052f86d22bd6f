import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import { html } from 'hono/html'
import * as client from 'openid-client'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env
const issuer = new URL(OPENID_PROVIDER_URL ?? 'https://huggingface.co')
const redirectUri = `http://localhost:${PORT}/callback`
const cookieSecret = process.env.COOKIE_SECRET ?? 'not for production'
const cookieOptions = { path: '/', httpOnly: true, sameSite: 'Lax' }

const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, {
  // The library insists on https, which a server on this machine has no need of.
  execute: issuer.hostname === 'localhost' ? [client.allowInsecureRequests] : [],
})

const app = new Hono()

app.get('/', async (context) => {
  const name = await getSignedCookie(context, cookieSecret, 'user')
  return context.html(
    name
      ? html`<p>Signed in as ${name}</p>
          <form action="/logout" method="post"><button>Sign out</button></form>`
      : html`<p>Not signed in</p>
          <a href="/login">Sign in</a>`,
  )
})

app.get('/login', async (context) => {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  await setSignedCookie(context, 'checks', `${state} ${verifier}`, cookieSecret, {
    ...cookieOptions,
    maxAge: 600,
  })
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return context.redirect(url.href)
})

app.get('/callback', async (context) => {
  const checks = await getSignedCookie(context, cookieSecret, 'checks')
  deleteCookie(context, 'checks', cookieOptions)
  if (!checks) return context.text('This sign-in was not begun here, or took too long.', 400)
  const [expectedState, pkceCodeVerifier] = checks.split(' ')
  const answer = new URL(redirectUri)
  answer.search = new URL(context.req.url).search
  try {
    const tokens = await client.authorizationCodeGrant(config, answer, {
      expectedState,
      pkceCodeVerifier,
    })
    const { preferred_username: name } = tokens.claims()
    await setSignedCookie(context, 'user', name, cookieSecret, cookieOptions)
    return context.redirect('/')
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      return context.text(`Not signed in: ${error.error_description ?? error.error}`, 403)
    }
    // The hub does not answer, or its answer is not the one to this sign-in.
    return context.text(`The sign-in failed: ${error.message}`, 502)
  }
})

app.post('/logout', (context) => {
  deleteCookie(context, 'user', cookieOptions)
  return context.redirect('/')
})

serve({ fetch: app.fetch, port: Number(PORT) })
