import { join } from 'node:path'
import { inBackground, warn } from '../core/background.ts'
import type { RecordedRunItem } from '../contract/control-overrides.ts'
import { beginningOf, encodeText } from '../core/encode-text.ts'
import { commandText } from '../core/shell-words.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { portsOfProcess } from '../core/own-ports.ts'
import { createControlCall } from '../web/control-client.ts'
import { buildApp } from './app.ts'
import type { SandboxApp } from '../web/front-door.ts'
import { keepCertificate } from './certificate.ts'
import { approverProblem } from './config/approver.ts'
import { defaultDataFolder } from './config/project-folder.ts'
import type { ResolvedOptions } from './config/options.ts'
import type { ServerDeps } from '../lab/server-deps.ts'
import { type ClientFiles, services } from '../lab/sandbox-services.ts'
import { ConfigError } from '../core/config-error.ts'
import { isLoopbackHost, localhostAddresses } from '../core/loopback.ts'
import type { Settings } from '../core/settings.ts'
import type { Listeners } from './open-listener.ts'
import { keepGivingBack } from './give-back.ts'
import { keepForgetting } from '../hub/oauth/forget.ts'
import { createIssuerKeys } from '../hub/oauth/ci/issuer-keys.ts'
import { createClients } from '../hub/oauth/metadata-document.ts'
import { followSpaces } from '../hub/oauth/space-app.ts'
import { notingFetch } from '../inspect/flows/document-fetches.ts'
import { createRunAdvice, type RunAdvice } from '../lab/checks/run-advice.ts'
import type { ForkPlaces } from '../lab/forks/forks.ts'
import { createLogSegments, type LogSegments } from '../inspect/log/log-segments.ts'
import { createJobVolumes } from './mount-volumes.ts'
import { type Machine, thisMachine } from './machine.ts'
import { realTime } from './system-time.ts'
import { recallRun, startOver, wholeSandbox } from './whole-sandbox.ts'
import { oneLine } from '../core/terminal-text.ts'
import { restoreInterrupted } from '../lab/audit/app/restore.ts'
import { forkOf, forkSandbox } from './fork.ts'
import { hubCacheFolder, hubCacheVariables } from './hub-caches.ts'
import { ownTransport } from './own-transport.ts'
import { DamagedError, NewerError, StateError, UnknownRecordError } from '../store/errors.ts'
import { readMeta } from '../store/meta.ts'
import { definitions, stateFormatVersion } from '../store/state.ts'
import type { KeptSandbox } from '../store/objects/kept-sandbox.ts'
import { openStore } from '../store/store.ts'
import { createFolderObjects } from '../store/objects/folder-objects.ts'
import type { KeptUse, ObjectStores } from '../store/objects/object-store.ts'
import { namedByShelf, shelfFolder } from '../fixtures/snapshots/snapshot-shelf.ts'
import { createMemoryObjects } from '../store/objects/memory-objects.ts'
import { sweepContentsFolders } from '../store/objects/contents-folder.ts'
import { createStopper, type Stopper } from './stop-sandbox.ts'
import { resolveHost } from '../web/outgoing/resolve-host.ts'
import type { Outgoing } from '../web/outgoing/outgoing.ts'
import type { TargetPolicy } from '../web/outgoing/target-policy.ts'

/** Keys of an issuer have certificates, and the sandbox itself can be the issuer instead. */
const ofIssuer = {
  maxBytes: 64 * 1024,
  instead: 'use an ID token of the sandbox itself (hub-sandbox exec --ci)',
}

/** Running sandbox. */
export interface RunningSandbox {
  readonly url: string
  /** URL for programs of this machine, if the base URL is another one. */
  readonly localUrl: string
  readonly dashboardUrl: string
  /** PEM file of the certificate of `https`. */
  readonly certificatePath?: string
  /** Resolves after the response to the first request over a socket. */
  readonly firstAnswer: Promise<void>
  readonly deps: ServerDeps
  readonly app: SandboxApp
  /** Notices about the start, such as that the fixtures have changed since they were loaded. */
  readonly notices: readonly string[]
  /** Finishes running work (5 s at most), saves and closes. A second call ends running work at once. */
  close(): Promise<void>
}

