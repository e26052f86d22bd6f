import { describe, expect, test } from 'vitest'
import { documentedScopes } from '../../../server/contract/scopes.ts'
import { grantScopes, parseScope } from '../../../server/oauth/scope.ts'

const app = { origin: 'settings' as const, scopes: ['openid', 'profile', 'read-repos'] }

describe('scope (RFC 6749 §3.3)', () => {
  test('splits at spaces and drops repetitions', () => {
    expect(parseScope('  openid profile  openid ')).toEqual(['openid', 'profile'])
    expect(parseScope('openid\tprofile')).toEqual(['openid\tprofile'])
  })

  test('knows the eighteen that are documented, and keeps the hidden ones to itself', () => {
    expect(documentedScopes).toHaveLength(18)
    expect(documentedScopes).not.toContain('read-mcp')
  })

  test('gives what was asked, in the order asked', () => {
    expect(grantScopes('read-repos openid', app)).toEqual(['read-repos', 'openid'])
  })

  test('gives what the app is configured with when nothing was asked', () => {
    expect(grantScopes(undefined, app)).toEqual(app.scopes)
    expect(grantScopes(undefined, { ...app, defaultScopes: ['openid'] })).toEqual(['openid'])
  })

  test('gives a hidden scope to an app that is configured with it', () => {
    expect(grantScopes('read-mcp', { ...app, scopes: ['read-mcp'] })).toEqual(['read-mcp'])
  })

  test.each([
    ['openid everything', /Unknown scope: everything/],
    ['OPENID', /Unknown scope: OPENID/],
    ['toString', /Unknown scope: toString/],
    ['openid jobs webhooks', /not configured with the scope jobs, webhooks/],
    ['read-mcp', /not configured/],
    ['', /names no scope/],
    ['  ', /names no scope/],
  ])('refuses %j', (asked, message) => {
    expect(() => grantScopes(asked, app)).toThrow(
      expect.objectContaining({ code: 'invalid_scope', message: expect.stringMatching(message) }),
    )
  })

  test.each([
    ['settings', /app's settings/],
    ['registration', /Register the app again/],
    ['metadata-document', /scope of the app's metadata document/],
    ['space', /hf_oauth_scopes in the README/],
  ] as const)('says where the scope of an app by %s is added', (origin, where) => {
    expect(() => grantScopes('jobs', { ...app, origin })).toThrow(where)
  })

  test('leaves out what is unknown where it may, but never what the app lacks', () => {
    const grant = (asked: string) => grantScopes(asked, app, 'leave out')
    const [known = ''] = app.scopes
    expect(grant(`${known} everything`)).toEqual([known])
    expect(() => grant('everything')).toThrow(/Unknown scope/)
    expect(() => grant(`${known} everything read-mcp`)).toThrow(/not configured/)
  })
})
