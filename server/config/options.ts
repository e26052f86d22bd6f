import type { StartFlags } from '../contract/flags.ts'
import type { Settings } from '../core/settings.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'

/** All that a start needs, after file, environment and flags were merged and checked; frozen. */
export interface ResolvedOptions extends StartFlags {
  /** Complete but for the addresses: they may depend on the port, and a fork has others. */
  readonly settings: Omit<Settings, 'port' | 'baseUrl' | 'backChannelUrl'>
  /** Absent: where it listens, once the port is known. */
  readonly baseUrl?: string
  readonly backChannelUrl?: string
  /** Addresses or names to listen on. */
  readonly hosts: readonly string[]
  /** What an address of this machine's own that leads here has as its host. */
  readonly urlHost: string
  /** Whether `hosts` is the default; then `::1` is left out where the machine has none. */
  readonly hostsAreDefault: boolean
  /** Absent: state in memory only. */
  readonly dataDirectory?: string
  /** What says who approves without a page, for a message; absent: nothing, or the fixtures, which are checked with it. */
  readonly autoApproveName?: string
  /** Where the certificate of `https` is kept, in memory-only sandboxes too. */
  readonly certificateDirectory: string
  readonly fixtures: Fixtures
  /** For people: a path, or which fixtures else. */
  readonly fixturesSource: string
  /** SHA-256 (hex) of what was read, to notice that the file has changed since it was loaded. */
  readonly fixturesHash: string
  /** Reports what is left out of the fixtures. */
  readonly fixturesNotices: readonly string[]
  /** False for a file that the user did not choose: pages of its redirect origins may not call the Hub's API. */
  readonly fixturesOpenOrigins: boolean
  /** Notices about what the fixtures file lets in, or would let in if the user had chosen it. */
  readonly openingNotices: readonly string[]
  /** How the user calls a command for this sandbox. */
  readonly command: readonly string[]
}
