import { assertJsonContent, parseBody, readBody } from './body.ts'
import { dedupeKey, duplicateHeader } from './dedupe.ts'
import type { DeliveryFacts, WebhookHandler } from './handler.ts'
import { landingPageCsp, landingPage, type Summary } from './landing-page.ts'
import type { Log } from './log.ts'
import type { WebhookPayload } from './payload.ts'
import { type MountPlace, placeOf, defaultRoot } from './place.ts'
import type { Reception, Receptions } from './receptions.ts'
import { json, plainHeaders, Rejection } from './rejection.ts'
import type { HandlerRunner } from './handler-runner.ts'
import type { SecretGuard } from './secret.ts'

/** Landing page: HTML for `/`, or a function for all paths outside `/webhooks`. */
export type CustomPage = string | ((request: Request) => Response | Promise<Response>)

export interface ExchangeDeps {
  endpoints: ReadonlyMap<string, WebhookHandler>
  guard: SecretGuard
  runner: HandlerRunner
  receptions: Receptions
  page?: CustomPage
  /** Hub to create webhooks on: that of `HF_ENDPOINT`, or else the sandbox. */
  hubUrl: string
  /** External URL of the receiver, if it differs from the requested one. */
  publicUrl?: string
  /** External base path, if requests do not show it. */
  basePath?: string
  log: Log
}

/**
 * @param whenSent resolves when the response was sent; deferred work starts then
 * @param mountPath path below which the framework serves the receiver, if known
 */
export type ExchangeHandler = (
  request: Request,
  whenSent: () => Promise<unknown>,
  mountPath?: string,
) => Promise<Response>

/** A request and its position in the app. */
interface Call extends MountPlace {
  request: Request
}

const shownReceptions = 20

/** Receiver as a function from request to response, which every adapter calls. */
export function createExchange(deps: ExchangeDeps): ExchangeHandler {
  const { basePath, endpoints, runner } = deps
  const hasEndpoint = (name: string) => endpoints.has(name)
  return (request, whenSent, mountPath) => {
    const place = placeOf(new URL(request.url).pathname, { basePath, mountPath, hasEndpoint })
    return runner.track(answer(deps, { request, ...place }, whenSent))
  }
}

async function answer(
  deps: ExchangeDeps,
  call: Call,
  whenSent: () => Promise<unknown>,
): Promise<Response> {
  const { request, path } = call
  try {
    if (path === defaultRoot) return overview(deps, call)
    if (!path.startsWith(`${defaultRoot}/`)) return await outside(deps, call)
    const name = path.slice(defaultRoot.length + 1)
    if (request.method === 'POST') return await receive(deps, name, call, whenSent)
    throw deps.endpoints.has(name) ? wrongMethod(request, 'POST') : notFound(deps, call)
  } catch (error) {
    if (error instanceof Rejection) return error.toResponse()
    deps.log.error('The webhook receiver failed.', error)
    return json(500, { error: 'The webhook receiver failed.' })
  }
}

async function receive(
  deps: ExchangeDeps,
  name: string,
  call: Call,
  whenSent: () => Promise<unknown>,
): Promise<Response> {
  const { request } = call
  const receivedAt = new Date()
  const handler = deps.endpoints.get(name)
  const seen: Partial<Reception> = {}
  const record = (status: number) => {
    if (handler === undefined) return
    const durationMs = Date.now() - receivedAt.getTime()
    const at = receivedAt.toISOString()
    deps.receptions.add({ at, endpoint: name, status, durationMs, ...seen })
  }
  try {
    // Checked first, so that a caller without the secret learns neither the endpoints nor the shape of a body.
    deps.guard.verify(request)
    if (handler === undefined) throw notFound(deps, call)
    assertJsonContent(request)
    const rawBody = await readBody(request)
    const payload = parseBody(rawBody)
    const { scope, action } = payload.event
    Object.assign(seen, { scope, action, repo: payload.repo.name })
    const facts = factsOf(name, request.headers, rawBody, payload, receivedAt)
    const sender = { signal: request.signal, whenSent }
    const response = await deps.runner.run((context) => handler(payload, context), facts, sender)
    if (response.headers.has(duplicateHeader)) seen.duplicate = true
    record(response.status)
    return response
  } catch (error) {
    if (error instanceof Rejection) {
      seen.error = error.message
      record(error.status)
    }
    throw error
  }
}

function factsOf(
  endpoint: string,
  headers: Headers,
  rawBody: Uint8Array,
  payload: WebhookPayload,
  receivedAt: Date,
): DeliveryFacts {
  const attempt = Number(headers.get('x-sandbox-attempt'))
  return {
    endpoint,
    rawBody,
    headers,
    receivedAt,
    dedupeKey: dedupeKey(payload, headers),
    ...(Number.isInteger(attempt) && attempt > 0 ? { attempt } : {}),
  }
}

// Browsers get the landing page here, too: in an Express or Fastify app `/` belongs to the app.
function overview(deps: ExchangeDeps, call: Call): Response {
  const { request } = call
  const wantsPage = request.headers.get('accept')?.includes('text/html') ?? false
  if (wantsPage && deps.page === undefined) return shown(request, landing(deps, call))
  return shown(request, json(200, summaryOf(deps, call), { vary: 'accept' }))
}

async function outside(deps: ExchangeDeps, call: Call): Promise<Response> {
  const { request, path } = call
  if (typeof deps.page === 'function') return deps.page(request)
  if (path !== '/') throw notFound(deps, call)
  return shown(request, typeof deps.page === 'string' ? html(deps.page) : landing(deps, call))
}

function landing(deps: ExchangeDeps, call: Call): Response {
  return html(landingPage(summaryOf(deps, call)), {
    'content-security-policy': landingPageCsp,
    'referrer-policy': 'no-referrer',
    vary: 'accept',
  })
}

function html(page: string, headers: Record<string, string> = {}): Response {
  return new Response(page, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...plainHeaders, ...headers },
  })
}

function shown(request: Request, page: Response): Response {
  if (request.method === 'GET') return page
  if (request.method === 'HEAD') return new Response(null, page)
  throw wrongMethod(request, 'GET, HEAD')
}

function summaryOf(deps: ExchangeDeps, { request, base: path }: Call): Summary {
  const base = (deps.publicUrl ?? new URL(request.url).origin) + path
  return {
    secret: deps.guard.open ? 'none' : 'required',
    hubUrl: deps.hubUrl,
    endpoints: [...deps.endpoints.keys()].map((name) => ({
      name,
      url: `${base}${defaultRoot}/${name}`,
    })),
    receptions: deps.receptions
      .list()
      .slice(-shownReceptions)
      .toReversed()
      .map(({ repo: _private, ...reception }) => reception),
  }
}

function wrongMethod(request: Request, allow: string): Rejection {
  return new Rejection(405, `${request.method} is not allowed here.`, { allow }, { allow })
}

function notFound(deps: ExchangeDeps, { request, base }: Call): Rejection {
  if (!isTrusted(deps, request)) return new Rejection(404, 'Not found.')
  const endpoints = [...deps.endpoints.keys()].map((name) => `POST ${base}${defaultRoot}/${name}`)
  return new Rejection(404, `Unknown path ${new URL(request.url).pathname}.`, { endpoints })
}

function isTrusted(deps: ExchangeDeps, request: Request): boolean {
  try {
    deps.guard.verify(request)
    return true
  } catch (error) {
    if (error instanceof Rejection) return false
    throw error
  }
}
