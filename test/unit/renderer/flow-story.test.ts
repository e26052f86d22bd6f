import { expect, test } from 'vitest'
import { namesOf, describeStep } from '../../../renderer/features/sign-ins/model/describe-step.ts'
import { formatSince } from '../../../renderer/features/sign-ins/model/flow-time.ts'
import { plainText } from '../../../renderer/features/sign-ins/model/plain-text.ts'
import { everyStep, makeFlow } from './sample-flows.ts'

test('the steps of a flow, read one after the other, are its story', () => {
  const flow = makeFlow(everyStep)
  const nameOf = namesOf(flow)
  expect(flow.steps.map((step) => describeStep(step, nameOf))).toEqual([
    'Team board to Browser: redirect to the Hub, after 0 ms, inferred. Status 302.',
    'Browser to Hub: authorization request, after 500 ms. Status 302.',
    'Browser waits: looks at the consent page. 3.20 s.',
    'Hub to Browser: code → redirect URI, after 1.50 s. Status 302.',
    'the clock was moved.',
    'Missing: requests are missing. The log was capped in the middle of this sign-in: 12 requests are no longer there.',
    'Team board to Hub: device asks for its token. 4 polls, one every 5 s: 3 × authorization_pending, 1 × slow_down.',
    'Team board to Hub: token request with PKCE, after 3.50 s. Refused: 400 invalid_grant. The code was issued 61 seconds ago and lives for 60: it had expired before the app exchanged it. Start a new sign-in.',
    'Team board to Hub: userinfo request, after 4.00 s. Broken: connection cut. A fault rule of the sandbox cut the connection.',
  ])
})

test('time since the start is told to what can be told apart', () => {
  expect([0, 12.4, 999.9, 1240, 61_000, 3_725_000].map(formatSince)).toEqual([
    '+0 ms',
    '+12 ms',
    '+1.00 s',
    '+1.24 s',
    '+1m 1s',
    '+1h 2m',
  ])
})

test('a name is one line of what can be printed, whatever was chosen for it', () => {
  expect(plainText('  Team\n\tboard ')).toBe('Team board')
  expect(plainText('a\u0000b\u0008c')).toBe('a\uFFFDb\uFFFDc')
  expect(plainText('evil\u202Egnp.exe')).toBe('evil\uFFFDgnp.exe')
  expect(plainText('half \uD83D of it')).toBe('half \uFFFD of it')
  expect(plainText('👩‍🚀 <b>&amp;</b> ]]>')).toBe('👩‍🚀 <b>&amp;</b> ]]>')
})
