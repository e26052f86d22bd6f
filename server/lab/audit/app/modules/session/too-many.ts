import { because } from '../../../../checks/evidence.ts'
import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule, PoisonFault } from '../../app-module.ts'
import { describeFailure, failsWithoutWords, untested } from '../judgements.ts'
import { canBeUsed } from './session.ts'
import { failed, passed } from '../../../judgement.ts'

const limit: Omit<PoisonFault, 'match'> = {
  status: 429,
  headers: { 'Retry-After': '2' },
  times: 1,
}

/** Clocks of two machines and the way of the response. */
const toleranceMs = 250

export const tooMany: AuditModule = {
  id: 'session/too-many',
  title: 'The Hub asks the app to wait for 2 seconds.',
  plan: 'full',
  level: 'warning',
  must: 'accept',
  expected: 'The app waits, or explains that the Hub is busy.',
  fix: 'Wait as long as Retry-After says before you repeat a request that was answered with 429.',
  sources: [rfc(6585, '4')],
  applies: canBeUsed,
  provoke: () => [
    { do: 'sign-in' },
    {
      do: 'poison',
      faults: [
        { match: { route: '/api/*' }, ...limit },
        { match: { route: '/oauth/userinfo' }, ...limit },
      ],
    },
    { do: 'use' },
  ],
  judge({ hits, requests, tokenUses, visits }) {
    const limited = requests.find(({ record, isFaulted }) => isFaulted && record.status === 429)
    if (hits === 0 || limited === undefined) return untested
    const until = limited.record.receivedMs + 2000 - toleranceMs
    const repeated = tokenUses.find(
      ({ path, record }) => path === limited.path && record.receivedMs < until,
    )
    if (repeated !== undefined) {
      return failed('The app repeated the request without waiting.', [
        because(limited, 'is asked to wait'),
        because(repeated, 'repeats it at once'),
      ])
    }
    const broken = visits.find(failsWithoutWords)
    return broken === undefined
      ? passed('The app did not repeat the request at once.')
      : failed(describeFailure(broken))
  },
}
