import type { AddBarrierRequest, Barrier, ReleasedBarrier } from '../contract/control-faults.ts'
import type { Ids } from '../core/ids.ts'
import { Refusal } from '../core/refusal.ts'
import { matches, type Subject } from './matching.ts'

/** Rules that hold requests until they are released, in an order of the test's choice: races on demand. */
export interface Barriers {
  readonly size: number
  add(request: AddBarrierRequest): Barrier
  list(): Barrier[]
  get(id: string): Barrier | undefined
  /**
   * Lets the held requests go, started in order, and takes the barrier away.
   * @param order request ids; those it does not name follow as they came
   * @throws {Refusal} `not_found`; `invalid` when `order` names a request that is not held
   */
  release(id: string, order?: readonly string[]): ReleasedBarrier
  /** Lets everything go. */
  clear(): void
  /**
   * Waits at the first barrier that matches and has room.
   * @returns `undefined` when nothing holds the request
   */
  hold(requestId: string, subject: Subject): Promise<void> | undefined
}

interface Held {
  requestId: string
  go: () => void
}

export function createBarriers({ ids }: { ids: Pick<Ids, 'objectId'> }): Barriers {
  const barriers = new Map<string, { request: AddBarrierRequest; held: Held[] }>()

  function describe(id: string): Barrier | undefined {
    const barrier = barriers.get(id)
    if (barrier === undefined) return undefined
    return { id, ...barrier.request, held: barrier.held.map(({ requestId }) => requestId) }
  }

  return {
    get size() {
      return barriers.size
    },
    add(request) {
      const id = ids.objectId()
      barriers.set(id, { request, held: [] })
      return { id, ...request, held: [] }
    },
    list: () => [...barriers.keys()].flatMap((id) => describe(id) ?? []),
    get: describe,
    release(id, order = []) {
      const barrier = barriers.get(id)
      if (barrier === undefined) throw new Refusal('not_found', `No barrier has the id ${id}.`)
      const { held } = barrier
      const strange = order.filter((name) => !held.some(({ requestId }) => requestId === name))
      if (strange.length > 0) {
        throw new Refusal('invalid', `The barrier does not hold ${strange.join(', ')}.`)
      }
      const rank = (requestId: string) => {
        const index = order.indexOf(requestId)
        return index < 0 ? order.length : index
      }
      const inOrder = held.toSorted((a, b) => rank(a.requestId) - rank(b.requestId))
      barriers.delete(id)
      for (const { go } of inOrder) go()
      return { id, held: inOrder.map(({ requestId }) => requestId) }
    },
    clear() {
      const all = [...barriers.values()]
      barriers.clear()
      for (const { held } of all) for (const { go } of held) go()
    },
    hold(requestId, subject) {
      for (const { request, held } of barriers.values()) {
        if (held.length >= request.count || !matches(request.match, subject)) continue
        return new Promise((resolve) => held.push({ requestId, go: resolve }))
      }
      return undefined
    },
  }
}
