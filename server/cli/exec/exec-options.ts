import type { CiDrill, CiProvider } from '../../contract/words/ci-words.ts'
import type { SandboxOptions } from '../../contract/options-types.ts'

/** Flags of `exec` in addition to those of `start`. */
export interface ExecFlags {
  /** URL of a running sandbox to use. */
  url?: string
  /** The app that the program signs in as: client id or name. Default: the first with a secret. */
  client?: string
  /** Space whose app the program signs in as. */
  space?: string
  /** URLs that must respond before the program starts. */
  waitFor?: string[]
  /** Modules that the program and every Node program it starts load first (`node --import`). */
  import?: string[]
  /** File for the final state, as fixtures. */
  exportOnExit?: string
  /** Folder for the artifact. */
  artifact?: string
  /** When to save the artifact. Default: `failure`. */
  artifactWhen?: 'failure' | 'always'
  /** JUnit file for sign-ins and deliveries. */
  junit?: string
  /** Level of findings of the checks that fail the run. */
  failOn?: string
  /** CI provider as whose job the program runs. */
  ci?: CiProvider
  /** Claims of the job that replace the usual ones: `name=value`. */
  ciClaim?: string[]
  /** Mistake in the ID tokens of the job. */
  ciDrill?: CiDrill
  /** Start a proxy that routes browsers to the sandbox, and print how to use it. */
  proxy?: boolean
  /** File for the recording of the requests. */
  record?: string
  /** Recording to compare the requests with. */
  compare?: string
  /** Pass the user's own token of the real hub. */
  keepToken?: boolean
}

/** Unparsed flags. */
export type ExecOptions = SandboxOptions & ExecFlags
