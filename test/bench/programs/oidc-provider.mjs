// oidc-provider with its development pages and its store in memory. It prints its URL as a command does.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const { path, redirectUri, publicClient, machineClient } = JSON.parse(process.argv[2] ?? '{}')
const { Provider } = await import(pathToFileURL(path).href)

const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
const url = `http://127.0.0.1:${port}`
const provider = new Provider(url, {
  clients: [
    {
      client_id: publicClient,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      redirect_uris: [redirectUri],
    },
    {
      client_id: machineClient.id,
      client_secret: machineClient.secret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
  ],
  cookies: { keys: ['key of the bench'] },
  features: { clientCredentials: { enabled: true }, deviceFlow: { enabled: true } },
  issueRefreshToken: async () => true,
})
server.on('request', provider.callback())
process.stdout.write(`${JSON.stringify({ url })}\n`)
