import { expect, test } from 'vitest'
import type { ModuleEvidence } from '../../../../server/lab/audit/app/app-module.ts'
import { refreshRace } from '../../../../server/lab/audit/app/modules/session/refresh.ts'

/** Judges an app by the refresh tokens that it sent, in this order. */
function judge(...sent: readonly string[]) {
  const refreshes = sent.map((token, index) => ({
    record: { id: `${index}` },
    form: new URLSearchParams({ refresh_token: token }),
  }))
  return refreshRace.judge?.({ refreshes } as unknown as ModuleEvidence)
}

test('an app that sends a refresh token twice loses the sign-in', () => {
  expect(judge('first', 'first')).toMatchObject({
    outcome: 'failed',
    observed:
      'The app sent the same refresh token 2 times. The Hub takes the second one for theft and ends the sign-in.',
    evidence: [{ id: '0' }, { id: '1' }],
  })
  // The second one is the theft, wherever it comes.
  const late = judge('first', 'second', 'second')
  expect(late).toMatchObject({ outcome: 'failed', evidence: [{ id: '1' }, { id: '2' }] })
  expect(late).not.toHaveProperty('level')
})

test('an app that refreshes on each use gets a note, and no word of theft', () => {
  const judgement = judge('first', 'second')
  expect(judgement).toMatchObject({ outcome: 'failed', level: 'note' })
  expect(judgement?.observed).toContain('it refreshes on each use')
})

test('an app passes that refreshes once', () => {
  expect(judge('first')?.outcome).toBe('passed')
})
