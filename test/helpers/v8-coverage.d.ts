declare module '@bcoe/v8-coverage' {
  import type { Profiler } from 'node:inspector'

  export interface ProcessCov {
    result: Profiler.ScriptCoverage[]
  }

  /** What ran in any of the processes, by the address of the script. */
  export function mergeProcessCovs(processes: readonly ProcessCov[]): ProcessCov
}