/** Initial state of a sandbox. */
export interface Beginning {
  /** State of another sandbox, shared with it: records are never changed in place. Default: the fixtures. */
  kept?: KeptSandbox
  /**
   * Whether to generate the signing key after the start, so that the first sign-in does not wait for it. It costs several
   * times as much as the start: a program that starts many sandboxes leaves it to those that sign.
   */
  makeKeyAhead?: boolean
  /** Segments of the log, for a fork. Default: new ones. */
  segments?: LogSegments
  /** Findings of the run, for a fork. Default: none yet. */
  runAdvice?: RunAdvice
  /** Count of the forks that a fork belongs to. Default: a new one. */
  forkPlaces?: ForkPlaces
}

/**
 * Starts a sandbox: state, domain, engine, server, in this order. A failed start leaves nothing open.
 * @param machine default: this one
 * @throws {LockedError | StateError} when the data folder cannot be used
 * @throws {ListenError} when the port or an address cannot be used
 * @throws {ConfigError} when the user of `autoApprove` is not in the stored state
 */
export async function runSandbox(
  options: ResolvedOptions,
  beginning: Beginning = {},
  machine: Machine = thisMachine,
): Promise<RunningSandbox> {
  const undo: (() => unknown)[] = []
  try {
    return await assemble(options, beginning, machine, undo)
  } catch (error) {
    await rollBack(undo)
    throw error
  }
}

/** Opens the contents of repos, which are stored beside the state. */
function openObjects({ dataDirectory }: ResolvedOptions): ObjectStores {
  return dataDirectory === undefined
    ? createMemoryObjects()
    : createFolderObjects(join(dataDirectory, 'repos'))
}

/** @throws {StateError} that suggests `--reset` if it helps */
async function openState({ dataDirectory, reset }: ResolvedOptions, objects: ObjectStores) {
  try {
    return await openStore(definitions, {
      formatVersion: stateFormatVersion,
      before: objects,
      forgetsDamaged: reset,
      ...omitUndefined({ directory: dataDirectory }),
    })
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    const { message, file } = error
    throw new StateError(`${message}\n${adviceFor(error)}`, { file, cause: error })
  }
}

/** Returns the fix for a state that cannot be read; what a newer version stored is never to be given up. */
function adviceFor(error: DamagedError): string {
  const keep = 'use that version for this data folder, or choose another folder with --data'
  if (error instanceof NewerError) return `To keep it, ${keep}.`
  if (error instanceof UnknownRecordError) {
    return `If a newer version of hub-sandbox wrote it, ${keep}. If the file is damaged, start with --reset: it is renamed, and the fixtures are loaded.`
  }
  return 'Start with --reset to forget all that is stored and load the fixtures.'
}

/** Runs all steps even if some fail, because each releases another resource. */
async function rollBack(undo: readonly (() => unknown)[]): Promise<void> {
  for (const step of undo.toReversed()) {
    try {
      await step()
    } catch (error) {
      process.emitWarning(`Failed to release a resource of the failed start: ${String(error)}`)
    }
  }
}

/** Opens what the sandbox holds of the machine: its data folder and its port. */
async function openResources(options: ResolvedOptions, machine: Machine, undo: (() => unknown)[]) {
  const objects = openObjects(options)
  undo.push(() => objects.close())
  const store = await openState(options, objects)
  undo.push(() => store.close())
  const certificate = options.https
    ? await keepCertificate(options.certificateDirectory, servedNames(options))
    : undefined
  const listeners = await machine.openListeners({
    ...options,
    ...omitUndefined({ certificate }),
  })
  undo.push(() => {
    // Connected clients would wait for a response that is never sent.
    listeners.destroy()
    return listeners.close()
  })
  return { objects, store, certificate, listeners }
}

