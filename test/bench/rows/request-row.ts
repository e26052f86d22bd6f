import type { Child } from '../children.ts'
import { obstacleToPinning, onOneCore } from '../cores.ts'
import { rounds } from '../effort.ts'
import { compare, compareAll, type Comparison, type Load } from '../load.ts'
import type { Goal, Result, Row } from '../row.ts'
import { withProgram, withSandbox, withSandboxInProcess } from '../sandbox.ts'

/** The bare program that a request is compared with. */
export interface Baseline {
  program: string
  /** What the program is handed, read off the sandbox, so that both send as much. */
  options: (sandbox: Child) => object | Promise<object>
  load: (program: Child) => Load | Promise<Load>
  /**
   * By CPU time the work of all threads counts, as if there were one core. Signing runs on threads of its own: with
   * idle cores around it, it would hide what the server does.
   */
  byCpu?: boolean
}

interface RequestRow {
  name: string
  what: string
  load: (sandbox: Child) => Load | Promise<Load>
  baseline: Baseline
  goal?: Goal
}

/** Measures a request of the command line, of a sandbox in process, and of the command line on one core. */
export function requestRow({ name, what, load, baseline, goal }: RequestRow): Row {
  return {
    name,
    measure: () =>
      withSandbox((commandLine) =>
        withSandboxInProcess(async (inProcess) =>
          withProgram(baseline.program, await baseline.options(commandLine), async (program) => {
            const ours = { server: commandLine, load: await load(commandLine) }
            const library = { server: inProcess, load: await load(inProcess) }
            const bare = { server: program, load: await baseline.load(program) }
            const [byCommand, byLibrary] = await compareAll([ours, library], bare, {
              rounds: rounds(7),
              warmUpItems: 1000,
            })
            const asResult = resultOf(baseline.byCpu === true)
            const obstacle = obstacleToPinning()
            const results = [
              {
                ...asResult(what, byCommand!),
                ...(goal === undefined ? {} : { goal }),
                ...(obstacle === undefined ? {} : { note: `not held to one core: ${obstacle}` }),
              },
              asResult(`${what}, in process`, byLibrary!),
            ]
            if (obstacle !== undefined) return results
            const pinned = await onOneCore([commandLine, program], () =>
              compare(ours, bare, { rounds: rounds(5), warmUpItems: 300 }),
            )
            return [...results, asResult(`${what}, one core`, pinned)]
          }),
        ),
      ),
  }
}

const resultOf =
  (byCpu: boolean) =>
  (what: string, comparison: Comparison): Result => {
    const { ours, baseline, ratio, noise, cpuRatio, cpuNoise, cpu, baselineNoise } = comparison
    return {
      what,
      ours: `${Math.round(ours)}/s`,
      baseline: `${Math.round(baseline)}/s`,
      ratio: byCpu ? cpuRatio : ratio,
      noise: byCpu ? cpuNoise : noise,
      cpuRatio,
      cpu,
      baselineNoise,
    }
  }
