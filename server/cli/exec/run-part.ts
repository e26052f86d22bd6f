import type { JavaProperties } from '../../contract/java-options.ts'
import type { SandboxOptions } from '../../contract/options-types.ts'
import type { LogSegments } from '../../inspect/log/log-segments.ts'
import type { Connection } from '../connect.ts'
import type { ExecOptions } from './exec-options.ts'

/** Program and the sandbox it runs against. */
export interface Run {
  /** Program and arguments. */
  readonly command: readonly string[]
  readonly options: ExecOptions
  /** Connection to the sandbox at its own URL. */
  readonly connection: Connection
  /** Issuer and root of absolute URLs; with `--intercept` not the URL at which the sandbox listens. */
  readonly baseUrl: string
  /** Whether the sandbox was started for this run, and ends with it. */
  readonly isOwn: boolean
  /** Segments of its log; absent for a sandbox that was already running. */
  readonly segments?: LogSegments
  /** Folder that only the user can read, deleted after the run. */
  readonly folder: string
  /** Prints a line on stderr. */
  print(line: string): void
}

/** Result of the program. */
export interface RunOutcome {
  /** Exit code as in a shell: 128 + n for the signal n. */
  readonly exitCode: number
  readonly signal?: NodeJS.Signals
}

/** Active part of a run: may prepare the program, and reads the sandbox after the program has ended. */
export interface RunPart {
  /** Environment variables of the program; undefined removes one. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** System properties of Java programs. */
  readonly javaProperties?: JavaProperties
  /** Modules that Node programs load first: absolute paths or `file:` addresses. */
  readonly imports?: readonly string[]
  /** Hosts to exclude from the user's proxies. */
  readonly directHosts?: readonly string[]
  /** Additional certificates for the program to trust, PEM. */
  readonly certificates?: readonly string[]
  /**
   * Called while the sandbox still responds, in the order of the parts. An error of a part is reported,
   * fails a successful run, and does not affect other parts.
   * @returns the exit code of the run if this part fails a successful run
   */
  programEnded?(outcome: RunOutcome): Promise<number | undefined>
  /** Releases its resources. Called once, even if the program never ran. */
  close?(): Promise<void>
}

/** Optional feature of `exec`. */
export interface RunPartMaker {
  /** Returns whether its flag is set. */
  isWanted(options: ExecOptions): boolean
  /**
   * Flags that it needs the sandbox to start with; also where mistakes in its own flags are found, before anything
   * starts.
   * @throws {CommandError} with exit code 2
   */
  startOptions?(options: ExecOptions): SandboxOptions | Promise<SandboxOptions>
  /** Called once the sandbox responds, before the program starts. */
  begin(run: Run): Promise<RunPart>
}
