import type { Server, Socket } from 'node:net'

/** Open connections of servers; Node's own list lacks upgraded ones. */
export interface Connections {
  watch(server: Server): void
  /**
   * Closes connections that have sent nothing. Browsers and clients connect in advance, and Node counts such
   * connections as busy, so closing a server would wait for them.
   */
  endSilent(): void
  endAll(): void
}

export function createConnections(): Connections {
  const sockets = new Set<Socket>()
  function note(socket: Socket): void {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  return {
    watch(server) {
      server.on('connection', note)
      // The bytes of a TLS handshake do not count here, but for the socket below this one.
      server.on('secureConnection', note)
    },
    endSilent() {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    },
    endAll() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
