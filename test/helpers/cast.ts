import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import type { Sandbox } from '../../server/index.ts'
import type { TestApp } from './app.ts'
import { type Answer, answerOf } from './control.ts'
import { bearerOf } from './user-token.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Sends text as it is, and any other body as JSON. */
type Send = <T = unknown>(
  path: string,
  body?: object | string | null,
  headers?: Record<string, string>,
) => Promise<Answer<T>>

/** Sends requests of one user. */
export type Caller = Readonly<Record<Lowercase<Method>, Send>> & {
  /** For a method that a table of cases names. */
  readonly send: (method: Method, ...request: Parameters<Send>) => Promise<Answer<unknown>>
}

/** Details of a token; `undefined` removes one that it has by default, such as the role. */
type TokenDetails = { [Key in keyof AccessToken]?: AccessToken[Key] | undefined }

/** Returns a user as a caller with a token that may write, or with other details; without a name, one without a token. */
export type Cast = (name?: keyof TestApp['users'], token?: TokenDetails) => Caller

/** Creates the users of a world as callers, each with a token of its own; their paths begin at `base`. */
export function createCast(world: Omit<TestApp, 'as'>, base = ''): Cast {
  return (name, token) =>
    callerOf(
      world,
      name === undefined ? {} : bearerOf(world, world.users[name], token as object),
      base,
    )
}

/** Sends requests with these headers, such as those of a session. */
export function callerOf(
  { server }: Pick<TestApp, 'server'>,
  headers: Record<string, string>,
  base = '',
): Caller {
  return callerOver(headers, async ({ path, ...request }) =>
    answerOf(await server.inject({ url: `${base}${path}`, ...request })),
  )
}

/** Sends requests with a token, such as one that a sign-in issued. */
export function callerWith(world: Pick<TestApp, 'server'>, token: string): Caller {
  return callerOf(world, { authorization: `Bearer ${token}` })
}

/** Sends requests to a sandbox on a port, with a token if one is given; it follows no redirect. */
export function callerAt({ url }: Pick<Sandbox, 'url'>, token?: string): Caller {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return callerOver(headers, async ({ path, payload, ...request }) => {
    const body = payload === undefined ? {} : { body: payload }
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...request, ...body })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      body: isJson ? (JSON.parse(text) as unknown) : text,
      headers: Object.fromEntries(response.headers),
    }
  })
}

interface SentRequest {
  method: Method
  path: string
  headers: Record<string, string>
  payload?: string
}

function callerOver(
  headers: Record<string, string>,
  transport: (request: SentRequest) => Promise<Answer<unknown>>,
): Caller {
  async function send<T>(method: Method, ...[path, body, more]: Parameters<Send>) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await transport({
      method,
      path,
      headers: { ...headers, ...type, ...more },
      ...(body === undefined ? {} : { payload }),
    })
    return answer as Answer<T>
  }
  return {
    send,
    get: (...request) => send('GET', ...request),
    post: (...request) => send('POST', ...request),
    put: (...request) => send('PUT', ...request),
    patch: (...request) => send('PATCH', ...request),
    delete: (...request) => send('DELETE', ...request),
  }
}
