import { type KeysOf, takeOptions } from '../core/arguments.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { setTimeout } from '../core/timers.ts'
import { expressHandler, type ExpressHandler } from './adapters/express.ts'
import { fastifyPlugin, type FastifyPlugin } from './adapters/fastify.ts'
import { nodeHandler, type NodeHandler } from './adapters/node.ts'
import { oncePerDelivery, type DedupeStore } from './dedupe.ts'
import { endpointName } from './endpoint-name.ts'
import type { EventName, PayloadFor } from './events.ts'
import { createExchange, type CustomPage } from './exchange.ts'
import type { WebhookHandler } from './handler.ts'
import type { Listening, ListenOptions } from './listen.ts'
import { ReceiverLifecycle } from './lifecycle.ts'
import type { Log } from './log.ts'
import { onlyOnce } from './only-once.ts'
import { normalizeBasePath } from './place.ts'
import { type Reception, Receptions } from './receptions.ts'
import { Router } from './router.ts'
import { HandlerRunner } from './handler-runner.ts'
import { createSecretGuard, type SecretOptions } from './secret.ts'

export interface WebhooksOptions extends SecretOptions {
  /** Store that makes each delivery run once, such as `memoryStore()`. Default: every attempt is handled. */
  dedupe?: DedupeStore
  /** Milliseconds after which a running handler gets the response 202; false: wait. Default: 25,000. */
  autoAckMs?: number | false
  /** Replaces the landing page. */
  page?: CustomPage
  /** Hub for the links of the landing page to create webhooks. Default: `HF_ENDPOINT`, else the sandbox. */
  hubUrl?: string
  /**
   * External base path of the receiver, such as `/api`. Default: that of the requests. Needed behind a proxy or a router that
   * removes the path, and for the landing page at the path itself.
   */
  basePath?: string
  /** Whether the receiver starts by itself at the end of the program if nothing else serves it. Default: true. */
  autoStart?: boolean
  /** Default: the console. */
  log?: Log
}

/** A function with a name, which becomes the name of its endpoint. */
export type NamedHandler = WebhookHandler & { readonly name: string }

export interface Webhooks {
  /**
   * Serves a handler at `POST /webhooks/<name>`; without a name, at the name of the function.
   * @throws {TypeError} for a name that is unusable or taken
   */
  endpoint(handler: NamedHandler): void
  endpoint(name: string, handler: WebhookHandler): void
  /**
   * Adds a handler of one event, or of all of one scope. They share `POST /webhooks/events`.
   * An event of an unknown, narrower scope counts as an update of the broader one.
   * @throws {TypeError} for an event that the hub does not send
   */
  on<Name extends EventName>(name: Name, handler: WebhookHandler<PayloadFor<Name>>): void
  /** The receiver as a function of the Fetch standard, for Hono, Bun, Deno, Workers and Next. */
  readonly fetch: (request: Request, env?: unknown, context?: unknown) => Promise<Response>
  /** Adapter for `http.createServer`. */
  node(): NodeHandler
  /** Adapter for `app.use`. Mounted before body parsers, it passes the exact bytes. */
  express(): ExpressHandler
  /** Adapter for `app.register`, with or without a `prefix`. */
  fastify(): FastifyPlugin
  /** Listens on its own port. */
  listen(options?: ListenOptions): Promise<Listening>
  /** Listens, and resolves when the server is closed. */
  run(options?: ListenOptions): Promise<void>
  /** Resolves when no handler and no deferred work is running. */
  idle(): Promise<void>
  /** Last 100 requests to endpoints, oldest first. */
  readonly receptions: readonly Reception[]
}

const optionNames = {
  secret: true,
  webhook_secret: true,
  allowQuerySecret: true,
  dedupe: true,
  autoAckMs: true,
  page: true,
  hubUrl: true,
  basePath: true,
  autoStart: true,
  log: true,
} as const satisfies KeysOf<WebhooksOptions>

const eventsEndpoint = 'events'
const defaultHubUrl = 'http://localhost:7420'
const defaultAutoAckMs = 25_000
const receptionsKept = 100

/**
 * Creates a receiver of webhooks: handlers, each at its own route, behind one secret.
 *
 * Experimental: it may change without notice, so pin the version.
 * @throws {TypeError} for an unknown option (a secret under another name would leave the receiver open to everyone), a secret
 *   that no delivery can have, and an invalid `basePath`, `dedupe` or `autoAckMs`
 */
