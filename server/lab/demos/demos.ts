import type { DemoItem, DemoRequest } from '../../contract/control-demos.ts'
import { Refusal } from '../../core/refusal.ts'
import { HeldTry, lifetimeMs, type DemoStage, type DemoDeps } from './held-demo.ts'
import { wholeRequest } from './whole-request.ts'

/** The flows that the sandbox plays an app in. They end with the process, and with the state they were played on. */
export interface Demos {
  /**
   * Begins one, and plays it to its end unless it goes by steps or waits for somebody.
   * @throws {Refusal} `invalid` when the sandbox lacks what it takes
   */
  start(stage: DemoStage, request: DemoRequest): Promise<DemoItem>
  /** @throws {Refusal} `not_found`; `conflict` while it waits, and when it has ended */
  next(id: string): Promise<DemoItem>
  /** Newest first. */
  list(): DemoItem[]
  /** @throws {Refusal} `not_found` */
  drop(id: string): void
  clear(): void
}

/** The oldest makes room. */
const mostHeld = 20

export function createDemos(deps: DemoDeps): Demos {
  const held = new Map<string, { entry: HeldTry; forget: () => void }>()

  function drop(id: string): boolean {
    const found = held.get(id)
    found?.forget()
    void found?.entry.drop()
    return held.delete(id)
  }

  function require(id: string): HeldTry {
    const found = held.get(id)
    if (found !== undefined) return found.entry
    throw new Refusal('not_found', `There is no try ${id} any more, or there never was.`)
  }

  return {
    async start(stage, request) {
      const whole = wholeRequest(request)
      const entry = new HeldTry(deps, stage, whole)
      await entry.begin()
      const forget = deps.realTime.after(lifetimeMs, () => void drop(entry.id))
      held.set(entry.id, { entry, forget })
      for (const id of [...held.keys()].slice(0, -mostHeld)) drop(id)
      if (whole.pace === 'at-once') await entry.advance()
      return entry.describe()
    },
    async next(id) {
      const entry = require(id)
      await entry.advance()
      return entry.describe()
    },
    list: () => Array.from(held.values(), ({ entry }) => entry.describe()).toReversed(),
    drop(id) {
      require(id)
      drop(id)
    },
    clear() {
      for (const id of held.keys()) drop(id)
    },
  }
}
