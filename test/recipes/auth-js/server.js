import { ExpressAuth, getSession } from '@auth/express'
import HuggingFace from '@auth/express/providers/huggingface'
import express from 'express'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env

// AUTH_SECRET is read by the library itself.
const config = {
  trustHost: true,
  providers: [
    HuggingFace({
      issuer: OPENID_PROVIDER_URL ?? 'https://huggingface.co',
      clientId: OAUTH_CLIENT_ID,
      clientSecret: OAUTH_CLIENT_SECRET,
      // A public app has no secret.
      client: OAUTH_CLIENT_SECRET ? {} : { token_endpoint_auth_method: 'none' },
      authorization: { params: { scope: 'openid profile email' } },
    }),
  ],
}

const app = express()
app.use('/auth', ExpressAuth(config))
app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  response.send(
    session?.user
      ? `<p>Signed in as ${escape(session.user.email)}</p><a href="/auth/signout">Sign out</a>`
      : '<p>Not signed in</p><a href="/auth/signin">Sign in</a>',
  )
})

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

app.listen(PORT, () => console.log(`http://localhost:${PORT}`))
