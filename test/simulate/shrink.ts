import type { Script } from './script.ts'
import type { Step } from './steps/step.ts'

/** Script that fails as another does, with fewer steps. */
export interface Shrunk {
  readonly script: Script
  /** Scripts that were played to find it. */
  readonly plays: number
}

/**
 * Removes steps that a failure does not need: halves, quarters, and so on to single steps. Each step has its own seed, so
 * the others keep their choices.
 * @param isFailing plays a script, and returns whether it fails in the same way
 * @param mostPlays limit after which the shortest script so far is returned
 */
export async function shrink(
  { seed, steps }: Script,
  isFailing: (script: Script) => Promise<boolean>,
  mostPlays = 400,
): Promise<Shrunk> {
  let kept: readonly Step[] = steps
  let plays = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1 && plays < mostPlays;) {
    let hasChanged = false
    // From the end: later steps depend on earlier ones, not the other way round.
    for (let end = kept.length; end > 0 && plays < mostPlays; end -= size) {
      const shorter = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      plays += 1
      if (!(await isFailing({ seed, steps: shorter }))) continue
      kept = shorter
      hasChanged = true
    }
    // A step may be needed by one that is gone now.
    if (size > 1) size = Math.ceil(size / 2)
    else if (!hasChanged) break
  }
  return { script: { seed, steps: kept }, plays }
}
