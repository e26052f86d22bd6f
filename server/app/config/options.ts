import type { StartFlags } from '../../contract/flags.ts'
import type { Settings } from '../../core/settings.ts'
import type { Fixtures } from '../../contract/fixtures-types.ts'

/** Merged and validated options of a start; frozen. */
export interface ResolvedOptions extends StartFlags {
  /** Settings without URLs, which may depend on the port and differ in a fork. */
  readonly settings: Omit<Settings, 'port' | 'baseUrl' | 'backChannelUrl'>
  /** Absent: the URL at which it listens. */
  readonly baseUrl?: string
  readonly backChannelUrl?: string
  /** Addresses or names to listen on. */
  readonly hosts: readonly string[]
  /** Host of the URL at which this machine reaches the sandbox. */
  readonly urlHost: string
  /** Whether `hosts` is the default; then a missing `::1` is ignored. */
  readonly hostsAreDefault: boolean
  /** Whether `lan` opened the sandbox to the network. */
  readonly isLan: boolean
  /** Absent: state in memory only. */
  readonly dataDirectory?: string
  /** Name of the option that sets auto-approval, for messages; absent if unset or set by the fixtures. */
  readonly autoApproveName?: string
  /** Folder of the certificate of `https`, for in-memory sandboxes too. */
  readonly certificateDirectory: string
  readonly fixtures: Fixtures
  /** Absolute path of the user's fixtures file, if any. */
  readonly fixturesPath?: string
  /** Description for people: a path, or the name of the fixtures. */
  readonly fixturesSource: string
  /** SHA-256 (hex) of the file, to detect later changes. */
  readonly fixturesHash: string
  /** Reports what is left out of the fixtures. */
  readonly fixturesNotices: readonly string[]
  /** False for a file that the user did not choose: pages of its redirect origins may not call the Hub's API. */
  readonly fixturesOpenOrigins: boolean
  /** Notices about what the fixtures file lets in, or would let in if the user had chosen it. */
  readonly openingNotices: readonly string[]
  /** Command line for this sandbox. */
  readonly command: readonly string[]
}
