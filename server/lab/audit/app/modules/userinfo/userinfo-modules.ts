import { openIdCore, rfc } from '../../../../checks/rule.ts'
import { judgeRefusal } from '../../judge.ts'
import type {
  AppJudgement,
  AuditModule,
  AuditUser,
  ControlFacts,
  ModuleEvidence,
  PoisonFault,
} from '../../app-module.ts'
import { judgeFailure } from '../judgements.ts'
import { showsUser } from '../shown-user.ts'
import { inconclusive, passed } from '../../../judgement.ts'
import { poisonSignIn } from '../poisoned-sign-in.ts'

const route = '/oauth/userinfo'

function callsUserinfo({ signals }: ControlFacts): string | undefined {
  return signals.tokenUses.includes(route) ? undefined : 'The app does not call userinfo.'
}

/** Claims of another user, whose name the page of a signed-in user then shows. */
function claimsOf(otherUser: AuditUser | undefined): Record<string, string> {
  if (otherUser === undefined) return { sub: 'ffffffffffffffffffffffff' }
  const { id, username } = otherUser
  return { sub: id, preferred_username: username, name: username, nickname: username }
}

/**
 * Judges by the user that the app shows: OpenID Connect Core 5.3.2 forbids to use these claims, and not to sign the user in
 * by those of the ID token.
 */
function judgeOtherSubject(evidence: ModuleEvidence): AppJudgement {
  const judgement = judgeRefusal(evidence)
  if (judgement.outcome !== 'failed' || evidence.signedIn !== true) return judgement
  const { user, otherUser } = evidence.facts
  if (showsUser(evidence, otherUser)) {
    return { ...judgement, observed: 'The user is signed in with the claims of the other user.' }
  }
  if (showsUser(evidence, user)) {
    return passed('The user is signed in by the ID token, without the claims of userinfo.')
  }
  return inconclusive(
    'The user is signed in, which is right if the app uses the ID token alone. The page of --signed-in does not show whose claims it uses: pass a URL whose page has the user name.',
  )
}

/** An app that has the user from the ID token may do without userinfo. */
function judgeWithoutUserinfo(evidence: ModuleEvidence): AppJudgement {
  const judgement = judgeFailure(evidence)
  return judgement.outcome === 'failed' &&
    evidence.signedIn === true &&
    evidence.facts.readsIdToken === true
    ? { ...judgement, outcome: 'tolerated' }
    : judgement
}

function failing(effect: Omit<PoisonFault, 'match'>) {
  return () => poisonSignIn({ match: { route }, ...effect })
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
    expected: 'The app refuses the sign-in, or signs the user in by the ID token alone.',
    fix: 'Compare sub of userinfo with sub of the ID token. openid-client: pass expectedSubject to fetchUserInfo().',
    sources: [openIdCore('5.3.2')],
    applies: (facts) =>
      callsUserinfo(facts) ??
      (facts.hasIdToken && facts.readsIdToken !== false
        ? undefined
        : 'The app does not read the ID token, so it has no other subject to compare.'),
    provoke: ({ otherUser }) => poisonSignIn({ match: { route }, set: claimsOf(otherUser) }),
    judge: judgeOtherSubject,
  },
  {
    ...common,
    id: 'userinfo/unavailable',
    title: 'Userinfo is out of order.',
    provoke: failing({ status: 503 }),
  },
  {
    ...common,
    id: 'userinfo/not-json',
    title: 'A proxy responds with its error page in place of userinfo.',
    provoke: failing({ break: 'html' }),
  },
]
