// The provider of the package `oidc-provider`, with a client that gets opaque tokens by itself.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const [, , entry = ''] = process.argv
const { Provider } = await import(pathToFileURL(entry).href)
const client = {
  client_id: 'bench',
  client_secret: 'secret-of-the-bench',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [client],
    features: { clientCredentials: { enabled: true } },
    scopes: ['read-repos'],
  })
  server.on('request', provider.callback())
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
})
