import { connect } from 'node:net'

/** Sends the beginning of a request, hangs up, and waits until the server has done so, too. */
export async function sendCut(url: string, head: readonly string[], body: string): Promise<void> {
  const { port, hostname, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const [start, ...headers] = head
  const lines = [start, `Host: ${host}`, ...headers, '', body]
  await new Promise<void>((resolve) => {
    socket.write(lines.join('\r\n'), () => socket.end(resolve))
  })
  await new Promise((resolve) => socket.once('close', resolve).resume())
}
