import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import type { TestApp } from './app.ts'
import { type Answer, answerOf } from './control.ts'
import { bearerOf } from './user-token.ts'

type Send = <T = unknown>(path: string, json?: object | null) => Promise<Answer<T>>

/** Sends requests of one user by `inject`. */
export type Caller = Readonly<Record<'get' | 'post' | 'put' | 'delete', Send>>

/** Details of a token; `undefined` removes one that it has by default, such as the role. */
type TokenDetails = { [Key in keyof AccessToken]?: AccessToken[Key] | undefined }

/** Returns a user as a caller with a token that may write, or with other details; without a name, one without a token. */
export type Cast = (name?: keyof TestApp['users'], token?: TokenDetails) => Caller

/** Creates the users of a world as callers, each with a token of its own. */
export function createCast(world: Omit<TestApp, 'as'>): Cast {
  return (name, token) =>
    callerOf(world, name === undefined ? {} : bearerOf(world, world.users[name], token as object))
}

function callerOf({ server }: Pick<TestApp, 'server'>, headers: Record<string, string>): Caller {
  const send =
    (method: 'GET' | 'POST' | 'PUT' | 'DELETE'): Send =>
    async (url, json) => {
      const type = json === undefined ? {} : { 'content-type': 'application/json' }
      const payload = json === undefined ? {} : { payload: JSON.stringify(json) }
      const all = { ...headers, ...type }
      return answerOf(await server.inject({ method, url, headers: all, ...payload }))
    }
  return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') }
}
