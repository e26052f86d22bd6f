import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { keepCertificate } from './certificate.ts'
import type { ResolvedOptions } from './config/options.ts'
import { createClock, type Clock } from './core/clock.ts'
import { createIds, type Ids, seededBytes } from './core/ids.ts'
import type { ServerDeps } from './core/server-deps.ts'
import type { Settings } from './core/settings.ts'
import { createBus } from './events/bus.ts'
import { createEventLog } from './events/log.ts'
import { createRequestLog } from './events/request-log.ts'
import { createJobs } from './jobs/jobs.ts'
import { runProcess } from './jobs/process.ts'
import { type Listeners, openListeners } from './listen.ts'
import { createDevicePolls } from './oauth/device-polls.ts'
import { keepForgetting } from './oauth/forget.ts'
import { createClientFinder } from './oauth/metadata-document.ts'
import { seededRsaKey } from './oauth/seeded-key.ts'
import { createSigningKeys } from './oauth/signing-keys.ts'
import { followSpaces } from './oauth/space-app.ts'
import { fetchDocument } from './outgoing/fetch-document.ts'
import { createBarriers } from './sandbox-control/barriers.ts'
import { createFaults } from './sandbox-control/faults.ts'
import { breakDeliveries } from './sandbox-control/break-deliveries.ts'
import { loadFixtures } from './state/load-fixtures.ts'
import { definitions, type State, stateFormatVersion } from './state/state.ts'
import { openStore, type Store } from './state/store.ts'
import { createWebhookEngine } from './webhooks/engine.ts'
import { createLinks } from './webhooks/links.ts'
import type { TargetPolicy } from './webhooks/target.ts'

/** A sandbox that answers. */
export interface RunningSandbox {
  readonly url: string
  readonly dashboardUrl: string
  /** PEM file of the certificate of `https`. */
  readonly certificatePath?: string
  readonly deps: ServerDeps
  readonly app: FastifyInstance
  /** What the user should know about the start, such as fixtures that changed since they were loaded. */
  readonly notices: readonly string[]
  /** Finishes what is in flight (5 s at most), saves and lets go of everything. Calling it again ends it now. */
  close(): Promise<void>
}

/** How long a stop waits for what is in flight. */
const graceMs = 5000

/**
 * Starts a sandbox: state, domain, engine, server, in this order; a start that fails leaves nothing open.
 * @throws {LockedError | StateError} when the data folder cannot be used
 * @throws {ListenError} when the port or an address cannot be used
 */
export async function runSandbox(options: ResolvedOptions): Promise<RunningSandbox> {
  const undo: (() => unknown)[] = []
  try {
    return await assemble(options, undo)
  } catch (error) {
    await rollBack(undo)
    throw error
  }
}

/** Takes every step, whatever becomes of the others: each lets go of something else. */
async function rollBack(undo: readonly (() => unknown)[]): Promise<void> {
  for (const step of undo.toReversed()) {
    try {
      await step()
    } catch (error) {
      process.emitWarning(`what a failed start had opened was not let go of well: ${String(error)}`)
    }
  }
}

