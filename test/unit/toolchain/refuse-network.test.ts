import { once } from 'node:events'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type LookupFunction } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { attempts } from '../../helpers/refuse-network.ts'

// Reserved for documentation (RFC 5737): a guard with a hole would wait here, and reach nobody.
const far = '192.0.2.1'
const refusal = /nothing but this machine/

describe('unit tests', () => {
  test('reach nothing beyond this machine', async () => {
    expect(() => connect(80, far)).toThrow(refusal)
    expect(() => connect({ host: 'hub.example', port: 443 })).toThrow(refusal)
    expect(() => connectTls({ host: far, port: 443 })).toThrow(refusal)
    expect(() => request(`http://${far}/`)).toThrow(refusal)
    await expect(fetch(`https://${far}/`)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(refusal) },
    })
    // Left in the list, they would fail this test.
    expect(attempts.splice(0)).toEqual([far, 'hub.example', far, far, far])
  })

  test('reach nothing that a lookup of their own finds elsewhere', async () => {
    const lookup: LookupFunction = (_name, _options, callback) => callback(null, far, 4)
    const socket = connect({ host: 'hub.example', port: 80, lookup })
    const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(2_000) })
    expect(error).toMatchObject({ message: expect.stringMatching(refusal) })
    expect(attempts.splice(0)).toEqual([far])
  })

  test('reach this machine by each of its names', async () => {
    const server = createServer((socket) => socket.end())
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await once(connect(port), 'connect')
    await once(connect(port, '127.0.0.1'), 'connect')
    await once(connect({ host: 'localhost', port }), 'connect')
    expect(attempts).toEqual([])
  })
})
