import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addParameters,
  AuthorizationError,
} from '../../../../server/hub/oauth/authorization-request.ts'
import { localPath } from '../../../../server/hub/pages/login-routes.ts'

const anyText = fc.string({ unit: 'binary' })

describe('redirects to the client (RFC 6749 §4.1.2)', () => {
  test('a redirect returns the state unchanged and keeps the redirect URI whole', () => {
    const redirectUris = ['https://app.example/cb', 'https://app.example/cb?x=1&y', 'myapp://cb']
    fc.assert(
      fc.property(fc.constantFrom(...redirectUris), anyText, (redirectUri, text) => {
        // As it arrives in a request: without lone surrogates.
        const state = Buffer.from(text).toString()
        const location = addParameters(redirectUri, { code: 'c', state })
        expect(location.startsWith(redirectUri)).toBe(true)
        expect(new URL(location).searchParams.get('state')).toBe(state)
        expect(new URL(location).searchParams.get('code')).toBe('c')
        expect(location).toMatch(/^[\x21-\x7e]*$/)
      }),
    )
  })

  test.each([
    ['https://a.example/', 'https://a.example/?code=1'],
    ['https://a.example/?', 'https://a.example/?code=1'],
    ['https://a.example/?x=1', 'https://a.example/?x=1&code=1'],
    ['https://a.example/?x=1&', 'https://a.example/?x=1&code=1'],
    ['com.example:/cb', 'com.example:/cb?code=1'],
    ['http://localhost:3000', 'http://localhost:3000/?code=1'],
    ['http://localhost:3000?x=%20y', 'http://localhost:3000/?x=%20y&code=1'],
    ['https://a.example:443/cb', 'https://a.example/cb?code=1'],
    ['myapp://callback', 'myapp://callback?code=1'],
  ])('a redirect adds its parameters to %s', (redirectUri, location) => {
    expect(addParameters(redirectUri, { code: '1', state: undefined })).toBe(location)
  })

  test('every error description has only the characters that the RFC allows', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const error = new AuthorizationError('invalid_request', text, {
          clientId: 'x',
          redirectUri: 'https://app.example/cb',
        })
        const description = new URL(error.location).searchParams.get('error_description')
        expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
      }),
    )
  })
})

describe('the redirect after login (RFC 9700 §4.11)', () => {
  test('the redirect stays on the sandbox, whatever URL was requested', () => {
    const base = 'http://localhost:7420'
    const tricky = fc
      .array(
        fc.constantFrom(
          '/',
          '\\',
          '.',
          '@',
          ':',
          '?',
          '#',
          '%2f',
          '\t',
          '\n',
          ' ',
          'evil.example',
          'http:',
        ),
        {
          maxLength: 8,
        },
      )
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(anyText, fc.webUrl(), tricky, fc.anything()), (next) => {
        const path = localPath(next)
        expect(new URL(path, base).origin).toBe(base)
        expect(path).toMatch(/^\/[\x21-\x7e]*$/)
      }),
      { numRuns: 2000 },
    )
  })

  test('the redirect keeps the query of a request byte for byte', () => {
    const path = '/oauth/authorize?state={%22a%22:1}\\&x=%E2%82%AC#y'
    expect(localPath(path)).toBe(path)
  })
})