async function assemble(
  options: ResolvedOptions,
  undo: (() => unknown)[],
): Promise<RunningSandbox> {
  const store = await openStore(definitions, {
    formatVersion: stateFormatVersion,
    ...(options.dataDirectory === undefined ? {} : { directory: options.dataDirectory }),
  })
  undo.push(() => store.close())
  const certificate = options.https
    ? await keepCertificate(options.certificateDirectory, servedNames(options))
    : undefined
  const listeners = await openListeners({
    ...options,
    ...(certificate === undefined ? {} : { certificate }),
  })
  undo.push(() => {
    // What has connected waits for an answer that will not come.
    listeners.destroy()
    return listeners.close()
  })

  const state = store.collections
  const settings: Settings = Object.freeze({
    ...options.settings,
    baseUrl: options.baseUrl ?? `${options.https ? 'https' : 'http'}://localhost:${listeners.port}`,
  })
  const policy = outgoingPolicy(settings, listeners)
  const deps = createDeps(options, settings, store, policy)
  undo.push(() => deps.clock.close())
  followSpaces(deps)

  const notices: string[] = []
  if (certificate?.isNew === true) {
    notices.push(
      `A new certificate was made: ${certificate.path}. Clients trust it by NODE_EXTRA_CA_CERTS or SSL_CERT_FILE.`,
    )
  }
  // Written with the fixtures: a start that was killed before them has loaded nothing.
  const isFresh = readMeta(state, 'fixtures') === undefined || options.reset
  if (isFresh) {
    clearState(state)
    startOver(deps, options)
  } else if (readMeta(state, 'fixtures') !== options.fixturesHash) {
    notices.push(
      `The fixtures (${options.fixturesSource}) have changed since they were loaded into ${options.dataDirectory}. Start with --reset to load them again.`,
    )
  }

  const app = await buildApp(deps, {
    findClient: createClientFinder({
      ...deps,
      documents: () => deps.fixtures().clientMetadataDocuments,
      fetchDocument: (url) => fetchDocument(url, policy),
    }),
    server: listeners.primary,
    ...loggerOf(options),
  })
  undo.push(() => app.close())
  await app.ready()
  undo.push(async () => {
    await deps.engine.close(0)
    await deps.jobs.close()
  })
  deps.jobs.takeUp()
  deps.engine.start()
  keepForgetting(deps)
  listeners.serve((request, response) => app.routing(request, response))
  await store.committed()

  const dashboardUrl = dashboardUrlOf(settings)
  store.updateLock({
    url: settings.baseUrl,
    ...(settings.controlToken === undefined ? {} : { controlToken: settings.controlToken }),
  })
  deps.bus.emit('sandbox.started', { url: settings.baseUrl })
  const stop = stopper({ deps, app, listeners, store })
  void warmUp(deps, app, stop)
  return {
    url: settings.baseUrl,
    dashboardUrl,
    deps,
    app,
    notices,
    close: () => stop.close(),
    ...(certificate === undefined ? {} : { certificatePath: certificate.path }),
  }
}

/** Every name and address the sandbox is reached by. */
function servedNames({ baseUrl, hosts, settings }: ResolvedOptions): string[] {
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    ...hosts.filter((host) => !['0.0.0.0', '::'].includes(host)),
    ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')]),
    ...settings.allowHosts,
  ]
  return [...new Set(names)]
}

function outgoingPolicy(settings: Settings, listeners: Listeners): TargetPolicy {
  return {
    allowNetwork: settings.allowNetwork,
    ownPorts: () => [listeners.port],
    async resolve(hostname) {
      const addresses = await lookup(hostname, { all: true })
      return addresses.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
    },
  }
}

function createDeps(
  options: ResolvedOptions,
  settings: Settings,
  store: Store<typeof definitions>,
  policy: TargetPolicy,
): ServerDeps {
  const state = store.collections
  const { seed } = settings
  const generation = (readMeta(state, 'generation') ?? -1) + 1
  writeMeta(state, 'generation', generation)
  const ids: Ids = createIds(seed === undefined ? undefined : seededBytes(seed, generation))

  const clock: Clock = createClock({ initial: readMeta(state, 'clock') ?? {} })
  const bus = createBus(clock)
  clock.onChange((reading) => {
    const { frozen, offsetMs, now } = reading
    writeMeta(state, 'clock', frozen ? { frozenAt: now } : { offsetMs })
    bus.emit('clock.changed', reading)
  })
  const polls = createDevicePolls(clock, settings.device.intervalSeconds)
  const keys = createSigningKeys({
    state,
    clock,
    ids,
    bus,
    // Of a stream of its own, so that the moment it is made does not shift the ids.
    ...(seed === undefined ? {} : { makeKey: () => seededRsaKey(seededBytes(`${seed}:key`)) }),
  })
  const live = createEventLog(bus, ids.alphanumeric(8))
  const requests = createRequestLog(settings.caps.requests)
  const faults = createFaults({ clock, ids, bus })
  const barriers = createBarriers({ ids })
  const domain = { settings, clock, ids, state, bus, keys, polls }
  const jobs = createJobs(domain, runProcess)
  const links = createLinks(domain, policy)
  const engine = createWebhookEngine(domain, {
    committed: () => store.committed(),
    policy,
    jobs,
    intercept: breakDeliveries(faults),
  })
  const onClose: (() => void)[] = []

  const deps: ServerDeps = {
    ...domain,
    engine,
    jobs,
    links,
    live,
    requests,
    faults,
    barriers,
    fixtures: () => options.fixtures,
    committed: () => store.committed(),
    ...(options.dataDirectory === undefined ? {} : { dataDirectory: options.dataDirectory }),
    fixturesSource: options.fixturesSource,
    replaceState(fill) {
      jobs.abandon()
      void links.clear()
      clearState(state)
      polls.clear()
      requests.clear()
      faults.clear()
      barriers.clear()
      clock.reset()
      fill()
      engine.reset()
      bus.emit('sandbox.reset', {})
    },
    reset() {
      deps.replaceState(() => startOver(deps, options))
    },
    onClose: (close) => void onClose.push(close),
    closing: () => {
      for (const close of onClose.splice(0)) close()
    },
  }
  return deps
}

