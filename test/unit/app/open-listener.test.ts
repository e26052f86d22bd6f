import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepCertificate } from '../../../server/app/certificate.ts'
import { type ListenOptions, openListeners } from '../../../server/app/open-listener.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'
import { hasIpv6 } from '../../helpers/has-ipv6.ts'

async function open(options: Partial<ListenOptions> = {}) {
  const listeners = await openListeners({
    port: 0,
    hosts: ['127.0.0.1'],
    hostsAreDefault: false,
    ...options,
  })
  onTestFinished(async () => {
    listeners.destroy()
    await listeners.close()
  })
  return listeners
}

const get = (host: string, port: number) =>
  new Promise<string>((resolve, reject) => {
    http
      .get({ host, port, agent: false }, (response) => resolve(text(response)))
      .on('error', reject)
  })

describe('listeners', () => {
  test('hold requests that come before the server is built', async () => {
    const listeners = await open()
    const { port } = listeners
    const arrived = once(listeners.primary, 'request')
    const early = get('127.0.0.1', port)
    await arrived
    listeners.serve((_request, response) => response.end('served'))
    expect(await early).toBe('served')
    expect(await get('127.0.0.1', port)).toBe('served')
  })

  test('answer on every address at one port, upgrades included', async ({ skip }) => {
    skip(!(await hasIpv6()), 'the machine has no IPv6')
    const listeners = await open({ hosts: ['127.0.0.1', '::1'] })
    const { port, primary } = listeners
    listeners.serve((_request, response) => response.end('served'))
    expect(await get('127.0.0.1', port)).toBe('served')
    expect(await get('::1', port)).toBe('served')

    primary.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 418 No\r\n\r\n'))
    const upgrade = http.get({
      host: '::1',
      port,
      headers: { connection: 'upgrade', upgrade: 'websocket' },
    })
    const status = await new Promise((resolve) => {
      upgrade.on('response', ({ statusCode }) => resolve(statusCode))
    })
    expect(status).toBe(418)
  })

  test('leave out an address that the machine lacks only where it is the default', async () => {
    // TEST-NET-1 (RFC 5737): no machine has it.
    const hosts = ['127.0.0.1', '192.0.2.1']
    const { port } = await open({ hosts, hostsAreDefault: true })
    expect(port).toBeGreaterThan(0)
    await expect(open({ hosts })).rejects.toMatchObject({
      name: 'ListenError',
      message: expect.stringMatching(/no address 192\.0\.2\.1/),
    })
  })

  test('say which port is in use, and leave nothing open', async () => {
    const holder = net.createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void holder.close())
    const { port } = holder.address() as AddressInfo
    await expect(open({ port })).rejects.toMatchObject({
      name: 'ListenError',
      message: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    })
  })

  test('say that a sandbox has the port, and what to do', async () => {
    const holder = http.createServer((_request, response) => response.end('{"status":"ok"}'))
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void holder.close())
    const { port } = holder.address() as AddressInfo
    await expect(open({ port })).rejects.toMatchObject({
      name: 'ListenError',
      port,
      sandboxUrl: `http://localhost:${port}`,
      message: expect.stringMatching(
        `A sandbox runs at http://localhost:${port} already .* stop it with ".* stop --url http://localhost:${port}"`,
      ),
    })
  })

  test('take no more connections once closed', async () => {
    const listeners = await open()
    const { port } = listeners
    listeners.serve((_request, response) => response.end('served'))
    await get('127.0.0.1', port)
    await listeners.close()
    await expect(get('127.0.0.1', port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('wait for no connection that was opened ahead of need, and for one that speaks', async () => {
    const listeners = await open()
    const { port, primary } = listeners
    listeners.serve((_request, response) => {
      setTimeout(() => response.end('served'), 200)
    })
    const connected = once(primary, 'connection')
    const silent = text(net.connect({ host: '127.0.0.1', port }))
    await connected
    const asked = once(primary, 'request')
    const answer = get('127.0.0.1', port)
    await asked

    await listeners.close()
    expect(await answer).toBe('served')
    expect(await silent).toBe('')
  })

  test('wait for no TLS connection that has not asked either', async () => {
    const certificate = await keepCertificate(temporaryDirectory(), ['localhost'])
    const listeners = await open({ certificate })
    const client = tls.connect({ port: listeners.port, rejectUnauthorized: false })
    await once(client, 'secureConnect')
    client.resume()
    const ended = once(client, 'end')
    await expect(listeners.close()).resolves.toBeUndefined()
    await ended
  })

  test('let go of everything at the end, be it held, upgraded or silent', async () => {
    const listeners = await open()
    const { port, primary } = listeners
    const upgraded = new Promise((resolve) => primary.once('upgrade', resolve))
    const ask = (head: string) => {
      const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true })
      socket.write(head)
      return text(socket)
    }
    const ends = [
      ask('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      ask('GET / HT'),
      ask('GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\nHost: localhost\r\n\r\n'),
    ]
    await upgraded
    const closed = listeners.close()
    listeners.destroy()
    await closed
    expect(await Promise.all(ends)).toEqual(['', '', ''])
  })

  test('end an upgrade that nobody takes', async ({ skip }) => {
    skip(!(await hasIpv6()), 'the machine has no IPv6')
    const { port } = await open({ hosts: ['127.0.0.1', '::1'] })
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    const request = http.get({ host: '::1', port, headers })
    await expect(
      new Promise((resolve, reject) => request.on('response', resolve).on('error', reject)),
    ).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

test('an upload may take longer than any limit for the whole request', async () => {
  const { primary } = await open()
  expect(primary.requestTimeout).toBe(0)
  expect(primary.headersTimeout).toBe(60_000)
})
