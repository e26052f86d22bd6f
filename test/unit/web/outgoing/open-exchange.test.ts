import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { fetchDocument } from '../../../../server/web/outgoing/fetch-document.ts'
import { postDelivery } from '../../../../server/web/outgoing/post-delivery.ts'
import { createLinks } from '../../../../server/lab/links/links.ts'
import {
  atEnd,
  loopbackOnly,
  startRawReceiver,
  startReceiver,
} from '../../../helpers/webhook-world.ts'
import { createDomain } from '../../../helpers/deps.ts'
import { createGate } from '../../receiver/kit.ts'

const deadlineMs = 200

/** Writes to the other side again and again, as soon as it has taken what was written before. */
function flood(socket: Socket, text: string): void {
  const pour = () => {
    if (!socket.destroyed) socket.write(text, () => setImmediate(pour))
  }
  pour()
}

const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'

/** Behaviour of a server, with the result for document, delivery and link. */
const misbehaviours: [
  does: string,
  behave: (socket: Socket) => void,
  outcomes: { document: string; delivery: string; link: string },
][] = [
  [
    'never answers',
    () => undefined,
    { document: 'no response within 200ms', delivery: 'timeout', link: 'status 502' },
  ],
  [
    'answers 101 and stays',
    (socket) => socket.once('data', () => socket.write(switching)),
    { document: 'status 101', delivery: 'http_status', link: 'status 502' },
  ],
  [
    'answers 101 and floods',
    (socket) =>
      socket.once('data', () => {
        socket.write(switching)
        flood(socket, 'x'.repeat(1000))
      }),
    { document: 'status 101', delivery: 'http_status', link: 'status 502' },
  ],
  [
    'floods with informational answers',
    (socket) => socket.once('data', () => flood(socket, 'HTTP/1.1 102 Processing\r\n\r\n')),
    { document: 'no response within 200ms', delivery: 'timeout', link: 'status 502' },
  ],
  [
    'drips headers',
    (socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const timer = setInterval(() => socket.write('X: y\r\n'), 10)
        socket.on('close', () => clearInterval(timer))
      }),
    { document: 'no response within 200ms', delivery: 'timeout', link: 'status 502' },
  ],
  [
    'begins a body and stops',
    (socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
    {
      document: 'the response was not complete within 200ms',
      delivery: 'timeout',
      // An answer that has begun can only be cut off.
      link: 'terminated',
    },
  ],
]

const statusOrMessage = (outcome: Promise<{ status: number }>) =>
  outcome.then(
    ({ status }) => `status ${status}`,
    (error: Error) => error.message,
  )

describe('a faulty server of an outgoing request', () => {
  test.each(misbehaviours)('%s: the document fetch fails', async (_does, behave, { document }) => {
    const { url } = await startRawReceiver(behave)
    const fetching = fetchDocument(new URL(url), loopbackOnly, { deadlineMs })
    expect(await statusOrMessage(fetching)).toBe(document)
  })

  test.each(misbehaviours)('%s: the delivery fails', async (_does, behave, { delivery }) => {
    const { url } = await startRawReceiver(behave)
    const request = { url, headers: [], body: '{}', deadlineMs, connectTimeoutMs: deadlineMs }
    const { error } = await postDelivery(request, loopbackOnly).result
    expect(error?.class).toBe(delivery)
  })

  test.each(misbehaviours)(
    '%s: the caller of a link gets an error',
    async (_does, behave, { link }) => {
      const { url: target } = await startRawReceiver(behave)
      const { deps } = await createDomain()
      const links = createLinks(deps, loopbackOnly, { deadlineMs })
      atEnd(() => links.close())
      const { url } = await links.create({ target })
      const calling = fetch(url).then(async (response) => {
        await response.text()
        return response
      })
      expect(await statusOrMessage(calling)).toBe(link)
    },
  )

  test.each(['http', 'https'])('accepts a connection of %s and reads nothing', async (scheme) => {
    const { port } = await startRawReceiver((socket) => socket.pause())
    const url = new URL(`${scheme}://127.0.0.1:${port}/x`)
    await expect(fetchDocument(url, loopbackOnly, { deadlineMs })).rejects.toThrow(
      'no response within 200ms',
    )
  })

  test('may take longer to respond than to connect', async () => {
    const connectTimeoutMs = 1000
    // Set later, this timer ends later than one for the connection that was not put out.
    const { url } = await startReceiver((_request, response) => {
      setTimeout(() => response.end(), connectTimeoutMs)
    })
    const request = { url, headers: [], body: '{}', deadlineMs: 20_000, connectTimeoutMs }
    expect(await postDelivery(request, loopbackOnly).result).toMatchObject({ status: 200 })
  })

  test('is not called if the request ends before DNS responds', async () => {
    const { port, received } = await startReceiver()
    const resolving = createGate()
    const resolve = async () => {
      await resolving.promise
      return [{ address: '127.0.0.1', family: 4 as const }]
    }
    const send = (path: string) =>
      postDelivery(
        {
          url: `http://receiver.test:${port}${path}`,
          headers: [],
          body: '{}',
          deadlineMs: 20_000,
          connectTimeoutMs: 20_000,
        },
        { ...loopbackOnly, resolve },
      )
    const first = send('/first')
    const second = send('/second')
    first.abort({ class: 'aborted_by_shutdown', message: 'stopped' })
    resolving.resolve()
    expect(await second.result).toMatchObject({ status: 200 })
    expect(received.map(({ path }) => path)).toEqual(['/second'])
  })

  test('has a host name without DNS response', async () => {
    const policy = { ...loopbackOnly, resolve: () => new Promise<never>(() => undefined) }
    await expect(
      fetchDocument(new URL('http://slow.test/x'), policy, { deadlineMs }),
    ).rejects.toThrow('no response within 200ms')
  })
})
