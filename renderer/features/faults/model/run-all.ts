import type { ExperimentItem } from '../../../../server/contract/control-experiments.ts'

/** Apps on which Run all tries the experiments. */
export type Player = 'demo' | 'own'

/** Checks whether a run goes on: its verdict is still awaited. */
export function isRunning({ verdict }: Pick<ExperimentItem, 'verdict'>): boolean {
  return verdict?.state === 'armed' || verdict?.state === 'watching'
}

/** Returns the experiments of a whole run in its order; the demo app cannot play all of those with apps. */
export function experimentsOf<T extends Pick<ExperimentItem, 'subject' | 'demo'>>(
  items: readonly T[],
  player: Player,
): readonly T[] {
  return items.filter(
    ({ subject, demo }) => player === 'own' || subject === 'receiver' || demo !== undefined,
  )
}

export interface Score {
  passed: number
  failed: number
  unclear: number
  running: number
  notRun: number
}

/** Counts the last verdicts; they add up to the number of experiments. */
export function scoreOf(items: readonly Pick<ExperimentItem, 'verdict'>[]): Score {
  const score = { passed: 0, failed: 0, unclear: 0, running: 0, notRun: 0 }
  for (const item of items) {
    const { verdict } = item
    if (verdict === undefined) score.notRun++
    else if (verdict.state === 'armed' || verdict.state === 'watching') score.running++
    else score[verdict.state]++
  }
  return score
}
