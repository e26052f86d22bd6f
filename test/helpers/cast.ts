import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import type { Sandbox } from '../../server/index.ts'
import type { TestApp } from './app.ts'
import { type Answer, answerOf } from './control.ts'
import { limitRounds } from './limit-rounds.ts'
import { bearerOf, mintUserToken } from './user-token.ts'

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Response to a request of a caller. */
export type Received<T = unknown> = Answer<T> & { bytes: Buffer }
/** Sends text as it is (as JSON unless the headers say otherwise), bytes and forms as such, any other body as JSON. */
type Send = <T = unknown>(
  path: string,
  body?: object | string | null,
  headers?: Record<string, string>,
) => Promise<Received<T>>

/** Sends requests of one user. */
export type Caller = Readonly<Record<Lowercase<Method>, Send>> & {
  /** For a method that a table of cases names. */
  readonly send: <T = unknown>(method: Method, ...request: Parameters<Send>) => Promise<Received<T>>
  /** Posts one JSON object a line, as a commit and a batch of a bucket have it. */
  readonly postLines: <T = unknown>(
    path: string,
    lines: readonly object[],
    headers?: Record<string, string>,
  ) => Promise<Received<T>>
}

/** Details of a token; `undefined` removes one that it has by default, such as the role. */
type TokenDetails = { [Key in keyof AccessToken]?: AccessToken[Key] | undefined }

/** Returns a user as a caller with a token that may write, or with other details; without a name, one without a token. */
export type Cast = (name?: keyof TestApp['users'], token?: TokenDetails) => Caller

/** Creates the users of a world as callers, each with a token of its own for each world; their paths begin at `base`. */
export function createCast(world: Omit<TestApp, 'as'>, base = ''): Cast {
  return (name, token) => {
    if (name === undefined) return callerOf(world, {}, base)
    let made: { user: object; headers: Record<string, string> } | undefined
    return callerOver(
      () => {
        const user = world.users[name]
        if (made?.user !== user) made = { user, headers: bearerOf(world, user, token as object) }
        return made.headers
      },
      (request) => injectInto(world, request, base),
    )
  }
}

/** Sends requests with these headers, such as those of a session. */
export function callerOf(
  world: Pick<TestApp, 'server'>,
  headers: Record<string, string>,
  base = '',
): Caller {
  return callerOver(
    () => headers,
    (request) => injectInto(world, request, base),
  )
}

async function injectInto(
  { server }: Pick<TestApp, 'server'>,
  { path, ...request }: SentRequest,
  base: string,
): Promise<Received> {
  const url = path.startsWith('http') ? path : `${base}${path}`
  const response = await server.inject({ url, ...request })
  return { ...answerOf(response), bytes: response.rawPayload }
}

/** Sends requests with a token, such as one that a sign-in issued. */
export function callerWith(world: Pick<TestApp, 'server'>, token: string): Caller {
  return callerOf(world, { authorization: `Bearer ${token}` })
}

/** Sends requests as git does, whose password is a token; by default one of the user. */
export function gitCaller(
  world: Pick<TestApp, 'server' | 'users' | 'state' | 'deps' | 'clock'>,
  name: keyof TestApp['users'],
  password = mintUserToken(world, world.users[name]),
): Caller {
  return callerOf(world, { authorization: `Basic ${btoa(`${name}:${password}`)}` })
}

/** Returns the status of a response and the code of its error, such as `404 RepoNotFound`. */
export function outcomeOf({ status, headers }: Pick<Received, 'status' | 'headers'>): string {
  const { 'x-error-code': code } = headers as Record<string, string | undefined>
  return code === undefined ? `${status}` : `${status} ${code}`
}

/** Returns the URL of the next page of a list, if there is one. */
export function nextPage({ headers }: Pick<Received, 'headers'>): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
}

/** Reads a list to its last page; `meanwhile` is called after each, with their number. */
export async function readPages<T>(
  user: Caller,
  path: string,
  { headers = {}, meanwhile }: PageOptions = {},
): Promise<Received<T>[]> {
  const pages: Received<T>[] = []
  const round = limitRounds()
  for (let url: string | undefined = path; url !== undefined; url = nextPage(pages.at(-1)!)) {
    round()
    pages.push(await user.get<T>(url, undefined, headers))
    await meanwhile?.(pages.length)
  }
  return pages
}
interface PageOptions {
  headers?: Record<string, string>
  meanwhile?: (count: number) => unknown
}

/** Sends requests to a sandbox on a port, with a token or other headers if they are given; it follows no redirect. */
export function callerAt(
  sandbox: Pick<Sandbox, 'url'>,
  credentials: string | Record<string, string> = {},
): Caller {
  const headers =
    typeof credentials === 'string' ? { authorization: `Bearer ${credentials}` } : credentials
  return callerOver(
    () => headers,
    async ({ path, payload, ...request }) => {
      const body =
        payload === undefined
          ? {}
          : { body: typeof payload === 'string' ? payload : new Uint8Array(payload) }
      const url = path.startsWith('http') ? path : `${sandbox.url}${path}`
      return receivedFrom(await fetch(url, { redirect: 'manual', ...request, ...body }))
    },
  )
}

/** Returns the users of a sandbox on a port as callers with the tokens of the default fixtures. */
export function castAt(sandbox: Pick<Sandbox, 'url'>): (name?: string) => Caller {
  return (name) => callerAt(sandbox, name === undefined ? undefined : `hf_sandbox_${name}`)
}

/** Reads a response to its end. */
export async function receivedFrom<T>(response: Response): Promise<Received<T>> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString()
  const isJson = text !== '' && /\bjson\b/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    body: (isJson ? JSON.parse(text) : text) as T,
    headers: Object.fromEntries(response.headers),
    bytes,
  }
}

interface SentRequest {
  method: Method
  path: string
  headers: Record<string, string>
  payload?: string | Buffer
}

function callerOver(
  headersOf: () => Record<string, string>,
  transport: (request: SentRequest) => Promise<Received>,
): Caller {
  async function send<T>(method: Method, ...[path, body, more]: Parameters<Send>) {
    const { type, payload } = encode(body)
    const answer = await transport({
      method,
      path,
      headers: { ...headersOf(), ...(type !== undefined && { 'content-type': type }), ...more },
      ...(payload !== undefined && { payload }),
    })
    return answer as Received<T>
  }
  return {
    send,
    get: (...request) => send('GET', ...request),
    head: (...request) => send('HEAD', ...request),
    post: (...request) => send('POST', ...request),
    put: (...request) => send('PUT', ...request),
    patch: (...request) => send('PATCH', ...request),
    delete: (...request) => send('DELETE', ...request),
    postLines: (path, lines, more) =>
      send('POST', path, lines.map((line) => JSON.stringify(line)).join('\n'), {
        'content-type': 'application/x-ndjson',
        ...more,
      }),
  }
}

function encode(body: Parameters<Send>[1]): { type?: string; payload?: string | Buffer } {
  if (body === undefined) return {}
  if (Buffer.isBuffer(body)) return { payload: body }
  if (body instanceof URLSearchParams) {
    return { type: 'application/x-www-form-urlencoded', payload: body.toString() }
  }
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return { type: 'application/json', payload }
}
