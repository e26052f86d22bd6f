import type { DeliveryWire } from '../../server/web/outgoing/wire.ts'
import type { Send } from '../../server/web/outgoing/wire.ts'
import { createOutgoing } from '../../server/web/outgoing/outgoing.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type ClockOptions, createClock } from '../../server/core/clock.ts'
import { createIds, seededBytes } from '../../server/core/ids.ts'
import type { Settings } from '../../server/core/settings.ts'
import { realTime } from '../../server/app/system-time.ts'
import { createBus } from '../../server/hub/events/bus.ts'
import type { HubEvent } from '../../server/hub/events/hub-event.ts'
import type { Delivery, Webhook } from '../../server/store/entities/webhook-entities.ts'
import { definitions, stateFormatVersion } from '../../server/store/state.ts'
import { openStore } from '../../server/store/store.ts'
import { createWebhookEngine } from '../../server/hub/webhooks/engine/engine.ts'
import type { EngineOptions } from '../../server/hub/webhooks/engine/engine.ts'
import type { TargetPolicy } from '../../server/web/outgoing/target-policy.ts'
import { testSettings } from '../worlds/settings.ts'
import { limitRounds } from './limit-rounds.ts'

/** Runs after the present test, the last one first. */
export function atEnd(cleanup: () => unknown): void {
  // A hook of this module would be one of the first file alone: the files of a worker share it.
  onTestFinished(async () => {
    await cleanup()
  })
}

export const aliceId = 'a11ce0000000000000000001'
export const acmeId = 'acce00000000000000000001'
export const repoId = '4e9000000000000000000001'

/** A wire whose other end the test plays. */
export function wireOf(post: Send): DeliveryWire {
  return { ...createOutgoing(loopbackOnly), post }
}

export const loopbackOnly: TargetPolicy = {
  allowNetwork: false,
  ownPorts: () => [],
  resolve: (hostname) => Promise.reject(new Error(`tests resolve nothing: ${hostname}`)),
}

export interface WorldOptions {
  settings?: Partial<Settings>
  engine?: Partial<EngineOptions>
  /** Default: frozen at the beginning of 2026. */
  clock?: ClockOptions
  /** Folder of the state; absent = in memory. */
  directory?: string
  /** Whether the end of the test checks that each event met each webhook once. Default true. */
  isAccounted?: boolean
}

