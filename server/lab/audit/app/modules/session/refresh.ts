import { because, overlaps, type SeenRequest } from '../../../../checks/evidence.ts'
import { openIdCore, rfc } from '../../../../checks/rule.ts'
import { groupBy } from '../../../../../core/group-by.ts'
import type {
  AppJudgement,
  AuditModule,
  ControlFacts,
  ModuleEvidence,
  Step,
} from '../../app-module.ts'
import { readsIdToken } from '../id-token/id-token-modules.ts'
import {
  brokenUse,
  canRefresh,
  judgeRefusedRefresh,
  poisonRefresh,
  whileTokenExpires,
} from './session.ts'
import { failed, notReached, passed } from '../../../judgement.ts'
import { untested } from '../judgements.ts'

const tokenOf = ({ form }: SeenRequest) => form.get('refresh_token') ?? undefined

export const refreshRefused: AuditModule = {
  id: 'session/refresh-refused',
  title: 'The Hub refuses to refresh the token.',
  plan: 'core',
  level: 'error',
  must: 'refuse',
  expected: 'The app tries once, and then signs the user out.',
  fix: 'Delete the session when a refresh ends with invalid_grant, and start a sign-in.',
  sources: [rfc(6749, '5.2')],
  applies: canRefresh,
  provoke: () => [
    { do: 'sign-in' },
    poisonRefresh({ oauthError: 'invalid_grant' }),
    whileTokenExpires,
    { do: 'use' },
    { do: 'use' },
  ],
  judge: judgeRefusedRefresh(1),
}

export const refreshRotated: AuditModule = {
  id: 'session/refresh-rotated',
  title: 'The access token expires again after the Hub has replaced the refresh token.',
  plan: 'core',
  level: 'error',
  must: 'accept',
  expected: 'The app refreshes with the new refresh token.',
  fix: 'Store the refresh_token of every token response, also of a refresh, in the place of the old one.',
  sources: [rfc(6749, '6')],
  applies: canRefresh,
  provoke: () => [
    { do: 'sign-in' },
    whileTokenExpires,
    { do: 'use' },
    whileTokenExpires,
    { do: 'use' },
  ],
  judge(evidence) {
    const [first, ...later] = evidence.refreshes
    if (first === undefined) {
      return notReached('The app did not refresh its token.')
    }
    // Two at once are a race, which is a mistake of its own.
    const again = later.find((one) => tokenOf(one) === tokenOf(first) && !overlaps(first, one))
    if (again !== undefined) {
      return failed(
        'The app sent a refresh token that the Hub had replaced. The Hub takes it for theft and ends the sign-in.',
        [first, again].map((one) => because(one, 'refreshes', 'refresh_token')),
      )
    }
    const broken = brokenUse(evidence)
    if (broken !== undefined) return broken
    return later.length === 0
      ? notReached('The app refreshed its token only once.')
      : passed('The app refreshed with the new refresh token.')
  },
}

export const refreshRace: AuditModule = {
  id: 'session/refresh-race',
  title: 'Two requests of the user arrive at once after the token has expired.',
  plan: 'core',
  level: 'error',
  must: 'accept',
  expected: 'The app refreshes the token once for both.',
  fix: 'Let one request refresh and the others wait for it: keep the promise of the refresh per session, and take a lock where several processes share sessions.',
  sources: [rfc(9700, '4.14')],
  applies: canRefresh,
  provoke: ({ clientId }) => [
    { do: 'sign-in' },
    whileTokenExpires,
    {
      do: 'hold',
      match: { route: '/oauth/token', grantType: 'refresh_token', clientId },
      count: 2,
    },
    { do: 'use', times: 2 },
  ],
  judge({ refreshes }) {
    if (refreshes.length === 0) {
      return notReached('The app did not refresh its token.')
    }
    if (refreshes.length === 1) {
      return passed('The app refreshed the token once.')
    }
    const reused = [...groupBy(refreshes, tokenOf).values()].find(({ length }) => length > 1)
    const shown = reused ?? refreshes
    const evidence = shown.slice(0, 2).map((one) => because(one, 'refreshes', 'refresh_token'))
    if (reused === undefined) {
      const observed = `The app refreshed the token ${refreshes.length} times, each time with another refresh token: it refreshes on each use.`
      return failed(observed, evidence, 'note')
    }
    const observed = `The app sent the same refresh token ${reused.length} times. The Hub takes the second one for theft and ends the sign-in.`
    return failed(observed, evidence)
  },
}

export const refreshLost: AuditModule = {
  id: 'session/refresh-lost',
  title: 'The response to a refresh is lost after the Hub has replaced the refresh token.',
  plan: 'full',
  level: 'error',
  must: 'refuse',
  expected: 'The app asks the user to sign in again, and does not loop.',
  fix: 'After a lost response, try the refresh once more at most; when it ends with invalid_grant, delete the session.',
  sources: [rfc(9700, '4.14.2')],
  applies: canRefresh,
  provoke: () => [
    { do: 'sign-in' },
    poisonRefresh({ break: 'reset', times: 1 }),
    whileTokenExpires,
    { do: 'use' },
    { do: 'use' },
    { do: 'use' },
  ],
  judge: judgeRefusedRefresh(2),
}

const common = {
  plan: 'full',
  level: 'warning',
  must: 'refuse',
  expected: 'The app does not use the new tokens.',
  sources: [openIdCore('12.2')],
  applies: (facts: ControlFacts) => canRefresh(facts) ?? readsIdToken(facts),
  judge({ hits, refreshes, tokenUses }: ModuleEvidence): AppJudgement {
    const [refresh] = refreshes
    if (hits === 0 || refresh === undefined) return untested
    const use = tokenUses.find(({ record }) => record.status === 200)
    return use === undefined
      ? passed('The app did not use the new tokens.')
      : failed('The app used the new tokens.', [
          because(refresh, 'gets the ID token'),
          because(use, 'uses the new token'),
        ])
  },
} as const

/** A session whose token is refreshed once, with other claims in the new ID token. */
function refreshWith(claims: Record<string, unknown>): readonly Step[] {
  return [
    { do: 'sign-in' },
    poisonRefresh({ idToken: { claims } }),
    whileTokenExpires,
    { do: 'use' },
  ]
}

export const refreshedIdToken: AuditModule = {
  ...common,
  id: 'session/refresh-id-token',
  title: 'The ID token of a refresh comes from another issuer.',
  oidf: 'refresh-token-invalid-issuer',
  fix: 'Verify the ID token of a refresh like the first one. openid-client: refreshTokenGrant() does.',
  provoke: () => refreshWith({ iss: 'https://other.example' }),
}

export const refreshedSubject: AuditModule = {
  ...common,
  id: 'session/refresh-subject',
  title: 'The ID token of a refresh names another user.',
  oidf: 'refresh-token-invalid-sub',
  fix: 'Compare sub of the new ID token with the one of the sign-in. openid-client: compare claims().sub yourself.',
  provoke: ({ otherUser }) => refreshWith({ sub: otherUser?.id ?? 'ffffffffffffffffffffffff' }),
}