async function assemble(
  options: ResolvedOptions,
  beginning: Beginning,
  machine: Machine,
  undo: (() => unknown)[],
): Promise<RunningSandbox> {
  const resources = await openResources(options, machine, undo)
  const { objects, store, certificate, listeners } = resources
  const state = store.collections
  // The clock begins with the restored time.
  const interruptedAudit = await restoreInterrupted(state)
  const reposBefore = [...state.repos.values()]
  const made = createServices(options, beginning, machine, resources)
  const { running, server, deps, localUrl, outgoing } = made
  undo.push(() => {
    server.destroy()
    return running.stop(0)
  })
  const runFork: typeof runSandbox = (fork, of) => runSandbox(fork, of, machine)
  deps.forks.makeBy(async () => forkOf(await forkSandbox(runFork, options, deps)))
  followSpaces(deps)

  // Written together with the fixtures: missing if an earlier start was killed before it loaded them.
  const isFresh = readMeta(state, 'fixtures') === undefined || options.reset
  const { kept, makeKeyAhead = true } = beginning
  if (kept === undefined) {
    requireApprover(options, isFresh ? options.fixtures.users : [...state.users.values()])
  }
  const notices = [
    ...(certificate?.isNew === true ? [newCertificateNotice(certificate.path)] : []),
    ...enterState(deps, options, { isFresh, kept }),
    ...(interruptedAudit === undefined || isFresh ? [] : [restoredNotice(interruptedAudit)]),
  ]
  const recorded = deps.recordedRun.describe()
  if (recorded !== undefined) notices.push(recordedNotice(recorded, deps.commandLine))

  const app = await buildApp(deps, {
    ...fetchersOf(deps, outgoing),
    server: listeners.primary,
    ...loggerOf(options),
  })
  server.serve(app)
  // Ids that the server used for its forms must not change those that tests see.
  if (isFresh) deps.placeIds((kept ?? options.fixtures.log)?.ids)
  await running.start()
  keepForgetting(deps)
  listeners.serve((request, response) => app.routing(request, response))
  await store.committed()

  const { settings, segments } = deps
  store.updateLock({
    url: settings.baseUrl,
    localUrl,
    ...omitUndefined({ controlToken: settings.controlToken }),
  })
  giveBackDisk(options, deps, store, { before: reposBefore, ready: listeners.firstAnswer })
  deps.bus.emit('sandbox.started', { url: settings.baseUrl })
  segments.readBy(createControlCall(ownTransport(app, settings, localUrl)), () =>
    Array.from(state.deliveries.values(), ({ id }) => id),
  )
  const stop = createStopper(running, server, async () => {
    await store.close()
    await objects.close()
  })
  deps.onStopRequest(() => {
    inBackground(warn, 'the stop that was asked for', () => stop.close())
  })
  if (makeKeyAhead) void makeKey(deps, app, stop)
  return {
    url: settings.baseUrl,
    localUrl,
    dashboardUrl: dashboardUrlOf(settings, localUrl),
    firstAnswer: listeners.firstAnswer,
    deps,
    app,
    notices,
    close: () => stop.close(),
    ...(certificate === undefined ? {} : { certificatePath: certificate.path }),
  }
}

