export interface ProcessRequest {
  program: string
  args: readonly string[]
  variables: Readonly<Record<string, string>>
  /** Milliseconds of real time. */
  timeoutMs: number
  onLine: (line: string) => void
}

export type ProcessEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'timeout' }
  | { kind: 'not-started'; message: string }

/** What a process has used so far. */
export interface ProcessUsage {
  cpuSeconds: number
  memoryBytes: number
}

export interface RunningProcess {
  readonly end: Promise<ProcessEnd>
  kill(): void
  /** Returns its usage; `undefined` where the system does not report it. */
  usage?(): ProcessUsage | undefined
}

export type RunProcess = (request: ProcessRequest) => RunningProcess
