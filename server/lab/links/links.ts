import { omitUndefined } from '../../core/omit-undefined.ts'
import { inBackground, messageOf, type Report, warn } from '../../core/background.ts'
import { createTurns } from '../../core/turns.ts'
import type { Deps } from '../../hub/deps.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import { clearTimeout, setTimeout } from '../../core/timers.ts'
import type { StoredLink, Webhook } from '../../store/entities/webhook-entities.ts'
import { errorCode } from '../../store/errors.ts'
import {
  answerCall,
  isNameOfLinks,
  linkAddress,
  type LinkServer,
  openLinkServer,
  refuseStrangeHost,
} from './link-server.ts'
import {
  findTargetProblem,
  hostOf,
  portOf,
  type TargetPolicy,
} from '../../web/outgoing/target-policy.ts'

/** Lifetime of a temporary link, which cannot be renewed. */
const linkLifetimeMs = 72 * 3_600_000
/** A hosted receiver stops this long after its last request. */
const hostedIdleMs = 48 * 3_600_000

export interface Link {
  readonly id: string
  /** Loopback URL with a port of its own, so never the origin of the sandbox. */
  readonly url: string
  /** Absent = a sample receiver, which responds with 200. */
  readonly target?: string
  readonly hosted: boolean
  /** Milliseconds since 1970 on the sandbox clock. */
  readonly expiresAt: number
  /** Reason for the pause, as a sentence; absent = the link works. */
  readonly problem?: string
}

/**
 * URLs that stand in for a tunnel or a hosted receiver. They are part of the state and are restored with it, on the same
 * port. A link whose port is taken is paused, and retries.
 */
export interface Links {
  /**
   * Creates a link. A paused link to the same receiver is opened again instead: on its port or, if that is still taken, on
   * another one, to which its webhooks are moved.
   * @throws {Refusal} `invalid` when the target is not an http or https URL; `conflict` when there are too many links
   */
  create(request: { target?: string; hosted?: boolean }): Promise<Link>
  list(): Promise<Link[]>
  /**
   * Restarts a stopped hosted receiver, or a paused link.
   * @returns `undefined` for an unknown link
   * @throws {Refusal} `conflict` when it is still paused, or an expired tunnel, which cannot be renewed
   */
  wake(id: string): Promise<Link | undefined>
  /** @returns whether the link existed */
  remove(id: string): Promise<boolean>
  /** Opens the links of the state. Never rejects: a link that cannot be opened is paused. */
  takeUp(): Promise<void>
  /** To be called after the state was replaced: closes links that it lacks, and opens its new ones soon. */
  follow(): void
  /** Returns why deliveries of a webhook have to wait, when its target is a paused link. */
  pausedBecause(webhook: Pick<Webhook, 'url'>): string | undefined
  /** Closes all servers; the links stay in the state. */
  close(): Promise<void>
}

export interface LinkOptions {
  /** Total time of one request; longer than the deadline of any delivery, so that the delivery reports its own. */
  deadlineMs?: number
  /** Real time after which a paused link tries its port again. */
  retryMs?: number
  report?: Report
}

