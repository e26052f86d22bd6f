import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { headerLimit } from '../../core/header-limit.ts'
import { addressOf } from '../../core/request-target.ts'
import { setImmediate } from '../../core/timers.ts'

/** The page of an app that the hub sends a person's browser back to. */
export interface Callback {
  /** The redirect URI. */
  readonly url: string
  /** The address it came back by, with the parameters in it. */
  readonly arrived: Promise<URL>
  close(): void
}

const done = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Done</title>
<meta name="color-scheme" content="light dark">
<body style="font: 1rem/1.5 system-ui; margin: 4rem auto; max-width: 32rem; padding: 0 1rem">
<h1>The app has its answer</h1><p>Close this page and go back to where the sign-in was started.</p>
`

/**
 * Plays the callback page on a free loopback port. It answers with a page of its own and leads nowhere else.
 * @param host of the redirect URI: `localhost` or `127.0.0.1`
 * @param path of the redirect URI
 * @param state of the authorization request (RFC 6749 §10.12): what does not carry it is not the answer
 */
export async function openCallback(host: string, path: string, state: string): Promise<Callback> {
  let resolve: (address: URL) => void = () => {}
  const arrived = new Promise<URL>((settle) => {
    resolve = settle
  })
  const server = createServer(headerLimit, (request, response) => {
    const address = addressOf(request.url ?? '/', `http://${host}`)
    const isAnswer =
      address !== undefined &&
      request.method === 'GET' &&
      address.pathname === path &&
      address.searchParams.get('state') === state
    response.writeHead(isAnswer ? 200 : 404, {
      'content-type': isAnswer ? 'text/html; charset=utf-8' : 'text/plain',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    })
    // Whoever waits may end the program next: the page goes first.
    if (isAnswer) response.end(done, () => resolve(address))
    else response.end('This is the callback page of a sign-in that is tried.\n')
  })
  server.listen(0, host)
  await once(server, 'listening')
  // Somebody who never comes back keeps no program running.
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}${path}`,
    arrived,
    close() {
      server.close()
      // The page is still on its way.
      setImmediate(() => server.closeIdleConnections())
    },
  }
}
