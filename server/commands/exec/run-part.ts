import type { SandboxOptions } from '../../contract/options-types.ts'
import type { LogSegments } from '../../lab/triggers/log-segments.ts'
import type { Connection } from '../connect.ts'
import type { ExecOptions } from './exec-options.ts'

/** A program and the sandbox it is run against. */
export interface Run {
  /** What it is called by: program and arguments. */
  readonly command: readonly string[]
  readonly options: ExecOptions
  /** The sandbox, over its own address. */
  readonly connection: Connection
  /** Issuer, and root of every address that clients are told: not where it listens, under `--intercept`. */
  readonly baseUrl: string
  /** Whether the sandbox was started for this run, and ends with it. */
  readonly isOwn: boolean
  /** Segments of its log; absent for a sandbox that ran before. */
  readonly segments?: LogSegments
  /** A folder that only the user can read, gone when the run has ended. */
  readonly folder: string
  /** Says something to the user: a line on stderr. */
  tell(line: string): void
}

/** How the program ended. */
export interface RunOutcome {
  /** As a shell has it: 128 + n for the signal n. */
  readonly exitCode: number
  readonly signal?: NodeJS.Signals
}

/** What takes part in a run: it may prepare the program, and looks at the sandbox when the program has ended. */
export interface RunPart {
  /** Variables the program is given; undefined takes one away. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** Modules that Node programs load first: absolute paths or `file:` addresses. */
  readonly imports?: readonly string[]
  /** Hosts that no proxy of the user's leads to. */
  readonly directHosts?: readonly string[]
  /** Certificates that the program is to trust, beside all it trusts already: PEM. */
  readonly certificates?: readonly string[]
  /**
   * Called while the sandbox still answers, in the order of the parts; a part that throws is told of,
   * fails a run that was fine, and hinders no other.
   * @returns the exit code of the run, where this part fails a run that was fine
   */
  programEnded?(outcome: RunOutcome): Promise<number | undefined>
  /** Lets go of what it holds. Called once, also when the program never ran. */
  close?(): Promise<void>
}

/** One of the things that `exec` can do with a run. */
export interface RunPartMaker {
  /** Whether it was asked for. */
  isWanted(options: ExecOptions): boolean
  /**
   * Flags that it needs the sandbox to start with; also where mistakes in its own flags are found, before anything
   * starts.
   * @throws {CommandError} with exit code 2
   */
  startOptions?(options: ExecOptions): SandboxOptions | Promise<SandboxOptions>
  /** The sandbox answers and the program does not run yet. */
  begin(run: Run): Promise<RunPart>
}
