import type { AddBarrierRequest, Barrier, ReleasedBarrier } from '../../contract/control-faults.ts'
import type { Deps } from '../../hub/deps.ts'
import type { Issue } from '../../core/config-error.ts'
import { Refusal, refuseIssues } from '../../core/refusal.ts'
import { matches, type Subject } from './matching.ts'

/** Rules that hold requests until a test releases them in an order of its choice, to provoke races. */
export interface Barriers {
  readonly size: number
  /** @throws {Refusal} `invalid` for a barrier that matches deliveries or a sign-in */
  add(request: AddBarrierRequest): Barrier
  list(): Barrier[]
  get(id: string): Barrier | undefined
  /**
   * Releases the held requests in order, and removes the barrier.
   * @param order request ids; unlisted ones follow in the order of their arrival
   * @throws {Refusal} `not_found`; `invalid` when `order` names a request that is not held
   */
  release(id: string, order?: readonly string[]): ReleasedBarrier
  /** Releases all requests and removes all barriers. */
  clear(): void
  /**
   * Holds a request at the first barrier that matches and has room.
   * @returns `undefined` when no barrier holds it
   */
  hold(requestId: string, subject: Subject): Promise<void> | undefined
  /** Drops a request whose client has closed the connection, and frees its place. */
  leave(requestId: string): void
}

interface Held {
  requestId: string
  go: () => void
}

interface Rule {
  id: string
  request: AddBarrierRequest
  held: Held[]
}

const ofDeliveries: Issue = {
  path: 'match.webhookId',
  message:
    'A barrier only holds requests. To pause the deliveries of a webhook, send PATCH webhooks/{id} {"held": true}.',
}

const ofFlow: Issue = {
  path: 'match.flow',
  message: 'A barrier cannot wait for a sign-in: match by clientId and grantType.',
}

export function createBarriers({ ids, bus }: Pick<Deps, 'ids' | 'bus'>): Barriers {
  const barriers = new Map<string, Rule>()

  function describe(id: string): Barrier | undefined {
    const barrier = barriers.get(id)
    if (barrier === undefined) return undefined
    return { id, ...barrier.request, held: barrier.held.map(({ requestId }) => requestId) }
  }

  function letGo(barrier: Rule, inOrder: readonly Held[]): void {
    for (const { go } of inOrder) go()
    bus.emit('barrier.released', factOf(barrier))
  }

  return {
    get size() {
      return barriers.size
    },
    add(request) {
      const { webhookId, flow } = request.match
      refuseIssues([
        ...(webhookId === undefined ? [] : [ofDeliveries]),
        ...(flow === undefined ? [] : [ofFlow]),
      ])
      const id = ids.of('barrier').objectId()
      const barrier = { id, request, held: [] }
      barriers.set(id, barrier)
      bus.emit('barrier.added', factOf(barrier))
      return { id, ...request, held: [] }
    },
    list: () => [...barriers.keys()].flatMap((id) => describe(id) ?? []),
    get: describe,
    release(id, order = []) {
      const barrier = barriers.get(id)
      if (barrier === undefined) throw new Refusal('not_found', `Unknown barrier ${id}.`)
      const { held } = barrier
      const strange = order.filter((name) => !held.some(({ requestId }) => requestId === name))
      if (strange.length > 0) {
        throw new Refusal(
          'invalid',
          `The barrier does not hold these requests: ${strange.join(', ')}.`,
        )
      }
      const rank = (requestId: string) => {
        const index = order.indexOf(requestId)
        return index < 0 ? order.length : index
      }
      const inOrder = held.toSorted((a, b) => rank(a.requestId) - rank(b.requestId))
      barriers.delete(id)
      letGo(barrier, inOrder)
      return { id, held: inOrder.map(({ requestId }) => requestId) }
    },
    clear() {
      const all = [...barriers.values()]
      barriers.clear()
      for (const barrier of all) letGo(barrier, barrier.held)
    },
    hold(requestId, subject) {
      for (const barrier of barriers.values()) {
        const { request, held } = barrier
        if (held.length >= request.count || !matches(request.match, subject)) continue
        const released = new Promise<void>((resolve) => held.push({ requestId, go: resolve }))
        bus.emit('barrier.held', { ...factOf(barrier), requestId })
        return released
      }
      return undefined
    },
    leave(requestId) {
      for (const barrier of barriers.values()) {
        const place = barrier.held.findIndex((held) => held.requestId === requestId)
        if (place < 0) continue
        barrier.held.splice(place, 1)
        bus.emit('barrier.left', { ...factOf(barrier), requestId })
      }
    },
  }
}

function factOf({ id, request, held }: Rule) {
  return { barrierId: id, match: request.match, count: request.count, held: held.length }
}
