import type { Barriers } from '../../faults/barriers.ts'
import type { Faults } from '../../faults/faults.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { AddBarrierRequest } from '../../../contract/control-faults.ts'
import type { PoisonFault } from './app-module.ts'

export interface PoisonDeps {
  readonly faults: Pick<Faults, 'add' | 'get' | 'remove' | 'beginFlow'>
  readonly barriers: Pick<Barriers, 'add' | 'get' | 'release'>
  after(ms: number, act: () => void): () => void
}

/** Rules of one module. All of them are removed together. */
export interface Poison {
  /** @param familyId sign-in that is present; absent = the rules wait for the next one */
  add(faults: readonly PoisonFault[], familyId: string | undefined): void
  /** Holds requests, and releases them when all have come, or 2 s after the first one. */
  hold(match: AddBarrierRequest['match'], count: number): void
  /** Ids of the fault rules. */
  readonly ruleIds: ReadonlySet<string>
  /** Number of responses that were changed. */
  hits(): number
  remove(): void
}

const pollMs = 20
const longestHoldMs = 2000

export function createPoison(deps: PoisonDeps, clientId: string): Poison {
  const { faults, barriers } = deps
  const rules = new Set<string>()
  const ends: (() => void)[] = []

  function watchBarrier(id: string, count: number): void {
    let waitedMs = 0
    let cancel = () => {}
    const look = () => {
      const held = barriers.get(id)?.held.length
      if (held === undefined) return
      if (held > 0) waitedMs += pollMs
      if (held >= count || waitedMs >= longestHoldMs) barriers.release(id)
      else cancel = deps.after(pollMs, look)
    }
    look()
    ends.push(() => {
      cancel()
      if (barriers.get(id) !== undefined) barriers.release(id)
    })
  }

  return {
    ruleIds: rules,
    add(added, familyId) {
      for (const { bound, match, ...effects } of added) {
        const own = bound === false ? {} : { clientId, flow: 'next' as const }
        rules.add(faults.add({ match: { ...match, ...own }, ...omitUndefined(effects) }).id)
      }
      if (familyId !== undefined) faults.beginFlow({ clientId, familyId })
    },
    hold(match, count) {
      watchBarrier(barriers.add({ match: { ...match, clientId }, count }).id, count)
    },
    hits: () => [...rules].reduce((sum, id) => sum + (faults.get(id)?.hits ?? 0), 0),
    remove() {
      for (const end of ends.splice(0)) end()
      for (const id of rules) faults.remove(id)
    },
  }
}
