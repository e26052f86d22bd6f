import { openIdCore, rfc } from '../../../../advice/rule.ts'
import type {
  AuditModule,
  ControlFacts,
  Judgement,
  ModuleEvidence,
  PoisonFault,
} from '../../module.ts'
import { judgeFailure } from '../judgements.ts'

const route = '/oauth/userinfo'

function callsUserinfo({ signals }: ControlFacts): string | undefined {
  return signals.tokenUses.includes(route) ? undefined : 'The app does not call userinfo.'
}

/** An app that has the user from the ID token may do without userinfo. */
function judgeWithoutUserinfo(evidence: ModuleEvidence): Judgement {
  const judgement = judgeFailure(evidence)
  return judgement.outcome === 'failed' &&
    evidence.signedIn === true &&
    evidence.facts.readsIdToken === true
    ? { ...judgement, outcome: 'tolerated' }
    : judgement
}

function failing(effect: Omit<PoisonFault, 'match'>) {
  return () =>
    [{ do: 'poison', faults: [{ match: { route }, ...effect }] }, { do: 'sign-in' }] as const
}

const common = {
  plan: 'full',
  level: 'warning',
  must: 'refuse',
  needsProbe: true,
  expected: 'The app explains that it cannot sign the user in now, and does not.',
  fix: 'Check the status and the content type of the response before you read it, and show a page that offers to try again.',
  sources: [rfc(9110, '15.6')],
  applies: callsUserinfo,
  judge: judgeWithoutUserinfo,
} as const

export const userinfoModules: readonly AuditModule[] = [
  {
    id: 'userinfo/other-subject',
    title: 'Userinfo describes another user than the ID token.',
    plan: 'core',
    oidf: 'userinfo-invalid-sub',
    level: 'error',
    must: 'refuse',
    needsProbe: true,
    expected: 'The app refuses the sign-in.',
    fix: 'Compare sub of userinfo with sub of the ID token. openid-client: pass expectedSubject to fetchUserInfo().',
    sources: [openIdCore('5.3.2')],
    applies: (facts) =>
      callsUserinfo(facts) ??
      (facts.hasIdToken && facts.readsIdToken !== false
        ? undefined
        : 'The app does not read the ID token, so it has no other subject to compare.'),
    steps: ({ otherUser }) => [
      {
        do: 'poison',
        faults: [{ match: { route }, set: { sub: otherUser?.id ?? 'ffffffffffffffffffffffff' } }],
      },
      { do: 'sign-in' },
    ],
  },
  {
    ...common,
    id: 'userinfo/unavailable',
    title: 'Userinfo is out of order.',
    steps: failing({ status: 503 }),
  },
  {
    ...common,
    id: 'userinfo/not-json',
    title: 'A proxy responds with its error page in place of userinfo.',
    steps: failing({ break: 'html' }),
  },
]
