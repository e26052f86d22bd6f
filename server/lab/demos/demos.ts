import type { DemoItem, DemoRequest } from '../../contract/control-demos.ts'
import { Refusal } from '../../core/refusal.ts'
import { HeldDemo, lifetimeMs, type DemoStage, type DemoDeps } from './held-demo.ts'
import { wholeRequest } from './whole-request.ts'

/** Flows in which the sandbox plays an app. They end with the process, and when their state is replaced. */
export interface Demos {
  /**
   * Starts a demo, and plays it to its end unless it goes step by step or waits for a person.
   * @throws {Refusal} `invalid` when the sandbox lacks a suitable app or user
   */
  start(stage: DemoStage, request: DemoRequest): Promise<DemoItem>
  /** @throws {Refusal} `not_found`; `conflict` while it waits, and after its end */
  next(id: string): Promise<DemoItem>
  /** Newest first. */
  list(): DemoItem[]
  /** @throws {Refusal} `not_found` */
  drop(id: string): void
  clear(): void
}

/** Number of demos kept; the oldest one is dropped first. */
const mostHeld = 20

export function createDemos(deps: DemoDeps): Demos {
  const held = new Map<string, { entry: HeldDemo; forget: () => void }>()

  function drop(id: string): boolean {
    const found = held.get(id)
    found?.forget()
    void found?.entry.drop()
    return held.delete(id)
  }

  function require(id: string): HeldDemo {
    const found = held.get(id)
    if (found !== undefined) return found.entry
    throw new Refusal('not_found', `Unknown demo ${id}: it has expired, or it never existed.`)
  }

  return {
    async start(stage, request) {
      const whole = wholeRequest(request)
      const entry = new HeldDemo(deps, stage, whole)
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
