import type { Child } from './children.ts'
import { publicApp, userToken } from './fixtures.ts'
import type { Load } from './load.ts'
import { jsonOf, same } from './requests.ts'
import { refreshLoad, signInLoad } from './rows/sign-in.ts'
import { exchangeRequest, signIn } from './sandbox.ts'

/** Work of the sandbox that is measured by itself: a request, or the requests of a sign-in. */
export interface Work {
  readonly name: WorkName
  readonly what: string
  /** Items of a round. */
  readonly items: number
  /** Requests of an item (default: one). */
  readonly requests?: number
  readonly load: (server: Child) => Promise<Load>
  /** Request of a bare Fastify program with the same method, and the goal beside it, by CPU time. */
  readonly bare?: { readonly load: Load; readonly atLeast: number }
}

export type WorkName = 'metadata' | 'jwks' | 'exchange' | 'poll' | 'whoami' | 'sign-in' | 'refresh'

const deviceForm = { client_id: publicApp, scope: 'openid profile' }

async function pollLoad(server: Child): Promise<Load> {
  const started = await jsonOf(server, { method: 'POST', path: '/oauth/device', form: deviceForm })
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: publicApp,
    device_code: (started as { device_code: string }).device_code,
  }
  return same({ method: 'POST', path: '/oauth/token', form }, 400)
}

export const bareGet = same({ path: '/json' })
/** Issues a token, which the program keeps. */
export const barePost = same({ method: 'POST', path: '/token', form: deviceForm })

export const works: readonly Work[] = [
  {
    name: 'metadata',
    what: 'metadata',
    items: 4000,
    load: async () => same({ path: '/.well-known/openid-configuration' }),
    bare: { load: bareGet, atLeast: 0.45 },
  },
  {
    name: 'jwks',
    what: 'JWKS',
    items: 4000,
    load: async () => same({ path: '/oauth/jwks' }),
    bare: { load: bareGet, atLeast: 0.45 },
  },
  {
    name: 'exchange',
    what: 'opaque token (exchange)',
    items: 2000,
    load: async () => same(exchangeRequest('read-repos')),
    bare: { load: barePost, atLeast: 0.2 },
  },
  {
    name: 'poll',
    what: 'device poll',
    items: 2000,
    load: pollLoad,
    bare: { load: barePost, atLeast: 0.2 },
  },
  {
    name: 'whoami',
    what: 'whoami with a token',
    items: 3000,
    load: async () =>
      same({ path: '/api/whoami-v2', headers: [`Authorization: Bearer ${userToken}`] }),
    bare: { load: bareGet, atLeast: 0.3 },
  },
  {
    name: 'sign-in',
    what: 'whole sign-in',
    items: 500,
    requests: 4,
    load: async (server) => signInLoad(await signIn(server)),
  },
  {
    name: 'refresh',
    what: 'refresh with ID token',
    items: 500,
    load: async (server) => refreshLoad(server, await signIn(server)),
  },
]
