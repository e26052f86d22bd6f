import type { SandboxOptions } from '../../contract/options-types.ts'

/** The flags of `exec`, beside those of `start`. */
export interface ExecFlags {
  /** Takes the sandbox that answers there instead of starting one. */
  url?: string
  /** The app that the program signs in as: client id or name. Default: the first with a secret. */
  client?: string
  /** The Space that the program takes itself for. */
  space?: string
  /** Addresses that must answer before the program is run. */
  waitFor?: string[]
  /** Modules that the program and every Node program it starts load first (`node --import`). */
  import?: string[]
  /** Where the state of the end is written as a fixtures file. */
  exportOnExit?: string
  /** Folder of what is kept of the run. */
  artifact?: string
  /** When that is kept. Default: `failure`. */
  artifactWhen?: 'failure' | 'always'
  /** Where the sign-ins and deliveries of the run are written as test cases. */
  junit?: string
  /** Serve a proxy that leads browsers to the sandbox, and print how one is started with it. */
  proxy?: boolean
  /** Where the requests of the run are written down. */
  record?: string
  /** The record that the requests of the run are compared with. */
  compare?: string
  /** Hand the user's own token of the real hub on. */
  keepToken?: boolean
}

/** As they were typed. */
export type ExecOptions = SandboxOptions & ExecFlags
