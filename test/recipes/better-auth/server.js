import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import express from 'express'
import { auth } from './auth.js'

const { PORT = 3000 } = process.env

const app = express()
app.all('/api/auth/*splat', toNodeHandler(auth))

app.get('/', async (request, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  const refusal = request.query.error_description ?? request.query.error
  const said = refusal === undefined ? '' : `<p role="alert">${escape(String(refusal))}</p>`
  const status = session
    ? `<p>Signed in as ${escape(session.user.name)}</p><form action="/logout" method="post"><button>Sign out</button></form>`
    : '<p>Not signed in</p><form action="/login" method="post"><button>Sign in</button></form>'
  response.send(said + status)
})
app.post('/login', async (request, response) => {
  const { headers, response: answer } = await auth.api.signInSocial({
    body: { provider: 'huggingface', callbackURL: '/', errorCallbackURL: '/' },
    headers: fromNodeHeaders(request.headers),
    returnHeaders: true,
  })
  response.setHeaders(headers).redirect(answer.url)
})
app.post('/logout', async (request, response) => {
  const { headers } = await auth.api.signOut({
    headers: fromNodeHeaders(request.headers),
    returnHeaders: true,
  })
  response.setHeaders(headers).redirect('/')
})

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

app.listen(PORT, () => console.log(`http://localhost:${PORT}`))
