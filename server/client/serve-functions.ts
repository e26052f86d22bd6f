import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeHandler } from '../receiver/adapters/node.ts'

/** Functions of a test, served on a free port while an audit runs. */
export interface ServedFunctions {
  readonly url: string
  close(): Promise<void>
}

const effectsPath = '/hub-sandbox-effects'
const restartPath = '/hub-sandbox-restart'

/**
 * Serves a receiver, a function that returns how much work it has done, and one that restarts it.
 * @returns URLs below which they are: the receiver at any path, the others at `effectsUrl` and `restartUrl`
 */
export async function serveFunctions({
  receive,
  effects,
  restart,
}: {
  receive?: ((request: Request) => Response | Promise<Response>) | undefined
  effects?: (() => unknown) | undefined
  restart?: (() => unknown) | undefined
}): Promise<ServedFunctions & { effectsUrl: string; restartUrl: string }> {
  const handler = nodeHandler(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === effectsPath) return new Response(String(await effects?.()))
    if (pathname === restartPath) {
      await restart?.()
      return new Response()
    }
    return (await receive?.(request)) ?? new Response(null, { status: 404 })
  }, console)
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    effectsUrl: `${url}${effectsPath}`,
    restartUrl: `${url}${restartPath}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
