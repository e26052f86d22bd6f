import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'
import { Strategy } from 'openid-client/passport'
import passport from 'passport'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env
const issuer = new URL(OPENID_PROVIDER_URL ?? 'https://huggingface.co')

const config = await client.discovery(issuer, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, undefined, {
  // The library insists on https, which a server on this machine has no need of.
  execute: issuer.hostname === 'localhost' ? [client.allowInsecureRequests] : [],
})

passport.use(
  'huggingface',
  new Strategy(
    {
      config,
      scope: 'openid profile email',
      callbackURL: `http://localhost:${PORT}/auth/huggingface/callback`,
    },
    (tokens, verified) => {
      const { sub, preferred_username: name } = tokens.claims()
      verified(null, { id: sub, name })
    },
  ),
)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(
  session({
    secret: process.env.SESSION_SECRET ?? 'not for production',
    resave: false,
    saveUninitialized: false,
  }),
)
app.use(passport.session())

app.get('/', (request, response) => {
  // Passport keeps here why a sign-in failed, for the next page to show.
  const [message] = request.session.messages ?? []
  delete request.session.messages
  const said = message === undefined ? '' : `<p role="alert">${escape(message)}</p>`
  const status = request.user
    ? `<p>Signed in as ${escape(request.user.name)}</p><form action="/logout" method="post"><button>Sign out</button></form>`
    : '<p>Not signed in</p><a href="/auth/huggingface">Sign in</a>'
  response.send(said + status)
})
app.get('/auth/huggingface', passport.authenticate('huggingface'))
app.get(
  '/auth/huggingface/callback',
  passport.authenticate('huggingface', {
    successRedirect: '/',
    failureRedirect: '/',
    failureMessage: true,
  }),
)
app.post('/logout', (request, response, next) => {
  request.logout((error) => (error ? next(error) : response.redirect('/')))
})

// The hub does not answer, or its answer is not the one to this sign-in.
app.use((error, _request, response, _next) => {
  response.status(502).send(`<p role="alert">The sign-in failed: ${escape(error.message)}</p>`)
})

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

app.listen(PORT, () => console.log(`http://localhost:${PORT}`))
