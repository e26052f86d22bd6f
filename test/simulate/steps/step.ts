import type { World } from '../world/world.ts'

/** Something that somebody does. Its chance is that of `world.random`. */
export interface StepKind {
  /** How often it is chosen, relative to the others. */
  readonly weight: number
  /** Whether the script waits for its end, because it ends or starts the process. */
  readonly alone?: true
  run(world: World): Promise<void>
}

export type Steps = Readonly<Record<string, StepKind>>

/** A step of a script. */
export interface Step {
  readonly name: string
  /** Seed of its choices, and of what happens until the next step. */
  readonly seed: number
}
