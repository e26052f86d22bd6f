import * as fc from 'fast-check'
import { readCorpus } from './corpus.ts'
import type { Target } from './target.ts'

export interface Played {
  name: string
  inputs: number
  seed: number
  /** The smallest input that was found to break the target, and why it does. */
  finding?: { input: unknown; message: string; replay: string }
}

/** Processor time that one input may take, far more than any needs: what grows faster than its input shows here. */
const longestMs = 1000
/** For making what was found smaller. */
const shrinkMs = 20_000

/** When it is enough: after so many random inputs, or when so much time is over. */
export type Extent = { sample: number } | { ms: number }

/**
 * Gives a target its kept inputs, then random ones. The inputs follow from the seed, and from how many of them there are
 * to be: by count, they are the same on every machine.
 */
export async function play(target: Target, seed: number, extent: Extent): Promise<Played> {
  let inputs = 0
  let checking: Promise<unknown> = Promise.resolve()
  const arbitrary = typeof target.inputs === 'function' ? await target.inputs() : target.inputs
  const property = fc.asyncProperty(arbitrary, async (input) => {
    inputs += 1
    const before = process.cpuUsage()
    checking = Promise.resolve(target.check(input))
    await checking
    const { user } = process.cpuUsage(before)
    if (user > longestMs * 1000)
      throw new Error(`takes ${Math.round(user / 1000)} ms of a processor`)
  })
  const kept = readCorpus(target.name).map((input): [unknown] => [input])
  const result = await fc.check(property, {
    seed,
    examples: kept,
    endOnFailure: true,
    ...('sample' in extent
      ? { numRuns: kept.length + extent.sample }
      : { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: extent.ms }),
  })
  // The end of the time does not wait for the check that is under way.
  await checking.catch(() => undefined)
  const played = { name: target.name, inputs, seed }
  // Interrupted before the first check was over, it calls that a failure, too.
  if (result.counterexample === null) return played
  // Once more from there on, with time to find a smaller one.
  const smallest = await fc.check(property, {
    seed,
    examples: kept,
    path: result.counterexamplePath ?? '',
    interruptAfterTimeLimit: shrinkMs,
  })
  await checking.catch(() => undefined)
  const found = smallest.failed && smallest.counterexample !== null ? smallest : result
  return {
    ...played,
    finding: {
      input: found.counterexample?.[0],
      message: messageOf(found.errorInstance),
      replay: `npm run fuzz -- --seed ${seed} ${target.name}`,
    },
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Where it came from; what lies behind is the same for all.
  return (error.stack ?? error.message).split('\n').slice(0, 5).join('\n')
}
