import { describe, expect, test } from 'vitest'
import type { SeenRequest } from '../../../../server/lab/checks/evidence.ts'
import { deviceProgress } from '../../../../server/lab/audit/app/device-progress.ts'
import { deviceCodeGrant } from '../../../../server/contract/words/oauth-words.ts'

/** A request that was answered within a tenth of a second. */
function request(atMs: number, path: string, record: object): SeenRequest {
  return {
    path,
    record: { receivedMs: atMs, durationMs: 100, ...record },
  } as unknown as SeenRequest
}

const code = request(0, '/oauth/device', { status: 200 })
const poll = (atMs: number, error?: string, status = error === undefined ? 200 : 400) =>
  request(atMs, '/oauth/token', { status, error, grantType: deviceCodeGrant })

describe('progress of a device sign-in (RFC 8628 §3.5)', () => {
  test.each<[what: string, requests: SeenRequest[], nowMs: number, progress: string]>([
    ['nothing was requested', [], 60_000, 'absent'],
    ['the code was refused', [request(0, '/oauth/device', { status: 400 })], 60_000, 'absent'],
    ['the user has not answered', [code, poll(5000, 'authorization_pending')], 9000, 'polling'],
    ['the app has tokens', [code, poll(5000)], 5100, 'ended'],
    ['it was just denied', [code, poll(5000, 'access_denied')], 9000, 'polling'],
    ['it was denied, and is silent', [code, poll(5000, 'access_denied')], 12_000, 'ended'],
    [
      'it was denied, and polls on',
      [code, poll(5000, 'access_denied'), poll(9000, 'access_denied')],
      9100,
      'ended',
    ],
    ['it has to wait longer', [code, poll(5000, 'slow_down')], 24_000, 'polling'],
    ['it gave up at slow_down', [code, poll(5000, 'slow_down')], 27_000, 'ended'],
    ['it gave up without a poll', [code], 12_000, 'ended'],
    ['the Hub failed', [code, poll(5000, 'server_error', 503)], 12_000, 'polling'],
    [
      'it has the next code',
      [code, poll(5000, 'expired_token'), request(6000, '/oauth/device', { status: 200 })],
      7000,
      'polling',
    ],
  ])('%s', (_what, requests, nowMs, progress) => {
    expect(deviceProgress(requests, nowMs, 5000)).toBe(progress)
  })

  test('an app that was told no interval may wait for the usual one', () => {
    expect(deviceProgress([code], 4000, 1000)).toBe('polling')
  })
})
