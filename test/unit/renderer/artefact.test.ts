import { describe, expect, test } from 'vitest'
import { formatDateTime } from '../../../renderer/lib/format.ts'
import type { FlowStepDetail } from '../../../server/contract/control-flows.ts'
import {
  chooseArtefact,
  readableClaims,
} from '../../../renderer/features/sign-ins/model/choose-artefact.ts'
import { makeStep } from './sample-flows.ts'

type Changes = Omit<Partial<FlowStepDetail>, 'step'> & { step?: Parameters<typeof makeStep>[1] }

function detailOf({ step, ...changes }: Changes): FlowStepDetail {
  return { step: makeStep(0, step), parameters: [], tokens: [], ...changes }
}

const tokenRequest = { line: 'POST /oauth/token', headers: [], truncated: false }
const pkce = {
  method: 'S256',
  challenge: 'abc',
  verifier: { value: '…xyz' },
  computed: 'abc',
  equal: true,
}
const code = { name: 'code', value: '…seZW', place: 'redirect' } as const

describe('artefact of a presented step', () => {
  test('a redirect with a code shows the code in the URL, which is cut before the query', () => {
    const headers: [string, string][] = [['location', 'http://localhost/callback?code=…seZW']]
    const detail = detailOf({
      step: { from: 'hub', to: 'browser' },
      parameters: [code, { name: 'state', value: 's1', place: 'redirect' }],
      answer: { status: 303, headers, truncated: false },
    })
    expect(chooseArtefact(detail, {})).toEqual({
      kind: 'url',
      base: 'http://localhost/callback',
      parts: [
        { name: 'code', value: '…seZW', isKey: true },
        { name: 'state', value: 's1', isKey: false },
      ],
    })
  })

  test('a page request with ordinary parameters has none', () => {
    const detail = detailOf({ parameters: [{ name: 'next', value: '/', place: 'query' }] })
    expect(chooseArtefact(detail, {})).toBeUndefined()
  })

  test('the PKCE values meet at the token endpoint, not where the challenge is sent', () => {
    const step = { from: 'app', to: 'hub' } as const
    const atToken = detailOf({ step, pkce, request: tokenRequest })
    expect(chooseArtefact(atToken, {})).toEqual({ kind: 'pkce', pkce })
    const atAuthorize = detailOf({
      pkce,
      request: { ...tokenRequest, line: 'GET /oauth/authorize?code_challenge=abc' },
    })
    expect(chooseArtefact(atAuthorize, {})).toBeUndefined()
  })

  test('a response shows its tokens, unless the verifier was wrong', () => {
    const step = { from: 'hub', to: 'app' } as const
    const tokens = [{ name: 'access_token', value: 'hf_oauth_…' }]
    const detail = detailOf({ step, pkce, tokens, request: tokenRequest })
    expect(chooseArtefact(detail, {})?.kind).toBe('tokens')
    const wrong = { ...pkce, computed: 'def', equal: false }
    const refused = detailOf({ step, pkce: wrong, request: tokenRequest })
    expect(chooseArtefact(refused, {})?.kind).toBe('pkce')
  })

  test('the token that a request carries is not one that the Hub issues', () => {
    const step = { from: 'app', to: 'hub' } as const
    const tokens = [{ name: 'access_token', value: 'hf_oauth_…' }]
    expect(chooseArtefact(detailOf({ step, tokens }), {})).toBeUndefined()
  })

  test('an exchange has its issued token only in the response', () => {
    const exchange = [{ label: 'subject', value: 'alice@example.com', outcome: 'ok' as const }]
    const sent = detailOf({ step: { from: 'app', to: 'hub' }, exchange })
    expect(chooseArtefact(sent, {})).toMatchObject({ kind: 'exchange', token: undefined })
    const received = detailOf({
      step: { from: 'hub', to: 'app' },
      exchange,
      parameters: [{ name: 'access_token', value: 'hf_oauth_…', place: 'json' }],
    })
    expect(chooseArtefact(received, {})).toMatchObject({
      subject: 'alice@example.com',
      token: 'hf_oauth_…',
    })
  })

  test('a waiting device keeps its code on the screen while it polls', () => {
    const device = {
      userCode: 'ABCD-EFGH',
      verificationUri: 'http://localhost/oauth/device',
      expiresAt: '2026-01-01T00:05:00.000Z',
    }
    const polls = detailOf({ step: { kind: 'polls', from: 'device' } })
    expect(chooseArtefact(polls, { device })).toEqual({
      kind: 'device',
      userCode: 'ABCD-EFGH',
      url: 'http://localhost/oauth/device',
    })
    expect(chooseArtefact(polls, {})).toBeUndefined()
  })

  test('an unregistered redirect URI is compared where it is refused, not where it is sent', () => {
    const redirectUri = { sent: 'http://localhost/x', matches: false, registered: [] }
    const refused = detailOf({ step: { outcome: 'refused' }, redirectUri })
    expect(chooseArtefact(refused, {})?.kind).toBe('redirect-uri')
    expect(chooseArtefact(detailOf({ redirectUri }), {})).toBeUndefined()
  })

  test('claims come in the order in which an app checks them, without JSON quotes', () => {
    const claims = [
      { name: 'website', value: '"https://alice.example.com"' },
      { name: 'aud', value: '"c1"' },
      { name: 'exp', value: '1767225600', time: '2026-01-01T00:00:00.000Z' },
      { name: 'iss', value: '"http://localhost"' },
    ]
    expect(readableClaims({ claims })).toEqual([
      { name: 'iss', value: 'http://localhost' },
      { name: 'aud', value: 'c1' },
      { name: 'exp', value: formatDateTime('2026-01-01T00:00:00.000Z') },
    ])
  })
})
