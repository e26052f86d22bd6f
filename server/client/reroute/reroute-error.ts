import type { Socket } from 'node:net'
import type { Route } from './routes.ts'

/** Error of a rerouted request: it fails rather than reach the real hub. */
export class RerouteError extends Error {
  override readonly name = 'RerouteError'
  /** Code of the socket error, if any. */
  readonly code: string | undefined

  constructor(message: string, options?: { cause: NodeJS.ErrnoException }) {
    super(message, options)
    this.code = options?.cause.code
  }
}

/** Adds the origin to the error of a failed connection. */
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
