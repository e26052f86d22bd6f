import { Socket, type SocketConstructorOpts } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

/**
 * Plain connection that acts like TLS to the hub for the program: the sandbox is on this machine, and has no
 * certificate for another name. It provides the properties that clients expect of a TLS socket.
 */
export class ReroutedSocket extends Socket {
  readonly encrypted = true
  readonly authorized = true
  readonly authorizationError = null
  // HTTP/1.1, as without ALPN.
  readonly alpnProtocol = false
  readonly servername: string
  secureConnecting = true

  constructor(options: ConnectionOptions) {
    super(socketOptions(options))
    this.servername = options.servername ?? options.host ?? ''
    this.once('connect', () => {
      this.secureConnecting = false
      this.emit('secureConnect')
    })
    if (options.timeout !== undefined && options.timeout > 0) this.setTimeout(options.timeout)
  }

  getPeerCertificate(): object {
    return {}
  }
  getPeerX509Certificate(): undefined {}
  getCertificate(): object {
    return {}
  }
  getX509Certificate(): undefined {}
  getCipher(): object {
    return { name: 'none', standardName: 'none', version: 'none' }
  }
  getEphemeralKeyInfo(): object {
    return {}
  }
  getProtocol(): null {
    return null
  }
  getSession(): undefined {}
  getTLSTicket(): undefined {}
  getFinished(): undefined {}
  getPeerFinished(): undefined {}
  getSharedSigalgs(): string[] {
    return []
  }
  isSessionReused(): boolean {
    return false
  }
  setServername(): void {}
  setSession(): void {}
  setMaxSendFragment(): boolean {
    return true
  }
  disableRenegotiation(): void {}
  enableTrace(): void {}
}

/** TLS options about the stream, rather than its target and trust. */
function socketOptions(options: ConnectionOptions): SocketConstructorOpts {
  const { allowHalfOpen, signal, onread, noDelay, keepAlive, keepAliveInitialDelay } =
    options as ConnectionOptions & SocketConstructorOpts & Record<string, unknown>
  const given = { allowHalfOpen, signal, onread, noDelay, keepAlive, keepAliveInitialDelay }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
