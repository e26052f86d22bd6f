import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addressesToWaitFor, waitFor } from '../../../../server/cli/exec/wait-for.ts'

/** A server that answers with these statuses in turn, the last one from then on; 0 = closes, `silent` = waits. */
async function serve(
  statuses: readonly (number | 'silent')[],
): Promise<{ url: URL; asked: () => number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    const status = statuses[Math.min(asked++, statuses.length - 1)] ?? 0
    if (status === 'silent') return
    if (status === 0) response.destroy()
    else response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(100_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/`), asked: () => asked }
}

const heard = () => {
  const lines: string[] = []
  return { lines, print: (line: string) => void lines.push(line) }
}

describe('waiting for a URL', () => {
  const { signal: interrupted } = new AbortController()
  const allowNetwork = false

  test.each([200, 204, 302, 401, 403])('a response with %i ends the wait', async (status) => {
    const { url, asked } = await serve([status])
    const { lines, print } = heard()
    await waitFor([url], { allowNetwork, interrupted, print })
    expect({ asked: asked(), lines }).toEqual({ asked: 1, lines: [] })
  })

  test('a broken, failing or missing page is requested again', async () => {
    const { url, asked } = await serve([0, 503, 404, 200])
    const { lines, print } = heard()
    await waitFor([url], { allowNetwork, interrupted, print })
    expect({ asked: asked(), lines }).toEqual({ asked: 4, lines: [`Waiting for ${url.href}`] })
  })

  test.each([
    [503, /^http:\/\/127\.0\.0\.1:\d+\/ did not respond within 1s: status 503\.$/],
    [0, /did not respond within 1s: socket hang up/],
    ['silent' as const, /did not respond within 1s: no response\.$/],
  ])('reports the last response before the end of the wait: %s', async (status, message) => {
    const { url } = await serve([status, 'silent'])
    const waiting = waitFor([url], { allowNetwork, interrupted, withinMs: 1000, ...heard() })
    await expect(waiting).rejects.toThrow(message)
  })

  test('ends on an interrupt, also while a server is silent', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const controller = new AbortController()
    silent.once('request', () => controller.abort(new Error('Ctrl-C')))
    const url = new URL(`http://127.0.0.1:${port}/`)
    const waiting = waitFor([url], {
      allowNetwork,
      interrupted: controller.signal,
      ...heard(),
    })
    await expect(waiting).rejects.toThrow('Ctrl-C')
  })

  test.each([
    ['localhost:3000', /must be a URL such as/],
    ['ftp://localhost/', /must be a URL such as/],
    ['http://169.254.169.254/', /link-local, metadata or reserved/],
    ['https://8.8.8.8/', /start with --allow-network/],
  ])('%s is refused before the program starts', (text, message) => {
    expect(() => addressesToWaitFor([text], { allowNetwork })).toThrow(message)
  })
})
