import type { Server, Socket } from 'node:net'

/** The open connections of servers: Node's own list lacks those that were upgraded. */
export interface Connections {
  watch(server: Server): void
  /**
   * Lets go of those that have not said a word. Browsers and clients connect ahead of need, and Node takes them for
   * busy: a server that closes would wait for them as for an answer.
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
      // A handshake is no word yet: its bytes count for the socket below this one.
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
