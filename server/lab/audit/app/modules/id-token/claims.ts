import { openIdCore } from '../../../../checks/rule.ts'
import type { AuditModule, ControlFacts } from '../../app-module.ts'
import { readsIdToken, readsNonce } from './id-token-modules.ts'
import { poisonIdToken } from '../poisoned-sign-in.ts'

/** A claim that is wrong or missing in an ID token with a valid signature. */
type ClaimModule = Pick<AuditModule, 'title' | 'fix'> &
  Partial<Pick<AuditModule, 'oidf' | 'tolerated' | 'sources' | 'applies'>> & {
    name: string
    plan?: 'core'
    claims: (facts: ControlFacts) => Record<string, unknown>
  }

const library =
  'Verify with a library: openid-client and oauth4webapi check it by themselves; with jose, pass'

const all: readonly ClaimModule[] = [
  {
    name: 'issuer',
    title: 'The ID token comes from another issuer.',
    plan: 'core',
    oidf: 'invalid-iss',
    claims: () => ({ iss: 'https://other.example' }),
    fix: `Compare iss with the issuer of the Hub. ${library} issuer to jwtVerify().`,
  },
  {
    name: 'audience',
    title: 'The ID token was issued to another app.',
    plan: 'core',
    oidf: 'invalid-aud',
    claims: () => ({ aud: 'another-app' }),
    fix: `Compare aud with your client id. ${library} audience to jwtVerify().`,
  },
  {
    name: 'no-subject',
    title: 'The ID token names no user.',
    plan: 'core',
    oidf: 'missing-sub',
    claims: () => ({ sub: null }),
    fix: `Require sub. ${library} requiredClaims: ['sub'] to jwtVerify().`,
    sources: [openIdCore('2')],
  },
  {
    name: 'no-issued-at',
    title: 'The ID token does not say when it was issued.',
    plan: 'core',
    oidf: 'missing-iat',
    claims: () => ({ iat: null }),
    fix: `Require iat. ${library} requiredClaims: ['iat'] to jwtVerify().`,
    sources: [openIdCore('2')],
  },
  {
    name: 'expired',
    title: 'The ID token has expired long ago.',
    plan: 'core',
    claims: () => ({ exp: longAgo }),
    fix: `Compare exp with the time, with a tolerance of a few minutes at most. jwtVerify() of jose does.`,
  },
  {
    name: 'no-audience',
    title: 'The ID token does not name the app that it is for.',
    oidf: 'missing-aud',
    claims: () => ({ aud: null }),
    fix: `Require aud. ${library} audience to jwtVerify().`,
  },
  {
    name: 'no-expiry',
    title: 'The ID token never expires.',
    claims: () => ({ exp: null }),
    fix: `Require exp. ${library} requiredClaims: ['exp'] to jwtVerify().`,
    sources: [openIdCore('2')],
  },
  {
    name: 'no-nonce',
    title: 'The ID token has no nonce, although the app sent one.',
    claims: () => ({ nonce: null }),
    fix: 'Require the nonce of this browser session. openid-client: pass expectedNonce to authorizationCodeGrant().',
    applies: readsNonce,
  },
  {
    name: 'second-audience',
    title: 'The ID token is for the app and for a stranger, to whom it was issued.',
    claims: ({ clientId }) => ({ aud: [clientId, 'another-app'], azp: 'another-app' }),
    fix: 'Refuse audiences that you do not trust, and an azp that is not your client id.',
  },
  {
    name: 'at-hash',
    title: 'The ID token belongs to another access token.',
    claims: () => ({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    tolerated: 'at_hash need not be checked when both tokens come from the token endpoint.',
    fix: 'Compare at_hash with the hash of the access token.',
    sources: [openIdCore('3.1.3.8')],
  },
]

/** 2001: before any clock that an app may have. */
const longAgo = 1_000_000_000

export const claimModules = all.map(({ name, plan, claims, ...module }): AuditModule => ({
  id: `id-token/${name}`,
  plan: plan ?? 'full',
  level: 'error',
  must: 'refuse',
  expected: 'The app refuses the sign-in.',
  sources: [openIdCore('3.1.3.7')],
  applies: readsIdToken,
  ...module,
  provoke: (facts) => poisonIdToken({ claims: claims(facts) }),
}))
