import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inBackground, warn } from '../core/background.ts'
import type { Deps } from '../core/deps.ts'
import { Refusal, refuseIssues } from '../core/refusal.ts'
import { openExchange } from '../outgoing/exchange.ts'
import { classifyNetworkError } from './network-errors.ts'
import { findTargetProblem, type TargetPolicy } from './target.ts'

/** A temporary link expires this long after it was made; nothing renews it. */
export const linkLifetimeMs = 72 * 3_600_000
/** A hosted receiver stops this long after its last call. */
export const hostedIdleMs = 48 * 3_600_000
/** For one call in all; longer than any delivery waits, so that a delivery's own deadline is what its log tells. */
const forwardDeadlineMs = 60_000

export interface Link {
  readonly id: string
  /** Its own port of the loopback: never the origin of the sandbox. */
  readonly url: string
  /** Absent: a sample receiver, which answers 200 itself. */
  readonly target?: string
  readonly hosted: boolean
  /** Milliseconds since 1970 on the sandbox clock. */
  readonly expiresAt: number
}

/** Addresses that stand in for a tunnel or a hosted receiver. They live as long as the process. */
export interface Links {
  /** @throws {Refusal} `invalid_request` when the target is no http or https URL; `conflict` when there are too many */
  create(request: { target?: string; hosted?: boolean }): Promise<Link>
  list(): Link[]
  /**
   * Starts a hosted receiver again, as its owner does on the page of a stopped one.
   * @returns `undefined` when there is no such link
   * @throws {Refusal} `conflict` when it is a tunnel, which nothing renews
   */
  wake(id: string): Link | undefined
  /** @returns whether there was such a link */
  remove(id: string): Promise<boolean>
  /** Ends all of them. */
  clear(): Promise<void>
}

interface OpenLink extends Link {
  readonly server: Server
}

export function createLinks(
  { clock, ids, settings }: Pick<Deps, 'clock' | 'ids' | 'settings'>,
  policy: TargetPolicy,
  deadlineMs = forwardDeadlineMs,
): Links {
  const links = new Map<string, OpenLink>()

  function pass(id: string, request: IncomingMessage, response: ServerResponse): void {
    const link = links.get(id)
    if (link === undefined || link.expiresAt <= clock.now()) {
      const why = link?.hosted === true ? 'stopped after 48 h without a call' : 'expired after 72 h'
      answer(response, link?.hosted === true ? 503 : 410, `This link has ${why}.`)
      return
    }
    if (!isLoopbackHost(request.headers.host)) {
      answer(response, 403, 'This link answers under loopback names only.')
      return
    }
    if (link.hosted) links.set(id, { ...link, expiresAt: clock.now() + hostedIdleMs })
    if (link.target === undefined) {
      receive(request, response)
      return
    }
    forward(new URL(link.target), request, response, policy, deadlineMs).catch((error: unknown) => {
      const { message } = classifyNetworkError(error)
      answer(response, 502, `The receiver behind this link cannot be reached: ${message}`)
    })
  }

  function problemOf(target: string): string | undefined {
    if (!isWebUrl(target)) return `${target} is no http or https URL.`
    return findTargetProblem(new URL(target), policy)
  }

  async function makeRoom(): Promise<void> {
    const isFull = () => links.size >= settings.caps.links
    if (!isFull()) return
    const ended = [...links.values()].filter(({ expiresAt }) => expiresAt <= clock.now())
    await Promise.all(ended.map(close))
    if (!isFull()) return
    throw new Refusal(
      'conflict',
      `There are ${links.size} links: delete one, or raise config.caps.links.`,
    )
  }

  async function close({ id, server }: OpenLink): Promise<void> {
    links.delete(id)
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  return {
    async create({ target, hosted = false }) {
      const message = target === undefined ? undefined : problemOf(target)
      refuseIssues(message === undefined ? [] : [{ path: 'target', message }])
      await makeRoom()
      const id = ids.objectId()
      const server = http.createServer((request, response) => {
        inBackground(
          warn,
          `a call of the link ${id}`,
          () => pass(id, request, response),
          () => response.destroy(),
        )
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', resolve)
      })
      server.on('error', (error) => warn(`a call of the link ${id} failed: ${error.message}`))
      const { port } = server.address() as AddressInfo
      const link: OpenLink = {
        id,
        url: `http://127.0.0.1:${port}`,
        ...(target === undefined ? {} : { target }),
        hosted,
        expiresAt: clock.now() + (hosted ? hostedIdleMs : linkLifetimeMs),
        server,
      }
      links.set(id, link)
      return link
    },
    list: () => [...links.values()],
    wake(id) {
      const link = links.get(id)
      if (link === undefined) return undefined
      if (!link.hosted) {
        throw new Refusal(
          'conflict',
          'Only a hosted receiver can be started again: make a new link.',
        )
      }
      const awake = { ...link, expiresAt: clock.now() + hostedIdleMs }
      links.set(id, awake)
      return awake
    },
    async remove(id) {
      const link = links.get(id)
      if (link !== undefined) await close(link)
      return link !== undefined
    },
    async clear() {
      await Promise.all(Array.from(links.values(), close))
    },
  }
}

function isWebUrl(target: string): boolean {
  return URL.canParse(target) && /^https?:$/.test(new URL(target).protocol)
}

/** Of what a link itself answers; a receiver's answer comes back as the receiver made it. */
const ownHeaders = { 'X-Content-Type-Options': 'nosniff' }

/** What the smallest receiver does: read it all, say that it arrived. */
function receive(request: IncomingMessage, response: ServerResponse): void {
  request.on('end', () => {
    response
      .writeHead(200, { ...ownHeaders, 'Content-Type': 'application/json' })
      .end('{"processed":true}\n')
  })
  request.resume()
}

/** Hands a request on as it is, but for where it goes; the answer comes back as it comes. */
async function forward(
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  policy: TargetPolicy,
  deadlineMs: number,
): Promise<void> {
  const exchange = openExchange(
    {
      url: target,
      path: pathBelow(target, request.url ?? '/'),
      method: request.method ?? 'GET',
      headers: { ...request.headers, host: target.host },
      body: request,
      deadlineMs,
    },
    policy,
    {
      onHead: (incoming) => {
        if (incoming.statusCode === 101) {
          answer(response, 502, 'The receiver behind this link wants another protocol than HTTP.')
          return
        }
        response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders)
        incoming.pipe(response)
      },
    },
  )
  // Whoever called has gone: nobody waits for the receiver any more.
  response.on('close', () => exchange.abort(new Error('the caller has gone')))
  await exchange.done
}

/** The path of the call below the path of the target. */
function pathBelow(target: URL, path: string): string {
  const base = target.pathname.replace(/\/$/, '')
  return path === '/' ? (base === '' ? '/' : base) + target.search : base + path
}

function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response
    .writeHead(status, { ...ownHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${message}\n`)
}
