import { describe, expect, test } from 'vitest'
import { documentedScopes } from '../../../../server/contract/scopes.ts'
import {
  exchangedScopes,
  parseScope,
  readScopes,
  scopeProblem,
  requestedScopes,
  settingsScopes,
  unknownScopesRemark,
} from '../../../../server/hub/oauth/scope.ts'

const app = { origin: 'settings' as const, scopes: ['openid', 'profile', 'read-repos'] }

describe('scope (RFC 6749 §3.3)', () => {
  test('a scope parameter is split at spaces, without repetitions', () => {
    expect(parseScope('  openid profile  openid ')).toEqual(['openid', 'profile'])
    expect(parseScope('openid\tprofile')).toEqual(['openid\tprofile'])
  })

  test('the eighteen documented scopes are published, the hidden ones are not', () => {
    expect(documentedScopes).toHaveLength(18)
    expect(documentedScopes).not.toContain('read-mcp')
  })

  test('scopes of the Hub, hidden ones included, are kept in the given order', () => {
    expect(readScopes('read-mcp openid everything read-mcp')).toEqual({
      known: ['read-mcp', 'openid'],
      unknown: ['everything'],
    })
  })

  test.each([
    [undefined, {}],
    ['', { known: [] }],
    [
      'offline_access OPENID toString',
      { known: [], unknown: ['offline_access', 'OPENID', 'toString'] },
    ],
    [[], { known: [] }],
  ])('%j names scopes only if it is there', (named, expected) => {
    expect(readScopes(named)).toEqual({ unknown: [], ...expected })
  })

  test.each([
    ['everything', 'Unknown scope everything'],
    [['read_repos'], 'Unknown scope read_repos (did you mean "read-repos"?)'],
    ['', 'The scope parameter names no scope'],
    ['  ', 'The scope parameter names no scope'],
  ])('%j cannot be read', (named, problem) => {
    expect(scopeProblem(named)).toBe(problem)
  })

  test.each([undefined, [], 'openid everything', ['openid', 'everything']])(
    '%j can be read',
    (named) => {
      expect(scopeProblem(named)).toBeUndefined()
    },
  )

  test('an unknown scope comes with a suggestion', () => {
    expect(unknownScopesRemark(['read_repos'])).toBe(
      'Unknown scope read_repos (did you mean "read-repos"?): left out.',
    )
    expect(unknownScopesRemark(['offline_access', 'address'])).toBe(
      'Unknown scope offline_access, address: left out.',
    )
    expect(unknownScopesRemark([])).toBeUndefined()
    expect(unknownScopesRemark(['x'.repeat(60_000)])?.length).toBeLessThan(300)
  })
})

const lenient = { strict: false }
const strict = { strict: true }

describe('scopes of the consent page', () => {
  test('a request without scope asks for the scopes of the settings', () => {
    for (const settings of [lenient, strict]) {
      expect(requestedScopes(undefined, app, settings)).toMatchObject({ scopes: app.scopes })
    }
    const registered = { ...app, defaultScopes: ['openid'] }
    expect(requestedScopes(undefined, registered, lenient)).toMatchObject({ scopes: ['openid'] })
    expect(settingsScopes(registered)).toEqual(['openid'])
  })

  test.each(['', 'everything'])('a request with scope %j is refused', (asked) => {
    for (const settings of [lenient, strict]) {
      expect(() => requestedScopes(asked, app, settings)).toThrow(
        expect.objectContaining({ code: 'invalid_scope' }),
      )
    }
  })

  test('scopes beyond the settings are allowed, with a remark', () => {
    expect(requestedScopes('openid jobs read-mcp', app, lenient)).toEqual({
      scopes: ['openid', 'jobs', 'read-mcp'],
      remark: expect.stringMatching(/^Scope jobs, read-mcp is not in the app's settings/),
    })
    expect(requestedScopes('openid', app, lenient)).toEqual({ scopes: ['openid'] })
  })

  test('scopes beyond the settings are refused under strict', () => {
    expect(() => requestedScopes('openid jobs webhooks', app, strict)).toThrow(
      expect.objectContaining({
        code: 'invalid_scope',
        message: expect.stringMatching(/not configured with the scope jobs, webhooks/),
      }),
    )
  })

  test('unknown scopes are left out under strict as well (OpenID Connect Core §3.1.2.1)', () => {
    expect(requestedScopes('openid offline_access', app, strict)).toEqual({
      scopes: ['openid'],
      remark: 'Unknown scope offline_access: left out.',
    })
  })
})

describe('scopes of a token exchange (RFC 8693 §2.1)', () => {
  test('an exchange grants the requested scopes, by default those of the settings', () => {
    expect(exchangedScopes('read-repos openid', app)).toEqual(['read-repos', 'openid'])
    expect(exchangedScopes(undefined, app)).toEqual(app.scopes)
    expect(exchangedScopes('read-mcp', { ...app, scopes: ['read-mcp'] })).toEqual(['read-mcp'])
  })

  test.each([
    ['openid everything', /Unknown scope: everything/],
    ['everything', /Unknown scope everything/],
    ['openid jobs webhooks', /not configured with the scope jobs, webhooks/],
    ['read-mcp', /not configured/],
    ['', /names no scope/],
    ['  ', /names no scope/],
  ])('an exchange with scope %j is refused', (asked, message) => {
    expect(() => exchangedScopes(asked, app)).toThrow(
      expect.objectContaining({ code: 'invalid_scope', message: expect.stringMatching(message) }),
    )
  })

  test.each([
    ['settings', /app's settings/],
    ['registration', /Register the app again/],
    ['metadata-document', /scope of the app's metadata document/],
    ['space', /hf_oauth_scopes in the README/],
  ] as const)('of an app by %s: the error names where a scope is added', (origin, where) => {
    expect(() => exchangedScopes('jobs', { ...app, origin })).toThrow(where)
  })
})
