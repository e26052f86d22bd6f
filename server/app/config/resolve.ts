import { omitUndefined } from '../../core/omit-undefined.ts'
import { randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { Fixtures, FixturesConfig, FixturesFile } from '../../contract/fixtures-types.ts'
import type { SandboxOptions } from '../../contract/options-types.ts'
import { takeTime } from '../../core/arguments.ts'
import { isObject } from '../../core/is-object.ts'
import { requireDuration } from '../../core/duration.ts'
import { lifetimesInMs } from '../../core/lifetimes-in-ms.ts'
import type { Settings } from '../../core/settings.ts'
import { splitCommand } from '../../hub/jobs/command-line.ts'
import { isSetBySandbox, isVariableName } from '../../hub/jobs/variable-names.ts'
import { approverProblem } from './approver.ts'
import { type Caller, inProcess } from './callers.ts'
import { readLoopDetection } from './loop-detection.ts'
import { type Environment, FlagSources } from './flag-sources.ts'
import { ConfigError, type Issue } from '../../core/config-error.ts'
import { isLocalhost, isLoopbackHost, localhostAddresses } from '../../core/loopback.ts'
import { openingNotices, openingsOf } from '../../fixtures/openings.ts'
import type { ResolvedOptions } from './options.ts'
import { readWebOrigin } from '../../core/web-origin.ts'
import { readOrigins } from '../../core/routed-origins.ts'
import { packageVersion } from '../../core/package-root.ts'
import { findFixturesFile } from '../../fixtures/find-file.ts'
import { projectDataFolder } from './project-folder.ts'
import {
  defaultFixtures,
  fixturesFromCode,
  type ReadFixtures,
  readFixtures,
} from '../../fixtures/read.ts'

/** Wildcard addresses. */
const unspecified = new Set(['0.0.0.0', '::'])

/**
 * Merges options, environment and fixtures file, validates everything and adds defaults.
 * @param env with `HUB_SANDBOX_…` variables, which take precedence over the file but not over options
 * @throws {ConfigError} with every mistake of all three
 */
export async function resolveOptions(
  options: SandboxOptions,
  env: Environment = {},
  caller: Caller = inProcess,
): Promise<ResolvedOptions> {
  const sources = new FlagSources(options, env, caller)
  const loaded = await load(options, sources, caller)
  if (loaded instanceof ConfigError) throw joined(loaded, sources.issues)

  const { fixtures, source, hash, notices, ignoresOpenings } = loaded
  const { autoApprove, ...config } = fixtures.config
  const isIgnored = ignoresOpenings !== undefined
  sources.addFile({ ...config, ...(isIgnored ? {} : omitUndefined({ autoApprove })) })
  const resolved = build(sources, loaded, caller)
  if (sources.issues.length > 0) throw new ConfigError('options', sources.issues)
  return Object.freeze({
    ...resolved,
    fixtures,
    fixturesSource: source,
    fixturesHash: hash,
    fixturesOpenOrigins: !isIgnored,
    fixturesNotices: notices,
    openingNotices: loaded.isOwn
      ? []
      : openingNotices(openingsOf(fixtures), source, ignoresOpenings),
  })
}

interface LoadedFixtures extends ReadFixtures {
  /** True for fixtures bundled with the package or written in code: no stranger can have written them. */
  readonly isOwn: boolean
  /** Reason to ignore their openings, as a clause; absent: they apply. */
  readonly ignoresOpenings?: string
}

/** Returns an error instead of throwing, so that all other mistakes are reported too. */
async function load(
  options: SandboxOptions,
  sources: FlagSources,
  caller: Caller,
): Promise<LoadedFixtures | ConfigError> {
  try {
    const clock = readClock(options, sources, caller)
    if (typeof options.fixtures === 'object') {
      return { ...(await fixturesFromCode(options.fixtures, clock)), isOwn: true }
    }
    const folder = caller.folder()
    const named = sources.value('fixtures')
    const file = named ?? (caller.takesFileOfFolder ? findFixturesFile(folder) : undefined)
    if (file === undefined) return { ...(await defaultFixtures(clock)), isOwn: true }
    const loaded = await readFixtures(file, folder, clock)
    const isOwn = loaded.path === undefined || !caller.takesFileOfFolder
    const ignoresOpenings = isOwn ? undefined : reasonToIgnore(loaded.path ?? '', folder, named)
    return { ...loaded, isOwn, ...omitUndefined({ ignoresOpenings }) }
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

/** Converts the `clock` option to the format of a fixtures file, whose schema validates it. */
function readClock(
  { clock }: SandboxOptions,
  { issues }: FlagSources,
  caller: Caller,
): FixturesFile['clock'] {
  if (clock === undefined) return undefined
  if (!isObject(clock)) {
    const message = "must be an object such as { now: '2026-01-01T00:00:00Z', frozen: true }"
    issues.push({ path: caller.name('clock'), message })
    return undefined
  }
  const { now, ...rest } = clock
  if (now === undefined) return rest
  // The fixtures schema validates a string and reports its path.
  return { ...rest, now: typeof now === 'string' ? now : takeTime('clock.now', now) }
}

/**
 * Returns the reason, as a clause, why a file may come from a stranger: outside the working folder, or not named.
 * Its openings then need a flag.
 */
function reasonToIgnore(
  path: string,
  folder: string,
  named: string | undefined,
): string | undefined {
  const fromFolder = relative(realpathSync(folder), realpathSync(path))
  if (fromFolder.startsWith('..') || isAbsolute(fromFolder)) {
    return `${path} is outside the working folder`
  }
  return named === undefined
    ? `${fromFolder} was found, not named (name it with --fixtures ${fromFolder})`
    : undefined
}

function joined(ofFile: ConfigError, ofFlags: readonly Issue[]): ConfigError {
  if (ofFlags.length === 0) return ofFile
  return new ConfigError('options and fixtures', [...ofFlags, ...ofFile.issues])
}

function build(
  sources: FlagSources,
  loaded: ReadFixtures,
  caller: Caller,
): Omit<
  ResolvedOptions,
  | 'fixtures'
  | 'fixturesSource'
  | 'fixturesHash'
  | 'fixturesNotices'
  | 'fixturesOpenOrigins'
  | 'openingNotices'
> {
  const { fixtures, path: fixturesPath } = loaded
  const interceptedOrigins = readIntercepted(sources)
  const baseUrl = interceptedOrigins?.[0] ?? readRoot(sources, 'baseUrl')
  const backChannelUrl = readRoot(sources, 'backChannelUrl')
  const networkAddress = readNetworkAddress(sources, caller)
  const given = sources.value('host')
  const isLocal = given.every((host) => host === 'localhost')
  const hostsAreDefault = isLocal && networkAddress === undefined
  const local = isLocal ? localhostAddresses : given
  // Not ::1, which is missing on some machines: programs fall back to 127.0.0.1.
  const hosts = networkAddress === undefined ? local : [networkAddress, '127.0.0.1']
  const { dataDirectory, isNamed } = readDataDirectory(sources, loaded, caller)
  if (sources.value('watch') && fixturesPath === undefined) {
    sources.refuse('watch', 'needs a fixtures file: name it with --fixtures')
  }
  checkAutoApprove(sources, fixtures, dataDirectory)
  const isFromFile = sources.rank('autoApprove') > 1
  return {
    ...sources.handedTo('start'),
    settings: {
      ...buildSettings(sources, fixtures, { hosts, roots: [baseUrl, backChannelUrl] }),
      ...omitUndefined({ interceptedOrigins }),
    },
    ...omitUndefined({ baseUrl, backChannelUrl }),
    hosts,
    hostsAreDefault,
    urlHost: urlHostOf(networkAddress === undefined ? hosts : [networkAddress], hostsAreDefault),
    isLan: networkAddress !== undefined,
    ...omitUndefined({ dataDirectory, fixturesPath }),
    ...(isFromFile ? {} : { autoApproveName: sources.nameOf('autoApprove') }),
    // One certificate for all projects: a client or system trusts it once.
    certificateDirectory: isNamed ? (dataDirectory ?? caller.dataFolder()) : caller.dataFolder(),
    command: caller.command(),
  }
}

function buildSettings(
  sources: FlagSources,
  fixtures: Fixtures,
  { hosts, roots }: { hosts: readonly string[]; roots: readonly (string | undefined)[] },
): ResolvedOptions['settings'] {
  const allowHosts = readAllowHosts(sources)
  const listensBeyond = !hosts.every(isLoopbackHost)
  const names = [
    ...allowHosts,
    ...roots.flatMap((root) => (root === undefined ? [] : new URL(root).hostname)),
  ]
  const isReachable = listensBeyond || !names.every((name) => isLoopbackHost(withoutPort(name)))
  const controlToken = readControlToken(sources, isReachable)
  const autoApprove = sources.value('autoApprove')
  return Object.freeze({
    ...sources.handedTo('settings'),
    version: packageVersion,
    ...limitsOf(fixtures.config),
    ...(autoApprove === false ? {} : { autoApprove }),
    allowHosts,
    allowOrigins: readAllowOrigins(sources),
    allowAddressHosts: listensBeyond,
    runJobs: readRunJobs(sources),
    runJobsEnv: readRunJobsEnv(sources),
    loopDetection: readLoopDetection(sources),
    ...omitUndefined({ controlToken }),
  })
}

function limitsOf({
  lifetimes,
  device,
  caps,
}: FixturesConfig): Pick<Settings, 'lifetimes' | 'device' | 'caps'> {
  return {
    lifetimes: lifetimesInMs(lifetimes),
    device: Object.freeze({
      ...(device.interval === undefined
        ? {}
        : { intervalSeconds: requireDuration(device.interval) / 1000 }),
      verificationUriComplete: device.verificationUriComplete,
    }),
    caps,
  }
}

function readRoot(sources: FlagSources, key: 'baseUrl' | 'backChannelUrl'): string | undefined {
  const text = sources.value(key)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isRoot = url?.pathname === '/' && url.search === '' && url.hash === ''
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isRoot || url.username !== '') {
    sources.refuse(key, `must be like https://hub.example.test:8443, not ${text}`)
    return undefined
  }
  return url.origin
}

/** Reads the intercepted origins. The first one is the base URL, as programs have it built in. */
function readIntercepted(sources: FlagSources): readonly string[] | undefined {
  const { origins, problems } = readOrigins(sources.value('intercept'))
  for (const problem of problems) sources.refuse('intercept', problem)
  const [first] = origins
  if (first === undefined) return undefined
  const baseUrl = sources.given('baseUrl')
  if (baseUrl !== undefined && baseUrl.replace(/\/$/, '') !== first.origin) {
    sources.refuse(
      'intercept',
      `makes ${first.origin} the base URL, so --base-url cannot be another one`,
    )
  }
  return Object.freeze(origins.map(({ origin }) => origin))
}

/** Returns the address to listen on with `lan`. */
function readNetworkAddress(sources: FlagSources, caller: Caller): string | undefined {
  if (!sources.value('lan')) return undefined
  if (sources.value('host').length > 0) {
    sources.refuse('lan', 'cannot be combined with host, which names the addresses itself')
    return undefined
  }
  const address = caller.networkAddress()
  if (address === undefined) {
    sources.refuse('lan', 'needs a network, and this machine has no network address')
  }
  return address
}

/** Returns the host of the URL for the listening addresses. */
function urlHostOf(hosts: readonly string[], hostsAreDefault: boolean): string {
  const [host = 'localhost', ...further] = hosts
  const isLocal = hosts.some(
    (name) => unspecified.has(name) || isLocalhost(name) || localhostAddresses.includes(name),
  )
  if (hostsAreDefault || unspecified.has(host) || (further.length > 0 && isLocal)) {
    return 'localhost'
  }
  return isIPv6(host) ? `[${host}]` : host
}

/**
 * Returns the folder of the state, and whether the user named it. `data` or `ephemeral` from the source of higher precedence
 * wins. By default, each fixtures file has its own folder.
 */
function readDataDirectory(
  sources: FlagSources,
  { file }: Pick<ReadFixtures, 'file'>,
  caller: Caller,
): { dataDirectory?: string; isNamed: boolean } {
  const data = sources.value('data')
  const isBoth = data !== undefined && sources.given('ephemeral') === true
  const order = isBoth ? sources.rank('data') - sources.rank('ephemeral') : 0
  if (isBoth && order === 0) sources.refuse('data', 'cannot be combined with ephemeral')
  if (isBoth && order >= 0) return { isNamed: false }
  if (data !== undefined) return { dataDirectory: resolve(caller.folder(), data), isNamed: true }
  if (sources.value('ephemeral')) return { isNamed: false }
  const base = caller.dataFolder()
  const dataDirectory = file === undefined ? base : projectDataFolder(file, base)
  return { dataDirectory, isNamed: false }
}

/** Checks the user name only if the fixtures are loaded: a stored state may have other users. */
function checkAutoApprove(
  sources: FlagSources,
  { users }: Fixtures,
  dataDirectory: string | undefined,
): void {
  const loadsFixtures = dataDirectory === undefined || sources.value('reset')
  const names = users.map(({ username }) => username)
  const problem = loadsFixtures && approverProblem(sources.value('autoApprove'), names)
  if (problem) sources.refuse('autoApprove', problem)
}

/** Returns the control token, which is mandatory beyond loopback. */
function readControlToken(sources: FlagSources, isReachable: boolean): string | undefined {
  const wanted = sources.value('controlToken')
  if (typeof wanted === 'string') {
    if (!/^[\w.~+/=-]{8,}$/.test(wanted)) {
      sources.refuse('controlToken', 'must have at least 8 letters, digits or -._~+/=')
    }
    return wanted
  }
  return wanted || isReachable ? randomBytes(24).toString('base64url') : undefined
}

function readRunJobs(sources: FlagSources): ReadonlyMap<string, string> {
  const commands = new Map(Object.entries(sources.value('runJobs')))
  for (const [image, command] of commands) {
    try {
      splitCommand(command)
    } catch (error) {
      sources.refuse('runJobs', `of ${image}: ${(error as TypeError).message}`)
    }
  }
  return commands
}

function readRunJobsEnv(sources: FlagSources): readonly string[] {
  const names = sources.value('runJobsEnv')
  for (const name of names) {
    if (!isVariableName(name)) {
      sources.refuse(
        'runJobsEnv',
        `must be comma-separated names of environment variables, not ${name}`,
      )
    } else if (isSetBySandbox(name)) {
      sources.refuse('runJobsEnv', `cannot contain ${name}: only the sandbox sets it`)
    }
  }
  return Object.freeze([...names])
}

function readAllowHosts(sources: FlagSources): readonly string[] {
  const names = sources.value('allowHost')
  for (const name of names) {
    if (!/^(\[[\da-f:.]+\]|[a-z\d._-]+)(:\d{1,5})?$/i.test(name)) {
      sources.refuse('allowHost', `must be a name as in a Host header, not ${name}`)
    }
  }
  return Object.freeze(names.map((name) => name.toLowerCase()))
}

function withoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '')
}

function readAllowOrigins(sources: FlagSources): readonly string[] {
  const origins = sources.value('allowOrigin')
  return Object.freeze(
    origins.map((text) => {
      const origin = readWebOrigin(text)
      if (origin === undefined) {
        sources.refuse(
          'allowOrigin',
          `must be like https://app.example.test or capacitor://localhost, not ${text}`,
        )
      }
      return origin ?? text
    }),
  )
}