/** Creates the services of the sandbox, which do not run yet. */
function createServices(
  options: ResolvedOptions,
  {
    segments = createLogSegments(),
    runAdvice = createRunAdvice(),
    forkPlaces = { taken: 0 },
  }: Beginning,
  machine: Machine,
  { objects, store, certificate, listeners }: Awaited<ReturnType<typeof openResources>>,
) {
  const scheme = options.https ? 'https' : 'http'
  const localUrl = new URL(`${scheme}://${options.urlHost}:${listeners.port}`).origin
  const settings: Settings = Object.freeze({
    ...options.settings,
    port: listeners.port,
    baseUrl: options.baseUrl ?? localUrl,
    ...omitUndefined({ backChannelUrl: options.backChannelUrl }),
  })
  const policy = outgoingPolicy(settings)
  const outgoing = machine.openNetwork(policy)
  const server = createServerEnd(listeners)
  const given = {
    settings,
    state: store.collections,
    objects,
    committed: () => store.committed(),
    policy,
    outgoing,
    certificate,
    realTime,
    runProcess: machine.runProcess,
    volumesOf: createJobVolumes,
    newPrivateKey: machine.newPrivateKey,
    newRunId: machine.newRunId,
    commandLine: { command: options.command, options: commandOptions(options, localUrl) },
    clientFiles: clientFilesOf(options, localUrl, certificate?.path),
    forkPlaces,
    segments,
    runAdvice,
    server,
  }
  const running = services.create(given)
  return { running, server, deps: wholeSandbox(running, options, given), localUrl, outgoing }
}

/** Returns the apps and issuers that the sandbox knows by documents that it fetches. */
function fetchersOf(deps: ServerDeps, outgoing: Outgoing) {
  return {
    clients: createClients({
      ...deps,
      fetchDocument: notingFetch(deps.requests.fetches, (url) => outgoing.fetchDocument(url)),
    }),
    issuerKeys: createIssuerKeys({
      ...deps,
      fetchDocument: (url) => outgoing.fetchDocument(url, ofIssuer),
    }),
  }
}

/** Frees the disk of earlier runs and of contents that no repo has, in the background. */
function giveBackDisk(
  { dataDirectory }: ResolvedOptions,
  deps: ServerDeps,
  store: Parameters<typeof readKeptUse>[1],
  when: Parameters<typeof keepGivingBack>[1],
): void {
  inBackground(warn, 'clearing away what earlier runs have left', sweepContentsFolders)
  if (dataDirectory === undefined) return
  keepGivingBack({ ...deps, listKept: () => readKeptUse(shelfFolder(dataDirectory), store) }, when)
}

/**
 * Loads the fixtures, or goes on with the stored state.
 * @returns notices for the user
 */
function enterState(
  deps: ServerDeps,
  options: ResolvedOptions,
  { isFresh, kept }: { isFresh: boolean; kept: KeptSandbox | undefined },
): readonly string[] {
  if (isFresh) {
    startOver(deps, options, kept)
    return options.fixturesNotices
  }
  if (readMeta(deps.state, 'fixtures') === options.fixturesHash) {
    recallRun(deps, options)
    return []
  }
  return [
    `The fixtures (${options.fixturesSource}) have changed since they were loaded into ${options.dataDirectory}. Start with --reset to load them again.`,
  ]
}

function newCertificateNotice(path: string): string {
  return `A new certificate was made: ${path}. Clients trust it by NODE_EXTRA_CA_CERTS or SSL_CERT_FILE.`
}

/** @param app the one that was audited when the sandbox was killed */
function restoredNotice(app: string): string {
  return `The sandbox was killed while it audited ${oneLine(app)}: the clock, and the tokens and consents of the app are as they were before the audit.`
}

/** The server's end, which a stop closes with the app that it serves by then. */
function createServerEnd(listeners: Listeners) {
  let app: SandboxApp | undefined
  return {
    serve: (served: SandboxApp) => void (app = served),
    // From here on Fastify responds with 503, and the listeners refuse connections.
    close: () => Promise.all([app?.close(), listeners.close()]),
    destroy: () => listeners.destroy(),
  }
}

/** Lists what snapshots refer to, once the state is on the disk: a power cut must not bring back other uses. */
async function readKeptUse(
  shelf: string,
  store: { synced(): Promise<void> | undefined },
): Promise<KeptUse> {
  const kept = await namedByShelf(shelf)
  await store.synced()
  return kept
}

/**
 * Files for client programs on this machine. A sandbox that listens beyond loopback returns none, because its dashboard may
 * be read on another machine or outside of its container.
 */
