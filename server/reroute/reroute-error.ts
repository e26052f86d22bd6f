import type { Socket } from 'node:net'
import type { Route } from './routes.ts'

/** A request was to go to the sandbox and cannot: it fails, rather than go to the hub itself. */
export class RerouteError extends Error {
  override readonly name = 'RerouteError'
  /** That of the socket, where a connection failed. */
  readonly code: string | undefined

  constructor(message: string, options?: { cause: NodeJS.ErrnoException }) {
    super(message, options)
    this.code = options?.cause.code
  }
}

/** Has a connection that cannot be made say what it was for. */
export function explainUnreachable(socket: Socket, { origin, to }: Route): void {
  const destroy = socket.destroy.bind(socket)
  let isConnected = false
  socket.once('connect', () => {
    isConnected = true
  })
  socket.destroy = (error) => {
    if (error === undefined || isConnected || error instanceof RerouteError) return destroy(error)
    const { code, message } = error as NodeJS.ErrnoException
    const why = `${origin.origin} is rerouted to the sandbox at ${to.origin}, which cannot be reached (${code ?? message}).`
    return destroy(new RerouteError(why, { cause: error }))
  }
}
