import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A free port, for what must know its address before it listens. No system takes a port of this range for a listener or
 * a connection that may have any, so none of those that run beside a test gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000)
  const server = createServer().listen(port, 'localhost')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort()
    throw error
  }
  server.close()
  await once(server, 'close')
  return port
}