/** An engine with all that it needs, on a frozen clock, and an owner with a repo to watch. */
export async function createWebhookWorld({
  settings: changes = {},
  engine: engineOptions = {},
  clock: clockOptions = { initial: { frozenAt: Date.UTC(2026, 0, 1) } },
  directory,
  isAccounted = true,
}: WorldOptions = {}) {
  const store = await openStore(definitions, {
    formatVersion: stateFormatVersion,
    ...(directory !== undefined && { directory }),
  })
  const state = store.collections
  const clock = createClock(clockOptions)
  const ids = createIds(seededBytes('webhooks'))
  const bus = createBus(clock)
  const settings: Settings = { ...testSettings, ...changes }
  const deps = { settings, clock, ids, state, bus }
  const engine = createWebhookEngine(deps, {
    committed: () => store.committed(),
    wire: createOutgoing(loopbackOnly),
    realTime,
    jobs: {
      start: () => {
        throw new Error('this test has no jobs')
      },
    },
    ...engineOptions,
  })
  const ledger = keepLedger()
  state.users.put({
    id: aliceId,
    username: 'alice',
    fullname: 'Alice',
    email: 'alice@example.com',
    emailVerified: true,
    isPro: true,
    canPay: true,
    createdAt: clock.now(),
  })
  state.organizations.put({
    id: acmeId,
    name: 'acme',
    fullname: 'Acme',
    plan: 'enterprise',
    canPay: true,
    members: [{ userId: aliceId, role: 'admin' }],
    resourceGroups: [],
    securityRestrictions: [],
    createdAt: clock.now(),
  })
  let isOpen = true

  function keepLedger() {
    const met: { eventId: string; webhookIds: string[] }[] = []
    bus.on('hub.event', ({ data }) => {
      met.push({
        eventId: data.id,
        webhookIds: Array.from(state.webhooks.values(), ({ id }) => id),
      })
    })
    return met
  }

  function account(): void {
    for (const { eventId, webhookIds } of ledger) {
      const delivered = state.deliveries
        .group('event', eventId)
        .filter(({ derivedFrom }) => derivedFrom === undefined)
        .map(({ webhookId }) => webhookId)
      const skipped = state.skippedEvents.get(eventId)?.webhooks.map(({ id }) => id) ?? []
      expect(delivered.length + skipped.length).toBe(webhookIds.length)
      expect(new Set([...delivered, ...skipped])).toEqual(new Set(webhookIds))
    }
    for (const delivery of state.deliveries.values()) {
      const isFinished = ['succeeded', 'failed', 'cancelled'].includes(delivery.state)
      expect([delivery.state, delivery.finishedAt !== undefined]).toEqual([
        delivery.state,
        isFinished,
      ])
      expect(state.attempts.group('delivery', delivery.id).map(({ number }) => number)).toEqual(
        Array.from({ length: delivery.attempts }, (_, index) => index + 1),
      )
    }
  }

  async function close(graceMs = 0): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await engine.close(graceMs)
    if (isAccounted) account()
    clock.close()
    await store.close()
  }
  atEnd(() => close())

  return {
    deps: { ...deps, engine },
    store,
    state,
    clock,
    bus,
    engine,
    close,
    addWebhook(changes: Partial<Webhook> = {}): Webhook {
      return state.webhooks.put({
        id: ids.objectId(),
        ownerId: aliceId,
        watched: [{ type: 'org', name: 'acme' }],
        domains: ['repo', 'discussion'],
        status: 'enabled',
        consecutiveFailures: 0,
        createdAt: clock.now(),
        ...changes,
      })
    },
    emit(changes: Partial<HubEvent> = {}): HubEvent {
      const event = makeEvent({ id: ids.objectId(), at: clock.now(), ...changes })
      bus.emit('hub.event', event)
      return event
    },
    /** The one delivery there is. */
    only(): Delivery {
      expect(state.deliveries.size).toBe(1)
      return state.deliveries.first()!
    },
    async settle(timeoutMs = 20_000): Promise<void> {
      expect(await engine.idle({ timeoutMs })).toBe(true)
    },
    /** When the earliest retry is due. */
    nextDue(): number | undefined {
      const times = state.deliveries.group('state', 'waiting').map(({ nextRetryAt }) => nextRetryAt)
      return times.reduce((a, b) => (a === undefined || (b ?? Infinity) < a ? b : a), undefined)
    },
    /** Goes through the retries that are due until a time, by default through all. */
    async everyRetry(until = Infinity): Promise<void> {
      const round = limitRounds(1000)
      for (let due = this.nextDue(); due !== undefined && due <= until; due = this.nextDue()) {
        round()
        await this.nextRetry()
      }
    },
    /** Moves the clock to the next due retry and waits until it is through. */
    async nextRetry(): Promise<number> {
      const due = this.nextDue()
      if (due === undefined) throw new Error('nothing waits')
      clock.set(due)
      await this.settle()
      return due
    },
  }
}

export type WebhookWorld = Awaited<ReturnType<typeof createWebhookWorld>>

export function makeEvent(changes: Partial<HubEvent> = {}): HubEvent {
  return {
    id: 'e00000000000000000000001',
    scope: 'repo.content',
    action: 'update',
    at: 0,
    cause: 'api',
    repo: {
      id: repoId,
      type: 'dataset',
      name: 'acme/corpus',
      private: false,
      ownerId: acmeId,
      headSha: 'f'.repeat(40),
    },
    updatedRefs: [{ ref: 'refs/heads/main', oldSha: 'e'.repeat(40), newSha: 'f'.repeat(40) }],
    ...changes,
  }
}

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** A receiver that answers 200, or as told, and remembers what came. */
export async function startReceiver(
  answer: (request: Received, response: ServerResponse) => void = (_request, response) => {
    response.end('ok')
  },
) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      received.push(entry)
      answer(entry, response)
    })
  })
  const port = await listen(server)
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, port, url: `http://127.0.0.1:${port}/hook`, server }
}

/** A receiver below HTTP, for what no HTTP server would do. */
export async function startRawReceiver(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The sender may hang up on what it has had enough of.
    socket.on('error', () => socket.destroy())
    onConnection(socket)
  })
  const port = await listen(server)
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port, url: `http://127.0.0.1:${port}/hook` }
}

async function listen(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
