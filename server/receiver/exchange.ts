import { assertJsonContent, parseBody, readBody } from './body.ts'
import { dedupeKey, DUPLICATE_HEADER } from './dedupe.ts'
import type { DeliveryFacts, WebhookHandler } from './handler.ts'
import { LANDING_PAGE_CSP, landingPage, type Summary } from './landing-page.ts'
import type { Log } from './log.ts'
import type { WebhookPayload } from './payload.ts'
import type { Reception, Receptions } from './receptions.ts'
import { json, PLAIN_HEADERS, Refusal } from './refusal.ts'
import type { Runner } from './runner.ts'
import type { SecretGuard } from './secret.ts'

/** Replaces the landing page: HTML for `/`, or what answers everything outside `/webhooks`. */
export type CustomPage = string | ((request: Request) => Response | Promise<Response>)

export interface ExchangeDeps {
  endpoints: ReadonlyMap<string, WebhookHandler>
  guard: SecretGuard
  runner: Runner
  receptions: Receptions
  page?: CustomPage
  /** Where webhooks are created: the hub that `HF_ENDPOINT` names, else the sandbox. */
  hubUrl: string
  /** Address that the outside knows this receiver by, where it is not the one addressed. */
  publicUrl?: string
  log: Log
}

/** @param whenSent resolves once the answer has left; deferred work begins then */
export type Exchange = (request: Request, whenSent: () => Promise<unknown>) => Promise<Response>

const ROOT = '/webhooks'
const SHOWN_RECEPTIONS = 20

/** The receiver as a function from request to response, which every adapter calls. */
export function createExchange(deps: ExchangeDeps): Exchange {
  return (request, whenSent) => deps.runner.track(answer(deps, request, whenSent))
}

async function answer(
  deps: ExchangeDeps,
  request: Request,
  whenSent: () => Promise<unknown>,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  try {
    if (pathname === ROOT) return overview(deps, request)
    if (!pathname.startsWith(`${ROOT}/`)) return await outside(deps, request, pathname)
    const name = pathname.slice(ROOT.length + 1)
    if (request.method === 'POST') return await receive(deps, name, request, whenSent)
    throw deps.endpoints.has(name) ? wrongMethod(request, 'POST') : notFound(deps, request)
  } catch (error) {
    if (error instanceof Refusal) return error.toResponse()
    deps.log.error('The webhook receiver failed.', error)
    return json(500, { error: 'The webhook receiver failed.' })
  }
}

async function receive(
  deps: ExchangeDeps,
  name: string,
  request: Request,
  whenSent: () => Promise<unknown>,
): Promise<Response> {
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
    // First of all, so that without the secret nothing can be learned: neither which endpoints
    // there are nor what a body must look like.
    deps.guard.verify(request)
    if (handler === undefined) throw notFound(deps, request)
    assertJsonContent(request)
    const rawBody = await readBody(request)
    const payload = parseBody(rawBody)
    const { scope, action } = payload.event
    Object.assign(seen, { scope, action, repo: payload.repo.name })
    const facts = factsOf(name, request.headers, rawBody, payload, receivedAt)
    const sender = { signal: request.signal, whenSent }
    const response = await deps.runner.run((context) => handler(payload, context), facts, sender)
    if (response.headers.has(DUPLICATE_HEADER)) seen.duplicate = true
    record(response.status)
    return response
  } catch (error) {
    if (error instanceof Refusal) {
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

// A browser gets the page here too: in an Express or Fastify app `/` belongs to the app.
function overview(deps: ExchangeDeps, request: Request): Response {
  const wantsPage = request.headers.get('accept')?.includes('text/html') ?? false
  if (wantsPage && deps.page === undefined) return shown(request, landing(deps, request))
  return shown(request, json(200, summaryOf(deps, request), { vary: 'accept' }))
}

async function outside(deps: ExchangeDeps, request: Request, pathname: string): Promise<Response> {
  if (typeof deps.page === 'function') return deps.page(request)
  if (pathname !== '/') throw notFound(deps, request)
  return shown(request, typeof deps.page === 'string' ? html(deps.page) : landing(deps, request))
}

function landing(deps: ExchangeDeps, request: Request): Response {
  return html(landingPage(summaryOf(deps, request)), {
    'content-security-policy': LANDING_PAGE_CSP,
    'referrer-policy': 'no-referrer',
    vary: 'accept',
  })
}

function html(page: string, headers: Record<string, string> = {}): Response {
  return new Response(page, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...PLAIN_HEADERS, ...headers },
  })
}

function shown(request: Request, page: Response): Response {
  if (request.method === 'GET') return page
  if (request.method === 'HEAD') return new Response(null, page)
  throw wrongMethod(request, 'GET, HEAD')
}

function summaryOf(deps: ExchangeDeps, request: Request): Summary {
  const base = deps.publicUrl ?? new URL(request.url).origin
  return {
    secret: deps.guard.open ? 'none' : 'required',
    hubUrl: deps.hubUrl,
    endpoints: [...deps.endpoints.keys()].map((name) => ({ name, url: `${base}${ROOT}/${name}` })),
    receptions: deps.receptions
      .list()
      .slice(-SHOWN_RECEPTIONS)
      .toReversed()
      .map(({ repo: _private, ...reception }) => reception),
  }
}

function wrongMethod(request: Request, allow: string): Refusal {
  return new Refusal(405, `${request.method} is not allowed here.`, { allow }, { allow })
}

function notFound(deps: ExchangeDeps, request: Request): Refusal {
  if (!isTrusted(deps, request)) return new Refusal(404, 'Not found.')
  const endpoints = [...deps.endpoints.keys()].map((name) => `POST ${ROOT}/${name}`)
  return new Refusal(404, `There is no ${new URL(request.url).pathname} here.`, { endpoints })
}

function isTrusted(deps: ExchangeDeps, request: Request): boolean {
  try {
    deps.guard.verify(request)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
