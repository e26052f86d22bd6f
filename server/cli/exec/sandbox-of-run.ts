import { dirname } from 'node:path'
import { commandLine } from '../../app/config/callers.ts'
import { resolveOptions } from '../../app/config/resolve.ts'
import { type FlagKey, flagList } from '../../contract/flags.ts'
import type { SandboxOptions } from '../../contract/options-types.ts'
import { environmentName, flagName } from '../../core/flag-names.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { own } from '../../core/own.ts'
import { runSandbox } from '../../app/run-sandbox.ts'
import type { LogSegments } from '../../inspect/log/log-segments.ts'
import { reachNotices } from '../banner.ts'
import { CommandError } from '../command-error.ts'
import { connect, type Connection } from '../connect.ts'
import type { ExecOptions } from './exec-options.ts'

/** Sandbox of a run. */
export interface SandboxOfRun {
  readonly connection: Connection
  /** Whether it was started for this run. */
  readonly isOwn: boolean
  /** Segments of its log, where it was started for this run. */
  readonly segments?: LogSegments
  /** Notices about the start. */
  readonly notices: readonly string[]
  /** Notices about what the files of the run lack, once the program has ended. */
  ended(): Promise<readonly string[]>
  /** Stops a sandbox that was started for this run. */
  close(): Promise<void>
}

/** Flags that commands for a running sandbox also have. */
const alsoOfConnections: readonly FlagKey[] = ['data', 'controlToken', 'intercept']

/**
 * Returns the given flags of `start` plus those that parts of the run need, or undefined for a running sandbox, named
 * by `--url`, or by `HUB_SANDBOX_URL` without a flag of `start`.
 * @throws {CommandError} with exit code 2 for a combination of both
 */
export function startOptionsOf(
  typed: ExecOptions,
  ofParts: readonly SandboxOptions[],
): SandboxOptions | undefined {
  const flags = joined([typed, ...ofParts])
  const given = Object.keys(flags) as FlagKey[]
  if (typed.url === undefined) {
    const isNamed = Boolean(process.env['HUB_SANDBOX_URL'])
    return isNamed && given.length === 0 ? undefined : flags
  }
  const wrong = given.filter((key) => !alsoOfConnections.includes(key)).map(flagName)
  if (wrong.length === 0) return undefined
  throw new CommandError(
    `--url uses a running sandbox, so ${wrong.join(', ')} must be given when that sandbox is started.`,
    { exitCode: 2 },
  )
}

/** Concatenates lists; of other values the later one wins. */
function joined(all: readonly ExecOptions[]): SandboxOptions {
  const entries = flagList.flatMap(({ key }) => {
    const values = all.map((options) => options[key]).filter((value) => value !== undefined)
    if (values.length === 0) return []
    const areLists = values.every((value) => Array.isArray(value))
    return [[key, areLists ? values.flat() : values.at(-1)] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Starts the sandbox of a run: in memory and on a free port, unless flags or variables say otherwise. The port of a
 * fixtures file is that of `start`, and would be in use when two runs are made at once.
 * @param folder private to the run
 * @param onStopRequest called when a client asks the sandbox to end: the run ends with it
 */
export async function startForRun(
  flags: SandboxOptions,
  { folder, onStopRequest }: { folder: string; onStopRequest: () => void },
): Promise<SandboxOfRun> {
  const { env } = process
  const isSaid = (key: FlagKey) =>
    flags[key] !== undefined || Boolean(own(env, environmentName(key)))
  const options = await resolveOptions(
    {
      ...(isSaid('port') ? {} : { port: 0 }),
      ...(isSaid('data') || isSaid('ephemeral') ? {} : { ephemeral: true }),
      ...flags,
    },
    env,
    commandLine,
  )
  const running = await runSandbox({
    ...options,
    // Private to this run: runs with other names may be active.
    certificateDirectory: options.dataDirectory ?? folder,
  })
  running.deps.onStopRequest(onStopRequest)
  const { localUrl, certificatePath, notices } = running
  const { controlToken } = running.deps.settings
  return {
    connection: await connect({
      url: localUrl,
      // Folder with the certificate only, without a lock file.
      data: certificatePath === undefined ? folder : dirname(certificatePath),
      ...omitUndefined({ controlToken }),
    }),
    isOwn: true,
    segments: running.deps.segments,
    // The program already trusts the certificate.
    notices: [
      ...reachNotices(options),
      ...notices.filter((notice) => !notice.includes(certificatePath ?? folder)),
    ],
    ended: async () => {
      await running.deps.segments.endAll()
      return []
    },
    close: () => running.close(),
  }
}

/** Connects to the running sandbox. */
export async function takeRunning(options: ExecOptions): Promise<SandboxOfRun> {
  const { url, controlToken, data } = options
  const connection = await connect({
    ...omitUndefined({ url, data }),
    ...(typeof controlToken === 'string' ? { controlToken } : {}),
  })
  const readResets = async () => (await connection.call('GET overview')).resets
  const before = needsWholeLog(options) ? await readResets() : undefined
  return {
    connection,
    isOwn: false,
    notices: [],
    async ended() {
      const resets = before === undefined ? 0 : (await readResets()) - before
      return resets > 0 ? [lostSentence(connection.url, resets)] : []
    },
    async close() {},
  }
}

const needsWholeLog = ({ junit, artifact, record, compare }: ExecOptions) =>
  [junit, artifact, record, compare].some((value) => value !== undefined)

function lostSentence(url: string, resets: number): string {
  const times = resets === 1 ? 'once' : `${resets} times`
  return `The sandbox at ${url} was reset ${times} during the run: the files of this run start after the last reset. Without --url and HUB_SANDBOX_URL, exec starts its own sandbox and keeps everything.`
}