export function createLinks(
  { state, bus, clock, ids, settings }: Pick<Deps, 'state' | 'bus' | 'clock' | 'ids' | 'settings'>,
  policy: TargetPolicy,
  { deadlineMs = 60_000, retryMs = 1000, report = warn }: LinkOptions = {},
): Links {
  const servers = new Map<string, LinkServer>()
  /** Reasons why links are paused, by id. */
  const paused = new Map<string, string>()
  let retry: NodeJS.Timeout | undefined
  let closed = false
  /** Runs one change at a time, so that servers and state do not change meanwhile, except by a reset. */
  const inTurn = createTurns()

  function listen(id: string, port: number): Promise<LinkServer> {
    return openLinkServer(
      port,
      (request, response) => {
        inBackground(
          report,
          `a request of the link ${id}`,
          () => {
            const link = state.links.get(id)
            if (link === undefined) response.destroy()
            else if (!refuseStrangeHost(request, response)) {
              const isOver = link.expiresAt <= clock.now()
              if (link.hosted && !isOver) state.links.put({ ...link, expiresAt: endOf(link) })
              answerCall({ ...link, isOver }, request, response, { policy, deadlineMs })
            }
          },
          () => response.destroy(),
        )
      },
      (error) => report(`a request of the link ${id} failed: ${error.message}`),
    )
  }

  /** Listens on any port except those of paused links. */
  async function listenAnywhere(id: string): Promise<LinkServer> {
    const server = await listen(id, 0)
    const isPromised = Array.from(state.links.values()).some(({ port }) => port === server.port)
    if (!isPromised) return server
    try {
      return await listenAnywhere(id)
    } finally {
      await server.close()
    }
  }

  function endOf({ hosted }: Pick<StoredLink, 'hosted'>): number {
    return clock.now() + (hosted ? hostedIdleMs : linkLifetimeMs)
  }

  async function followState(): Promise<void> {
    if (closed) return
    for (const [id, server] of servers) {
      if (state.links.get(id)?.port !== server.port) await stop(id)
    }
    for (const id of paused.keys()) if (!state.links.has(id)) paused.delete(id)
    const missing = Array.from(state.links.values()).filter(({ id }) => !servers.has(id))
    await Promise.all(missing.map(reopen))
    retryLater()
  }

  /** Listens on the previous port of a link; pauses the link if that fails. */
  async function reopen({ id, port }: StoredLink): Promise<void> {
    const before = paused.get(id)
    try {
      if (!Number.isInteger(port) || port < 1) throw new RangeError(`invalid port ${port}`)
      servers.set(id, await listen(id, port))
      paused.delete(id)
    } catch (error) {
      paused.set(id, reasonOf(port, error))
    }
    if (paused.get(id) !== before) reportLink(id, 'paused')
  }

  function retryLater(): void {
    clearTimeout(retry)
    if (closed || paused.size === 0) return
    retry = setTimeout(() => {
      inBackground(report, 'trying the ports of paused links', () => inTurn(followState))
    }, retryMs).unref()
  }

  async function stop(id: string): Promise<void> {
    const server = servers.get(id)
    servers.delete(id)
    await server?.close()
  }

  async function end({ id }: StoredLink): Promise<void> {
    const reached = webhooksOf(id)
    state.links.delete(id)
    if (paused.delete(id)) reportFor(reached, 'paused')
    await stop(id)
  }

  async function makeRoom(): Promise<void> {
    const { links } = state
    const isFull = () => links.size >= settings.caps.links
    if (!isFull()) return
    const ended = Array.from(links.values()).filter(({ expiresAt }) => expiresAt <= clock.now())
    await Promise.all(ended.map(end))
    if (!isFull()) return
    throw new Refusal(
      'conflict',
      `The limit of ${links.size} links is reached: delete one, or raise config.caps.links.`,
    )
  }

  async function makeAgain(link: StoredLink): Promise<Link> {
    const { id } = link
    const reached = webhooksOf(id)
    await reopen(link)
    const server = servers.get(id) ?? (await listenAnywhere(id))
    servers.set(id, server)
    paused.delete(id)
    const again = state.links.put({ ...link, port: server.port, expiresAt: endOf(link) })
    if (server.port !== link.port) {
      for (const webhook of reached) state.webhooks.put(movedTo(webhook, server.port))
      reportFor(reached, 'url')
    }
    return describe(again)
  }

  function webhooksOf(linkId: string): Webhook[] {
    return Array.from(state.webhooks.values()).filter(({ url }) => linkAt(url)?.id === linkId)
  }

  function linkAt(url: string | undefined): StoredLink | undefined {
    if (url === undefined || state.links.size === 0 || !URL.canParse(url)) return undefined
    const address = new URL(url)
    if (address.protocol !== 'http:' || !isNameOfLinks(hostOf(address))) return undefined
    const port = portOf(address)
    return Array.from(state.links.values()).find((link) => link.port === port)
  }

  /** Updates the webhooks of a link, so that their deliveries wait or continue. */
  function reportLink(linkId: string, changed: string): void {
    reportFor(webhooksOf(linkId), changed)
  }

  function reportFor(webhooks: readonly Webhook[], changed: string): void {
    for (const { id } of webhooks)
      bus.emit('webhook.updated', { webhookId: id, changed: [changed] })
  }

  function problemOf({ id, port }: StoredLink): string | undefined {
    const reason = paused.get(id)
    if (reason === undefined) return undefined
    return `The link http://${linkAddress}:${port} is paused: ${reason}. It resumes when its port is free, or when you create the link again.`
  }

  function describe(link: StoredLink): Link {
    const { port, ...rest } = link
    const problem = problemOf(link)
    return {
      ...rest,
      url: `http://${linkAddress}:${port}`,
      ...omitUndefined({ problem }),
    }
  }

  return {
    async create({ target, hosted = false }) {
      const message = target === undefined ? undefined : targetProblem(target, policy)
      refuseIssues(message === undefined ? [] : [{ path: 'target', message }])
      return inTurn(async () => {
        if (closed) throw new Refusal('conflict', 'The sandbox is shutting down.')
        const again = Array.from(state.links.values()).find(
          (link) => paused.has(link.id) && link.target === target && link.hosted === hosted,
        )
        if (again !== undefined) return makeAgain(again)
        await makeRoom()
        const id = ids.of('link').objectId()
        const server = await listenAnywhere(id)
        servers.set(id, server)
        return describe(
          state.links.put({
            id,
            port: server.port,
            ...omitUndefined({ target }),
            hosted,
            expiresAt: endOf({ hosted }),
          }),
        )
      })
    },
    list: () => inTurn(async () => Array.from(state.links.values(), describe)),
    wake: (id) =>
      inTurn(async () => {
        const link = state.links.get(id)
        if (link === undefined) return undefined
        if (paused.has(id)) {
          await reopen(link)
          const problem = problemOf(link)
          if (problem !== undefined) throw new Refusal('conflict', problem)
        } else if (!link.hosted) {
          throw new Refusal(
            'conflict',
            'Only hosted receivers can be restarted. Create a new link.',
          )
        }
        return describe(link.hosted ? state.links.put({ ...link, expiresAt: endOf(link) }) : link)
      }),
    remove: (id) =>
      inTurn(async () => {
        const link = state.links.get(id)
        if (link !== undefined) await end(link)
        return link !== undefined
      }),
    takeUp: () => inTurn(followState),
    follow() {
      for (const { id, port } of state.links.values()) {
        if (servers.get(id)?.port !== port) paused.set(id, 'it is being opened')
      }
      inBackground(report, 'opening the links of another state', () => inTurn(followState))
    },
    pausedBecause({ url }) {
      const link = paused.size === 0 ? undefined : linkAt(url)
      return link && problemOf(link)
    },
    async close() {
      closed = true
      clearTimeout(retry)
      await inTurn(async () => {
        await Promise.all(Array.from(servers.keys(), stop))
      })
    },
  }
}

function targetProblem(target: string, policy: TargetPolicy): string | undefined {
  const isWebUrl = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol)
  if (!isWebUrl) return `${target} is not an http or https URL.`
  return findTargetProblem(new URL(target), policy)
}

function reasonOf(port: number, error: unknown): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return `port ${port} is in use by another program`
  if (code === 'EACCES') return `this user is not allowed to listen on port ${port}`
  return messageOf(error)
}

function movedTo(webhook: Webhook, port: number): Webhook {
  const url = new URL(webhook.url ?? '')
  url.port = String(port)
  return { ...webhook, url: url.href }
}
