import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { approveAuthorization } from '../../../../server/hub/oauth/authorization.ts'
import { readAuthorizationRequest } from '../../../../server/hub/oauth/authorization-request.ts'
import { Refusal } from '../../../../server/core/refusal.ts'
import { requestToken } from '../../../../server/hub/oauth/token.ts'
import { createTestDeps, noIssuers, type TestWorld } from '../../../helpers/deps.ts'
import { encode, pkce, redirectUri, verifier } from '../../../helpers/oauth-client.ts'

/** Authorization with its code and the tokens issued from it. */
interface Family {
  code: string
  codeUsed: boolean
  expired: boolean
  revoked: boolean
  /** Refresh tokens in the order of their issue; only the last may be unused. */
  refreshTokens: { value: string; used: boolean }[]
  accessTokens: string[]
}

type Step =
  | { do: 'authorize' }
  | { do: 'code'; family: number }
  | { do: 'refresh'; family: number; token: number }
  | { do: 'race'; family: number; token: number }
  | { do: 'expire' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'authorize' }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('code' as const), family: fc.nat(5) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('refresh' as const),
      family: fc.nat(5),
      token: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('race' as const), family: fc.nat(5), token: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'expire' }) },
)

/** Any of those there are, so that hardly a step of a sequence comes to nothing. */
function pick<T>(items: readonly T[], number: number): T | undefined {
  return items[number % items.length]
}

function createClient(world: TestWorld) {
  const { deps, apps, users, clock } = world
  const findClient = (id: string) => deps.state.apps.get(id)
  const send = async (form: Record<string, string>) => {
    try {
      const body = new URLSearchParams({ client_id: apps.public.id, ...form })
      return await requestToken(deps, findClient, noIssuers, { body, origin: {} })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return error.code
    }
  }
  return {
    async authorize(): Promise<string> {
      const query = encode({
        client_id: apps.public.id,
        redirect_uri: redirectUri,
        scope: 'profile',
        ...pkce,
      })
      const request = await readAuthorizationRequest(deps, findClient, new URLSearchParams(query))
      const signedIn = { user: users.alice, authTime: clock.now() }
      const location = approveAuthorization(deps, request, signedIn)
      return new URL(location).searchParams.get('code')!
    },
    exchange: (code: string) =>
      send({
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        code,
      }),
    refresh: (refreshToken: string) =>
      send({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  }
}

type Answer = Awaited<ReturnType<ReturnType<typeof createClient>['refresh']>>

/** Checks one answer, and notes what was issued by it. */
function expectAnswer(answer: Answer, family: Family, isRefused: boolean): void {
  expect(typeof answer === 'string' ? answer : 'issued').toBe(
    isRefused ? 'invalid_grant' : 'issued',
  )
  if (typeof answer === 'string') return
  family.accessTokens.push(answer.access_token)
  family.refreshTokens.push({ value: answer.refresh_token!, used: false })
}

describe('codes and refresh tokens (RFC 6749 §4.1.2, RFC 9700 §4.14.2)', () => {
  test('a code or refresh token issues tokens once; its reuse revokes the whole authorization', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const world = await createTestDeps()
        const client = createClient(world)
        const families: Family[] = []

        for (const taken of steps) {
          if (taken.do === 'authorize') {
            families.push({
              code: await client.authorize(),
              codeUsed: false,
              expired: false,
              revoked: false,
              refreshTokens: [],
              accessTokens: [],
            })
            continue
          }
          if (taken.do === 'expire') {
            world.clock.advance(60_000)
            for (const family of families) family.expired = true
            continue
          }
          const family = pick(families, taken.family)
          if (family === undefined) continue

          if (taken.do === 'code') {
            const answer = await client.exchange(family.code)
            expectAnswer(answer, family, family.codeUsed || family.expired)
            if (family.codeUsed) family.revoked = true
            else family.codeUsed = !family.expired
            continue
          }
          const token = pick(family.refreshTokens, taken.token)
          if (token === undefined) continue
          const answers =
            taken.do === 'race'
              ? await Promise.all([client.refresh(token.value), client.refresh(token.value)])
              : [await client.refresh(token.value)]
          for (const answer of answers) {
            expectAnswer(answer, family, token.used || family.revoked)
            if (token.used) family.revoked = true
            else token.used = !family.revoked
          }
        }

        const issued = families.flatMap(({ accessTokens, refreshTokens }) => [
          ...accessTokens,
          ...refreshTokens.map(({ value }) => value),
        ])
        expect(new Set(issued).size).toBe(issued.length)
        expect(world.state.tokens.size + world.state.refreshTokens.size).toBe(issued.length)
        for (const { accessTokens, revoked } of families) {
          for (const token of accessTokens) {
            const { revokedAt } = world.state.tokens.find('token', token)!
            expect(revokedAt !== undefined).toBe(revoked)
          }
        }
      }),
      { numRuns: 150 },
    )
  })
})
