import { describe, expect, test } from 'vitest'
import type { TokenItem } from '../../../server/contract/control-tokens.ts'
import { curlOf } from '../../../renderer/features/tokens/model/curl.ts'
import { outcomeOf } from '../../../renderer/shared/device-outcome.ts'

const token = { token: 'hf_oauth_sandbox_a', kind: 'oauth', scopes: ['openid'] } as TokenItem

describe('the command that tries a token', () => {
  test('asks for the claims of whoever signed in, else for whose token it is', () => {
    expect(curlOf(token, 'http://localhost:7420')).toBe(
      "curl http://localhost:7420/oauth/userinfo -H 'Authorization: Bearer hf_oauth_sandbox_a'",
    )
    for (const other of [
      { ...token, scopes: ['read-repos'] },
      { ...token, kind: 'user' as const },
    ]) {
      expect(curlOf(other, 'http://localhost:7420')).toContain(
        'curl http://localhost:7420/api/whoami-v2 ',
      )
    }
  })

  test('is one command, whatever stands in the token', () => {
    expect(curlOf({ ...token, token: "x' ; id '" }, 'http://localhost:7420')).toContain(
      String.raw`'Authorization: Bearer x'\'' ; id '\'''`,
    )
  })
})

describe('what became of a device code', () => {
  const expiresAt = '2026-01-15T12:00:00.000Z'
  const end = Date.parse(expiresAt)

  test.each([
    ['pending', end - 1, undefined],
    ['pending', end, 'expired'],
    ['expired', end, 'expired'],
    ['approved', end + 1, 'approved'],
    ['consumed', end + 1, 'approved'],
    ['denied', end - 1, 'denied'],
  ] as const)('%s at %d is %s', (status, now, outcome) => {
    expect(outcomeOf({ status, expiresAt }, now)).toBe(outcome)
  })
})
