import { expect, test } from 'vitest'
import { explainAttempt } from '../../../../server/hub/webhooks/delivery/explain.ts'

test.each([
  ['exit code 3', { status: 3 }, /non-zero exit code/],
  ['could not be started: spawn /no/such/command ENOENT', {}, /it has no exit code/],
  ['the time limit was reached', {}, /it has no exit code/],
])('a failed job without an exit code is explained without one: %s', (message, what, text) => {
  const error = { class: 'job_failed', message } as const
  expect(explainAttempt({ source: 'auto', outcome: 'failed', error, ...what })).toMatch(text)
})
