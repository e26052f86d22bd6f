/** Volumes of a job, as folders below the one in which its process runs. */
export interface MountVolumes {
  /**
   * Writes the files.
   * @returns variables with their locations for the process
   * @throws {Refusal} for a volume that cannot be mounted
   */
  mount(folder: string): Promise<Readonly<Record<string, string>>>
  /** Stores the changes, when the process has ended. */
  store(): Promise<void>
}

export interface ProcessRequest {
  program: string
  args: readonly string[]
  variables: Readonly<Record<string, string>>
  /** Milliseconds of real time. */
  timeoutMs: number
  onLine: (line: string) => void
  volumes?: MountVolumes
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
