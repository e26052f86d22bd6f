import { because } from '../../../../checks/evidence.ts'
import { openIdCore } from '../../../../checks/rule.ts'
import { judgeRefusal } from '../../judge.ts'
import type { AuditModule, PoisonFault } from '../../app-module.ts'
import { allowUnchecked, readsIdToken } from '../id-token/id-token-modules.ts'
import { judgeLastSignIn, judgeUpright } from '../judgements.ts'
import { failed } from '../../../judgement.ts'
import { poisonIdToken, redemption } from '../poisoned-sign-in.ts'

const common = {
  level: 'error',
  must: 'accept',
  expected: 'The app reads the keys again and accepts the sign-in.',
  fix: 'Read jwks_uri again when a kid is unknown. createRemoteJWKSet() of jose does; with a cache of your own, do not fail before you have read it again.',
  sources: [openIdCore('10.1.1')],
  applies: readsIdToken,
} as const

/**
 * OpenID Connect Core has a verifier read the keys again at an unknown kid, and does not say how soon. Libraries wait,
 * because otherwise each forged token would cause a request: `createRemoteJWKSet()` of jose for 30 s after its last read.
 */
const keysKept = {
  ms: 30_000,
  reason:
    'OpenID Connect Core 10.1.1 requires that keys are read again at an unknown kid, and not how soon.',
} as const

const tokenWithoutKid: PoisonFault = {
  match: redemption,
  idToken: { header: { kid: null } },
}

const withoutKid = { do: 'poison', faults: [tokenWithoutKid] } as const

export const keyModules: readonly AuditModule[] = [
  {
    ...common,
    id: 'keys/rotated',
    title: 'The Hub signs with a new key, and publishes the old one, too.',
    plan: 'core',
    oidf: 'signing-key-rotation',
    keysKept,
    provoke: () => [{ do: 'rotate-key', keepOld: true }, { do: 'sign-in' }],
  },
  {
    ...common,
    id: 'keys/just-before-signing',
    title: 'The Hub signs with a new key, and no longer publishes the old one.',
    plan: 'full',
    oidf: 'signing-key-rotation-just-before-signing',
    keysKept,
    provoke: () => [{ do: 'rotate-key', keepOld: false }, { do: 'sign-in' }],
  },
  {
    ...common,
    id: 'keys/unknown',
    title: 'The ID token names a key that the Hub does not publish.',
    plan: 'full',
    must: 'refuse',
    expected: 'The app refuses the sign-in after it has read the keys at most three times.',
    fix: 'Refuse an ID token whose key is unknown after you have read the keys once more.',
    provoke: () => poisonIdToken({ kid: 'unpublished-key' }),
    judge(evidence) {
      const reads = evidence.after.filter(({ path }) => path === '/oauth/jwks')
      if (reads.length <= mostReads) return allowUnchecked(judgeRefusal(evidence))
      return failed(
        `The app read the keys ${reads.length} times.`,
        reads.slice(0, 2).map((read) => because(read, 'reads the keys')),
      )
    },
  },
  {
    ...common,
    id: 'keys/no-kid',
    title: 'The ID token does not name its key, and the Hub has only one.',
    plan: 'full',
    oidf: 'kid-absent-single-jwks',
    expected: 'The app uses the only key and accepts the sign-in.',
    fix: 'Use the only key of the set when the header has no kid. jose does.',
    provoke: () => [{ do: 'rotate-key', keepOld: false }, withoutKid, { do: 'sign-in' }],
  },
  {
    ...common,
    id: 'keys/no-kid-two',
    title: 'The ID token does not name its key, and the Hub has two.',
    plan: 'full',
    oidf: 'kid-absent-multiple-jwks',
    expected: 'The app accepts or refuses the sign-in, and does not fail.',
    fix: 'Refuse the ID token, or try each key that fits its algorithm; show an error page, not status 500.',
    provoke: () => [{ do: 'rotate-key', keepOld: true }, withoutKid, { do: 'sign-in' }],
    judge: judgeUpright,
  },
  {
    ...common,
    id: 'keys/unavailable',
    title: 'The keys cannot be read once.',
    plan: 'full',
    expected: 'The next sign-in succeeds.',
    fix: 'Do not keep a failed read of jwks_uri: the next sign-in must read it again.',
    keysKept,
    provoke: () => [
      { do: 'rotate-key', keepOld: false },
      {
        do: 'poison',
        faults: [{ match: { route: '/oauth/jwks' }, bound: false, status: 503, times: 1 }],
      },
      { do: 'sign-in' },
      { do: 'sign-in' },
    ],
    judge: judgeLastSignIn,
  },
]

const mostReads = 3
