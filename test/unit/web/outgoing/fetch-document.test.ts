import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fetchDocument, freshnessOf } from '../../../../server/web/outgoing/fetch-document.ts'
import type { TargetPolicy } from '../../../../server/web/outgoing/target-policy.ts'
import { freePort } from '../../../helpers/free-port.ts'
import { hasIpv6 } from '../../../helpers/has-ipv6.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const policy: TargetPolicy = {
  allowNetwork: false,
  ownPorts: () => [],
  resolve: (hostname) => Promise.reject(new Error(`resolved ${hostname}`)),
}

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/client`)
}

describe('fetching a metadata document', () => {
  test('reads a small JSON document and its cache lifetime', async () => {
    const url = await serve((_request, response) => {
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'cache-control': 'public, max-age=60',
        })
        .end('{"a":"ü"}')
    })
    expect(await fetchDocument(url, policy)).toEqual({
      status: 200,
      contentType: 'application/json',
      body: '{"a":"ü"}',
      maxAgeSeconds: 60,
    })
  })

  test('sends no cookie and no credentials', async () => {
    const seen = vi.fn<(headers: object) => void>()
    const url = await serve((request, response) => {
      seen(request.headers)
      response.end('{}')
    })
    await fetchDocument(url, policy)
    expect(seen).toHaveBeenCalledWith({
      accept: 'application/json',
      connection: 'close',
      host: url.host,
    })
  })

  test('returns a redirect instead of following it', async () => {
    const reached = vi.fn<() => void>()
    const inside = await serve((_request, response) => {
      reached()
      response.end()
    })
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: inside.href }).end()
    })
    expect(await fetchDocument(url, policy)).toMatchObject({ status: 302 })
    expect(reached).not.toHaveBeenCalled()
  })

  test('accepts at most 5 KB', async () => {
    let size = 5 * 1024
    const url = await serve((_request, response) => {
      response.end('x'.repeat(size))
    })
    expect((await fetchDocument(url, policy)).body).toHaveLength(size)
    size++
    await expect(fetchDocument(url, policy)).rejects.toThrow('larger than 5 KB')
  })

  test('gives up on an endless and on a truncated body', async () => {
    const endless = await serve((_request, response) => {
      response.write('x'.repeat(1024))
      const drip = setInterval(() => response.write('x'.repeat(1024)), 1)
      response.on('close', () => clearInterval(drip))
    })
    await expect(fetchDocument(endless, policy)).rejects.toThrow('larger than 5 KB')
    const cut = await serve((request, response) => {
      response
        .writeHead(200, { 'content-length': 100 })
        .write('{', () => void request.socket.destroy())
    })
    await expect(fetchDocument(cut, policy)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  test('calls nothing unless the network is allowed', async () => {
    const resolve = async () => [{ address: '93.184.216.34', family: 4 as const }]
    const url = new URL('https://client.example/.well-known/oauth-cimd')
    await expect(fetchDocument(url, { ...policy, resolve })).rejects.toThrow(
      /93\.184\.216\.34 is a public address; start with --allow-network .*clientMetadataDocuments/,
    )
  })

  test('names the mistake', async () => {
    const port = await freePort()
    const hosts = ['localhost', '127.0.0.1', ...((await hasIpv6()) ? ['[::1]'] : [])]
    for (const host of hosts) {
      const url = new URL(`http://${host}:${port}/client`)
      await expect(fetchDocument(url, policy)).rejects.toThrow(/ECONNREFUSED/)
    }
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND client.example'), {
      code: 'ENOTFOUND',
    })
    const offline = { ...policy, resolve: () => Promise.reject(unknown) }
    const url = new URL('https://client.example/.well-known/oauth-cimd')
    await expect(fetchDocument(url, offline)).rejects.toThrow(
      /ENOTFOUND.*clientMetadataDocuments.*--allow-network/,
    )
    await expect(fetchDocument(url, { ...offline, allowNetwork: true })).rejects.toThrow(
      /ENOTFOUND[^-]*clientMetadataDocuments in the fixtures$/,
    )
  })

  test.each([
    ['', undefined],
    ['public', undefined],
    ['max-age=60', 60],
    ['public, Max-Age = "60"', 60],
    ['max-age=60, s-maxage=5', 5],
    ['s-maxage=0, max-age=60', 0],
    ['no-store', 0],
    ['max-age=60, no-cache', 0],
    ['NO-STORE, max-age=60', 0],
    ['max-age=soon', 0],
    ['x-max-age=60', undefined],
    ['max-age=60, max-age=1', 60],
  ])('derives the cache lifetime from Cache-Control %j (RFC 9111 §5.2.2)', (header, seconds) => {
    expect(freshnessOf(header)).toBe(seconds)
  })

  test.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]/x',
    'http://[::ffff:169.254.169.254]/',
  ])('never connects to %s', async (url) => {
    await expect(fetchDocument(new URL(url), { ...policy, allowNetwork: true })).rejects.toThrow(
      'link-local',
    )
  })

  test('connects to the checked IP address without a second DNS lookup', async () => {
    const reached = vi.fn<(host: string | undefined) => void>()
    const site = await serve((request, response) => {
      reached(request.headers.host)
      response.end('{}')
    })
    const resolve = vi
      .fn<TargetPolicy['resolve']>()
      .mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }])
      .mockRejectedValue(new Error('resolved twice'))
    const url = new URL(`http://rebound.test:${site.port}/client`)
    await fetchDocument(url, { ...policy, resolve })
    expect(reached).toHaveBeenCalledWith(`rebound.test:${site.port}`)
  })
})
