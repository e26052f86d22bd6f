import { because, repeatsInOtherStyle, withoutStyleProbes } from '../../../../checks/evidence.ts'
import { rfc } from '../../../../checks/rule.ts'
import type { SeenRequest } from '../../../../checks/evidence.ts'
import { usualPauseMs } from '../../device-progress.ts'
import { judgeAcceptance } from '../../judge.ts'
import type {
  AppJudgement,
  AuditModule,
  ControlFacts,
  ModuleEvidence,
  PoisonFault,
} from '../../app-module.ts'
import { failed, inconclusive, passed } from '../../../judgement.ts'
import { untested } from '../judgements.ts'
import { poisonSignIn } from '../poisoned-sign-in.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

function poisonPolls(effect: Omit<PoisonFault, 'match'>) {
  const match = { route: '/oauth/token', grantType: deviceGrant }
  return () => poisonSignIn({ match, ...effect })
}

function pollsOf({ requests }: Pick<ModuleEvidence, 'requests'>): SeenRequest[] {
  return withoutStyleProbes(allPollsOf({ requests }))
}

function allPollsOf({ requests }: Pick<ModuleEvidence, 'requests'>): SeenRequest[] {
  return requests.filter(({ form }) => form.get('grant_type') === deviceGrant)
}

/**
 * Checks whether the app never saw the wrong response: its library repeated the poll in the other style, and that one was
 * answered well.
 */
function hidesStruckPoll({ requests }: ModuleEvidence): boolean {
  const polls = allPollsOf({ requests })
  return polls.some((poll, index) => {
    const next = polls[index + 1]
    return poll.isFaulted && next?.isFaulted === false && repeatsInOtherStyle(poll, next)
  })
}

/** RFC 8628 §3.5 counts from the response to the next request. */
const toleranceMs = 250

/** Judges the pauses between polls, from a response to the next request. */
function judgePauses(leastMsOf: (facts: Pick<ControlFacts, 'intervalMs'>) => number) {
  return (evidence: ModuleEvidence): AppJudgement => {
    if (evidence.hits === 0) return untested
    if (hidesStruckPoll(evidence)) {
      return inconclusive(
        'The library of the app repeats each refused poll at once in the other style of client authentication, and saw the response to that. Set the style, such as AuthStyleInParams of golang.org/x/oauth2.',
      )
    }
    const leastMs = leastMsOf(evidence.facts)
    const polls = pollsOf(evidence)
    const struck = polls.findIndex(({ isFaulted }) => isFaulted)
    const from = Math.max(struck, 0)
    const early = polls.slice(from + 1).find((poll, index) => {
      const before = polls[from + index]
      const answeredMs = (before?.record.receivedMs ?? 0) + (before?.record.durationMs ?? 0)
      return poll.record.receivedMs - answeredMs < leastMs - toleranceMs
    })
    if (early !== undefined) {
      return failed('The app polled too early.', [because(early, 'polls too early', 'device_code')])
    }
    return judgeAcceptance(evidence)
  }
}

/** Judges an app that must stop polling at an error. */
function judgeEnd(evidence: ModuleEvidence): AppJudgement {
  if (evidence.hits === 0) return untested
  const polls = pollsOf(evidence)
  const struck = polls.findIndex(({ isFaulted }) => isFaulted)
  const code = polls[struck]?.form.get('device_code')
  const more = polls.slice(struck + 1).find(({ form }) => form.get('device_code') === code)
  if (more !== undefined) {
    return failed('The app went on polling.', [because(more, 'polls on', 'device_code')])
  }
  if (evidence.signedIn === true) return failed('The user is signed in.')
  return evidence.driverProblem === undefined
    ? passed('The app stopped polling.')
    : inconclusive(evidence.driverProblem)
}

/** Time that a poll may be late. */
const latenessMs = 1000

const common = {
  flow: 'device',
  plan: 'core',
  level: 'error',
  sources: [rfc(8628, '3.5')],
  pauseMs: ({ intervalMs }: Pick<ControlFacts, 'intervalMs'>) => intervalMs + latenessMs,
} as const

const wait =
  'Wait from each response on for interval seconds (5 if the Hub names none) before the next poll'

export const deviceModules: readonly AuditModule[] = [
  {
    ...common,
    id: 'device/pending',
    title: 'The user takes time to answer.',
    plan: 'full',
    must: 'accept',
    expected: 'The app goes on polling, not faster than the Hub allows.',
    fix: `${wait}.`,
    provoke: poisonPolls({ oauthError: 'authorization_pending', times: 2 }),
    judge: judgePauses(({ intervalMs }) => intervalMs),
  },
  {
    ...common,
    id: 'device/slow-down',
    title: 'The Hub asks the app to poll more slowly.',
    must: 'accept',
    expected: 'The app waits 5 seconds longer from then on.',
    fix: `${wait}, and add 5 seconds for the rest of the sign-in after each slow_down.`,
    provoke: poisonPolls({ oauthError: 'slow_down', times: 1 }),
    judge: judgePauses(({ intervalMs }) => intervalMs + usualPauseMs),
  },
  {
    ...common,
    id: 'device/denied',
    title: 'The user denies access.',
    must: 'refuse',
    expected: 'The app stops polling and signs nobody in.',
    fix: 'Stop at every error but authorization_pending and slow_down.',
    provoke: poisonPolls({ oauthError: 'access_denied' }),
    judge: judgeEnd,
  },
  {
    ...common,
    id: 'device/expired',
    title: 'The device code expires.',
    must: 'refuse',
    expected: 'The app stops polling with this code.',
    fix: 'Stop at expired_token, and offer to start again.',
    provoke: poisonPolls({ oauthError: 'expired_token' }),
    judge: judgeEnd,
  },
  {
    ...common,
    id: 'device/interval',
    title: 'The Hub does not name an interval.',
    plan: 'full',
    must: 'accept',
    expected: 'The app waits for 5 seconds between polls.',
    fix: `${wait}.`,
    provoke: () =>
      poisonSignIn(
        { match: { route: '/oauth/device' }, remove: ['interval'] },
        {
          match: { route: '/oauth/token', grantType: deviceGrant },
          oauthError: 'authorization_pending',
          times: 1,
        },
      ),
    judge: judgePauses(() => usualPauseMs),
  },
  {
    ...common,
    id: 'device/unavailable',
    title: 'A poll fails.',
    plan: 'full',
    must: 'accept',
    expected: 'The app polls again, not sooner than before.',
    fix: 'Go on polling after a network error or a status of 500 and above, and wait longer each time.',
    provoke: poisonPolls({ status: 503, times: 1 }),
    judge: judgePauses(({ intervalMs }) => intervalMs),
  },
]