function clientFilesOf(
  { hosts }: ResolvedOptions,
  localUrl: string,
  certificatePath: string | undefined,
): ClientFiles {
  if (!hosts.every(isLoopbackHost)) return {}
  const folder = hubCacheFolder(localUrl)
  const caches = folder === undefined ? undefined : hubCacheVariables(folder)
  return omitUndefined({ certificatePath, caches })
}

/**
 * Options that connect a command with this sandbox. None for the data folder that commands in this folder search by
 * themselves. The lock file of another folder also contains the control token, which a URL does not.
 */
function commandOptions(
  { dataDirectory, settings: { controlToken } }: ResolvedOptions,
  localUrl: string,
): readonly string[] {
  if (dataDirectory === defaultDataFolder(process.cwd())) return []
  if (dataDirectory !== undefined) return ['--data', dataDirectory]
  const token = controlToken === undefined ? [] : ['--control-token', controlToken]
  return ['--url', localUrl, ...token]
}

/** @throws {ConfigError} before anything is loaded, so that the folder stays unchanged */
function requireApprover(
  { autoApproveName, settings: { autoApprove } }: ResolvedOptions,
  users: readonly { username: string }[],
): void {
  if (autoApproveName === undefined) return
  const problem = approverProblem(
    autoApprove,
    users.map(({ username }) => username),
  )
  if (problem !== undefined) {
    throw new ConfigError('options', [{ path: autoApproveName, message: problem }])
  }
}

/** Notice about a recorded run. */
function recordedNotice(
  { madeAt, command, exitCode }: RecordedRunItem,
  { command: own, options }: ServerDeps['commandLine'],
): string {
  // A stranger may have written it: control characters could change the terminal.
  const line = command?.replaceAll(/[\s\p{Cc}]+/gu, ' ') ?? ''
  const what = line === '' ? '' : ` of ${line.length > 80 ? `${beginningOf(line, 79)}…` : line}`
  const ending = exitCode === undefined ? '' : `, which ended with ${exitCode}`
  const exported = commandText([...own, 'snapshot', 'export', ...options])
  return `This sandbox shows a recorded run${what}${ending} (${madeAt}), for viewing only: nothing is delivered, retried or run. To go on, start from its state without the log: ${exported} > state.json`
}

/** Names and addresses for the certificate. A stored certificate never contains names of the real Hub. */
function servedNames(options: ResolvedOptions): string[] {
  const { backChannelUrl, hosts, settings } = options
  const baseUrl = settings.interceptedOrigins === undefined ? options.baseUrl : undefined
  const names = [
    'localhost',
    ...localhostAddresses,
    ...hosts.filter((host) => !['0.0.0.0', '::'].includes(host)),
    ...[baseUrl, backChannelUrl].flatMap((root) =>
      root === undefined ? [] : new URL(root).hostname.replace(/^\[|\]$/g, ''),
    ),
    ...settings.allowHosts,
  ]
  return [...new Set(names)]
}

function outgoingPolicy(settings: Settings): TargetPolicy {
  return {
    allowNetwork: settings.allowNetwork,
    ownPorts: portsOfProcess,
    resolve: resolveHost,
  }
}

async function makeKey(deps: ServerDeps, app: SandboxApp, stop: Stopper): Promise<void> {
  try {
    await deps.keys.published()
  } catch (error) {
    // A sandbox that was stopped at once has no state for the key.
    if (!stop.begun) app.log.error(error)
  }
}

/** Never an intercepted origin: a browser that is not redirected would send the token to the real Hub. */
function dashboardUrlOf(
  { baseUrl, interceptedOrigins, controlToken }: Settings,
  localUrl: string,
): string {
  const query = controlToken === undefined ? '' : `?token=${encodeText(controlToken)}`
  return `${interceptedOrigins === undefined ? baseUrl : localUrl}/_sandbox/${query}`
}

function loggerOf({ logLevel }: ResolvedOptions) {
  if (logLevel === 'silent') return {}
  return {
    logger: { level: logLevel, stream: { write: (line: string) => process.stderr.write(line) } },
  }
}