/** Loads the fixtures into an empty state. */
function startOver(deps: ServerDeps, options: ResolvedOptions): void {
  loadFixtures(deps, options.fixtures)
  writeMeta(deps.state, 'fixtures', options.fixturesHash)
}

/** Forgets everything but what tells the runs of a seeded sandbox apart. */
function clearState(state: State): void {
  const generation = readMeta(state, 'generation')
  for (const collection of Object.values(state)) collection.clear()
  if (generation !== undefined) writeMeta(state, 'generation', generation)
}

/** Small facts of the sandbox itself. */
interface MetaValues {
  clock: { offsetMs?: number; frozenAt?: number }
  /** Hash of the fixtures that were loaded. */
  fixtures: string
  /** Runs of this data folder, from 0. */
  generation: number
}

// What the program itself wrote under this id; the store has checked that it is JSON.
function readMeta<K extends keyof MetaValues>(state: State, id: K): MetaValues[K] | undefined {
  return state.meta.get(id)?.value as MetaValues[K] | undefined
}

function writeMeta<K extends keyof MetaValues>(state: State, id: K, value: MetaValues[K]): void {
  state.meta.put({ id, value })
}

/** Makes the signing key once the start is over, so that the first sign-in need not wait for it. */
async function warmUp(
  deps: ServerDeps,
  app: FastifyInstance,
  stop: { readonly begun: boolean },
): Promise<void> {
  try {
    await deps.keys.published()
  } catch (error) {
    // A sandbox that is stopped at once has no state left to keep a key in.
    if (!stop.begun) app.log.error(error)
  }
}

function stopper(parts: {
  deps: ServerDeps
  app: FastifyInstance
  listeners: Listeners
  store: Store<typeof definitions>
}) {
  const { deps, app, listeners, store } = parts
  let stopping: Promise<void> | undefined

  async function stop(): Promise<void> {
    const grace = setTimeout(() => listeners.destroy(), graceMs)
    deps.barriers.clear()
    deps.closing()
    // Fastify answers 503 from here on, and the listeners take no more connections.
    const closed = Promise.all([app.close(), listeners.close()])
    try {
      await deps.engine.close(graceMs)
      await deps.jobs.close()
      await deps.links.clear()
      await closed
    } finally {
      clearTimeout(grace)
      deps.clock.close()
      await store.close()
    }
  }
  return {
    get begun() {
      return stopping !== undefined
    },
    close(): Promise<void> {
      if (stopping !== undefined) {
        listeners.destroy()
        void deps.engine.close(0)
      }
      return (stopping ??= stop())
    },
  }
}

function dashboardUrlOf({ baseUrl, controlToken }: Settings): string {
  const query = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  return `${baseUrl}/_sandbox/${query}`
}

function loggerOf({ logLevel }: ResolvedOptions) {
  if (logLevel === 'silent') return {}
  return {
    logger: { level: logLevel, stream: { write: (line: string) => process.stderr.write(line) } },
  }
}
