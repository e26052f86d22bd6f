/** What is in the way of a connection. */
export type ConnectObstacle =
  /** What was given is no address. */
  | 'address'
  /** Nothing listens there. */
  | 'silent'
  /** The way there is closed. */
  | 'unreachable'
  /** What answers is no sandbox. */
  | 'stranger'
  | 'version'
  | 'control-token'

/** A sandbox that runs elsewhere cannot be had; the message says what helps. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly obstacle: ConnectObstacle

  constructor(obstacle: ConnectObstacle, message: string, options?: ErrorOptions) {
    super(message, options)
    this.obstacle = obstacle
  }
}
