import { expect, test } from 'vitest'
import { type ControlRecord, factsOfControl } from '../../../../server/lab/audit/app/control-run.ts'
import type { ControlFacts } from '../../../../server/lab/audit/app/app-module.ts'
import { nonce } from '../../../../server/lab/audit/app/modules/id-token/nonce.ts'
import { stateMissing } from '../../../../server/lab/audit/app/modules/callback/state-missing.ts'

/** Facts about an app whose authorization request has this query. */
function factsOf(query: string): ControlFacts {
  const request = { path: '/oauth/authorize', query: new URLSearchParams(query) }
  const record = { requests: [request], redemptions: [], tokenUses: [], visits: [] }
  const facts = factsOfControl(record as unknown as ControlRecord, {} as ControlFacts)
  return { ...facts, hasIdToken: true, readsIdToken: true }
}

test('an empty parameter of the authorization request is an absent one (RFC 6749 3.1)', () => {
  const empty = factsOf('state=&nonce=&scope=openid')
  expect(empty.asked.toString()).toBe('scope=openid')
  expect(nonce.applies?.(empty)).toBe('The app sends no nonce.')
  expect(stateMissing.applies?.(empty)).toBe('The app sends no state.')
  const sent = factsOf('state=a&nonce=b')
  expect([nonce.applies?.(sent), stateMissing.applies?.(sent)]).toEqual([undefined, undefined])
})
