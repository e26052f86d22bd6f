import net from 'node:net'

/** Tells whether the machine has the loopback address of IPv6. */
export async function hasIpv6(): Promise<boolean> {
  const server = net.createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '::1', resolve)
    })
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
