/** Steps that fail as longer ones do. */
export interface Shrunk<Step> {
  readonly steps: readonly Step[]
  /** Scripts that were played to find them. */
  readonly plays: number
}

/**
 * Removes steps that a failure does not need: halves, quarters, and so on to single steps. The choices of a step must not
 * depend on the steps before it.
 * @param isFailing plays steps, and returns whether they fail in the same way
 * @param mostPlays limit after which the fewest steps so far are returned
 */
export async function shrink<Step>(
  steps: readonly Step[],
  isFailing: (steps: readonly Step[]) => Promise<boolean>,
  mostPlays = 400,
): Promise<Shrunk<Step>> {
  let kept = steps
  let plays = 0
  for (let size = Math.ceil(kept.length / 2); size >= 1 && plays < mostPlays;) {
    let hasChanged = false
    // From the end: later steps depend on earlier ones, not the other way round.
    for (let end = kept.length; end > 0 && plays < mostPlays; end -= size) {
      const fewer = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      plays += 1
      if (!(await isFailing(fewer))) continue
      kept = fewer
      hasChanged = true
    }
    // A step may be needed by one that is gone now.
    if (size > 1) size = Math.ceil(size / 2)
    else if (!hasChanged) break
  }
  return { steps: kept, plays }
}
