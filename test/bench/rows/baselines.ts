import type { Child } from '../children.ts'
import type { Load } from '../load.ts'
import { authorizationQuery, exchangeRequest, type FixedRequest, signIn } from '../sandbox.ts'
import { answerOf, textOf } from '../requests.ts'
import type { Baseline } from './request-row.ts'

export const same = (request: FixedRequest): Load => ({ scenario: 'same', input: { request } })

/** A file in the two requests that a download takes; from a bare server twice the same. */
export const inTwo = (request: FixedRequest): Load => ({ scenario: 'inTwo', input: { request } })

/** A bare route that sends the same JSON. */
export const jsonRoute = (path: string): Baseline => ({
  program: 'bare-fastify',
  options: async (sandbox) => ({ answer: await answerOf(sandbox, { path }) }),
  load: () => same({ path: '/json' }),
})

/** A bare route that reads a form and sends the same answer. */
export function formRoute(answer: (sandbox: Child) => unknown, status = 200): Baseline {
  return {
    program: 'bare-fastify',
    options: async (sandbox) => ({ answer: await answer(sandbox), formStatus: status }),
    load: () => ({
      scenario: 'same',
      input: { request: { ...exchangeRequest('read-repos'), path: '/form' }, status },
    }),
  }
}

/** A provider that signs the same tokens and does nothing else. */
export function provider(load: Baseline['load']): Baseline {
  return {
    program: 'minimal-provider',
    async options(sandbox) {
      const cookie = await signIn(sandbox)
      const page = await textOf(sandbox, `/oauth/authorize?${authorizationQuery}`, { cookie })
      const token = await exchangedToken(sandbox)
      const authorization = `Bearer ${token}`
      const userinfo = JSON.parse(
        await textOf(sandbox, '/oauth/userinfo', { authorization }),
      ) as object
      return { page, userinfo, claims: { iss: sandbox.url, ...userinfo } }
    },
    load,
    byCpu: true,
  }
}

export async function exchangedToken(sandbox: Child): Promise<string> {
  const answer = await answerOf(sandbox, exchangeRequest('openid profile email'))
  return (answer as { access_token: string }).access_token
}