export function createWebhooks(given?: WebhooksOptions): Webhooks {
  const options = takeOptions('createWebhooks()', given, optionNames)
  const { env } = process
  const { log = console, dedupe, page, autoStart = true } = options
  assertStore(dedupe)
  assertAutoAck(options.autoAckMs)
  const guard = createSecretGuard(options, env)
  const endpoints = new Map<string, WebhookHandler>()
  const receptions = new Receptions(receptionsKept)
  const runner = new HandlerRunner({ autoAckMs: options.autoAckMs ?? defaultAutoAckMs, log })
  const spaceHost = env['SPACE_HOST']
  const outside = {
    ...(spaceHost === undefined ? {} : { publicUrl: `https://${spaceHost}` }),
    ...(options.basePath === undefined ? {} : { basePath: normalizeBasePath(options.basePath) }),
  }
  const exchange = createExchange({
    endpoints,
    guard,
    runner,
    receptions,
    hubUrl: (options.hubUrl ?? env['HF_ENDPOINT'] ?? defaultHubUrl).replace(/\/+$/, ''),
    log,
    ...omitUndefined({ page }),
    ...outside,
  })
  const handler = nodeHandler(exchange, log)
  const lifecycle = new ReceiverLifecycle({
    handler,
    runner,
    endpoints,
    guard,
    env,
    log,
    ...outside,
  })

  function endpoint(first: string | NamedHandler, second?: WebhookHandler): void {
    const given = typeof first === 'string' ? first : first.name
    const handle = typeof first === 'string' ? second : first
    if (typeof handle !== 'function') {
      throw new TypeError(`The webhook endpoint "${given}" requires a function.`)
    }
    const name = endpointName(given)
    if (endpoints.has(name)) throw new TypeError(`The webhook endpoint "${name}" already exists.`)
    endpoints.set(name, dedupe === undefined ? handle : oncePerDelivery(handle, dedupe, log))
    if (autoStart) lifecycle.startAtEnd()
  }

  const eventRouter = onlyOnce(() => {
    const router = new Router()
    endpoint(eventsEndpoint, (payload, context) => router.route(payload, context))
    return router
  })

  async function fetch(request: Request, _env?: unknown, context?: unknown): Promise<Response> {
    const response = await exchange(request, nextTurn)
    if (canWait(context)) context.waitUntil(runner.idle())
    return response
  }

  return {
    endpoint,
    on: (name, handle) => eventRouter().on(name, handle),
    get fetch() {
      lifecycle.servedElsewhere()
      return fetch
    },
    node() {
      lifecycle.servedElsewhere()
      return handler
    },
    express() {
      lifecycle.servedElsewhere()
      return expressHandler(handler)
    },
    fastify() {
      lifecycle.servedElsewhere()
      return fastifyPlugin(handler)
    },
    listen: (listenOptions = {}) => lifecycle.listen(listenOptions),
    async run(listenOptions = {}) {
      const { closed } = await lifecycle.listen(listenOptions)
      await closed
    },
    idle: () => runner.idle(),
    get receptions() {
      return receptions.list()
    },
  }
}

function assertStore(dedupe: unknown): void {
  if (dedupe === undefined) return
  const { get, set } = Object(dedupe) as Partial<DedupeStore>
  if (typeof get === 'function' && typeof set === 'function') return
  throw new TypeError('dedupe requires a store with get() and set(), such as memoryStore().')
}

function assertAutoAck(ms: unknown): void {
  if (ms === undefined || ms === false || (typeof ms === 'number' && ms >= 0)) return
  throw new TypeError(
    `autoAckMs must be a number of milliseconds, or false, not ${typeof ms === 'number' ? ms : JSON.stringify(ms)}.`,
  )
}

// Without its own socket the receiver gets no event when a response was sent; a turn of the event loop gives the calling
// server the time to send it.
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

// Workers stop the work of a request at its response, unless `waitUntil` keeps it.
function canWait(context: unknown): context is { waitUntil(work: Promise<unknown>): void } {
  const waitUntil = (context as { waitUntil?: unknown } | undefined)?.waitUntil
  return typeof waitUntil === 'function'
}
