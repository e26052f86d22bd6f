/** Cause of a failed connection. */
export type ConnectObstacle =
  /** Invalid URL. */
  | 'address'
  /** Nothing listens there. */
  | 'silent'
  /** The connection is refused or not trusted. */
  | 'unreachable'
  /** The server is not a sandbox. */
  | 'stranger'
  | 'version'
  | 'control-token'

/** Error of a connection to a sandbox; the message says how to fix it. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly obstacle: ConnectObstacle

  constructor(obstacle: ConnectObstacle, message: string, options?: ErrorOptions) {
    super(message, options)
    this.obstacle = obstacle
  }
}
