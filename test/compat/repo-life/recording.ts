import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request as forward,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { large } from './contents.ts'
import type { Life } from './seen.ts'

/** An address that an answer has told: what is done there to which content of Git LFS, and to which part of it. */
interface Told {
  action: 'upload' | 'verify' | 'download'
  oid: string
  part?: number
}

/** A request that a client made, without what is another one each time. */
export interface RecordedRequest {
  method: string
  to: { path: string } | Told
  headers: Record<string, string>
  /** Body as text, or a byte range of the large file. */
  body?: string | { from: number; until: number }
  /** Status of the response. */
  status: number
}

/** The parts of a life. */
export type Recording = Record<keyof Life, RecordedRequest[]>

/** Request as the server reads it. */
const keptHeaders = ['accept', 'accept-encoding', 'content-type', 'range', 'authorization']

interface BatchAnswer {
  objects: {
    oid: string
    actions?: Partial<
      Record<'upload' | 'verify', { href: string; header?: Record<string, string> }>
    >
  }[]
}

/** Purpose of each URL in a response. */
function readAddresses(batch: BatchAnswer): Map<string, Told> {
  const places = new Map<string, Told>()
  for (const { oid, actions = {} } of batch.objects) {
    for (const action of ['upload', 'verify'] as const) {
      const { href, header = {} } = actions[action] ?? {}
      if (href !== undefined) places.set(pathOf(href), { action, oid })
      for (const [name, value] of Object.entries(header)) {
        if (/^\d+$/.test(name)) places.set(pathOf(value), { action, oid, part: Number(name) })
      }
    }
  }
  return places
}

/** Purpose of the URL of a redirect to the LFS storage, if any. */
function readRedirect(location: string | null | undefined): [path: string, Told][] {
  const oid = /\/info\/lfs\/objects\/([0-9a-f]{64})\?/.exec(location ?? '')?.[1]
  return oid === undefined ? [] : [[pathOf(location ?? ''), { action: 'download', oid }]]
}

const isBatch = (path: string) => path.endsWith('/info/lfs/objects/batch')

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

export interface Recorder {
  /** For the client. */
  url: string
  requests: RecordedRequest[]
  close(): Promise<void>
}

/** Stands between a client and a sandbox, and writes down what the client asks. */
export async function startRecorder(target: string): Promise<Recorder> {
  const requests: RecordedRequest[] = []
  const told = new Map<string, Told>()

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const body = await buffer(incoming)
    const made: RecordedRequest = {
      method,
      to: told.get(url) ?? { path: url },
      headers: Object.fromEntries(
        keptHeaders.flatMap((name) => {
          const value = headers[name]
          return typeof value === 'string' ? [[name, value]] : []
        }),
      ),
      ...(body.length === 0 ? {} : { body: recordBody(body) }),
      status: 0,
    }
    requests.push(made)
    const asked = forward(target + url, { method, headers })
    asked.end(body)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const content = await buffer(answer)
    made.status = answer.statusCode ?? 0
    if (isBatch(url)) {
      const addresses = readAddresses(JSON.parse(content.toString()) as BatchAnswer)
      for (const [address, use] of addresses) told.set(address, use)
    }
    for (const [address, use] of readRedirect(answer.headers.location)) told.set(address, use)
    outgoing.writeHead(made.status, answer.rawHeaders)
    outgoing.end(content)
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: Error) => outgoing.destroy(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function recordBody(body: Buffer): RecordedRequest['body'] & {} {
  if (body.length < 100_000) return body.toString('utf8')
  const from = large.indexOf(body.subarray(0, 64))
  if (!large.subarray(from, from + body.length).equals(body)) {
    throw new Error('a large body that is no part of the large file')
  }
  return { from, until: from + body.length }
}

/** Makes recorded requests again, one after the other. */
export async function replay(requests: readonly RecordedRequest[], url: string): Promise<number[]> {
  const addresses = new Map<string, string>()
  const statuses: number[] = []
  for (const { method, to, headers, body } of requests) {
    const path = 'path' in to ? to.path : addresses.get(keyOf(to))
    if (path === undefined)
      throw new Error(`no answer has told the address of ${JSON.stringify(to)}`)
    const sent = typeof body === 'object' ? large.subarray(body.from, body.until) : body
    const answer = await fetch(url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(sent === undefined ? {} : { body: sent }),
    })
    statuses.push(answer.status)
    const content = await answer.arrayBuffer()
    for (const [address, use] of readRedirect(answer.headers.get('location'))) {
      addresses.set(keyOf(use), address)
    }
    if (!isBatch(path)) continue
    const batch = JSON.parse(Buffer.from(content).toString()) as BatchAnswer
    for (const [address, use] of readAddresses(batch)) addresses.set(keyOf(use), address)
  }
  return statuses
}

const keyOf = ({ action, oid, part }: Told) => `${action} ${oid} ${part ?? ''}`
