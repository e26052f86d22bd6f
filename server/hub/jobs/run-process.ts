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

export interface RunningProcess {
  readonly end: Promise<ProcessEnd>
  kill(): void
}

export type RunProcess = (request: ProcessRequest) => RunningProcess
