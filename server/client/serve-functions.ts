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

/**
 * Serves a receiver, and a function that returns how much work it has done.
 * @returns URLs below which they are: the receiver at any path, the effects at `effectsUrl`
 */
export async function serveFunctions(
  receive: ((request: Request) => Response | Promise<Response>) | undefined,
  effects: (() => unknown) | undefined,
): Promise<ServedFunctions & { effectsUrl: string }> {
  const handler = nodeHandler(async (request) => {
    if (new URL(request.url).pathname === effectsPath)
      return new Response(String(await effects?.()))
    return (await receive?.(request)) ?? new Response(null, { status: 404 })
  }, console)
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    effectsUrl: `${url}${effectsPath}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
