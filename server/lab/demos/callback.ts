import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerLimit } from '../../core/header-limit.ts'
import { addressOf } from '../../core/request-target.ts'
import { setImmediate } from '../../core/timers.ts'

/** Callback page of an app: the hub redirects the user's browser to it. */
export interface Callback {
  /** The redirect URI. */
  readonly url: string
  /** Resolves with the URL that the browser requested, including its parameters. */
  readonly arrived: Promise<URL>
  close(): void
}

const done = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Done</title>
<meta name="color-scheme" content="light dark">
<body style="font: 1rem/1.5 system-ui; margin: 4rem auto; max-width: 32rem; padding: 0 1rem">
<h1>The app has the response</h1><p>Close this page and return to where you started the sign-in.</p>
`

/**
 * Serves the callback page on a free loopback port. It responds with its own page and never redirects.
 * @param host of the redirect URI: `localhost` or `127.0.0.1`
 * @param path of the redirect URI
 * @param state of the authorization request (RFC 6749 §10.12): a request without it is ignored
 */
export async function openCallback(host: string, path: string, state: string): Promise<Callback> {
  let resolve: (address: URL) => void = () => {}
  const arrived = new Promise<URL>((settle) => {
    resolve = settle
  })
  const server = createServer(headerLimit, (request, response) => {
    const address = addressOf(request.url ?? '/', `http://${host}`)
    const isResponse =
      address !== undefined &&
      request.method === 'GET' &&
      address.pathname === path &&
      address.searchParams.get('state') === state
    response.writeHead(isResponse ? 200 : 404, {
      'content-type': isResponse ? 'text/html; charset=utf-8' : 'text/plain',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
    // The caller may end the program next, so the page is sent first.
    if (isResponse) response.end(done, () => resolve(address))
    else response.end('This is the callback page of a demo sign-in.\n')
  })
  server.listen(0, host)
  await once(server, 'listening')
  // A user who never returns must not keep the program running.
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}${path}`,
    arrived,
    close() {
      server.close()
      // The page may still be on its way to the browser.
      setImmediate(() => server.closeIdleConnections())
    },
  }
}
