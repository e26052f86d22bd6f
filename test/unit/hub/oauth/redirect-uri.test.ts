import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  matchRedirectUri,
  nearestRedirectUri,
  redirectUriProblem,
  unusableRedirectUri,
} from '../../../../server/hub/oauth/redirect-uri.ts'

const registered = [
  'http://localhost/callback',
  'http://127.0.0.1:8080/callback?x=1',
  'https://app.example/cb',
  'https://app.example:8443/cb',
  'myapp://callback',
  'com.example.app:/oauth',
]
const app = { redirectUris: registered }
const matches = (uri: string, uris = registered) =>
  matchRedirectUri({ redirectUris: uris }, uri).matches

describe('redirect URI matching (RFC 8252 §7.3, RFC 9700 §2.1)', () => {
  test.each([
    ...registered,
    'http://localhost:1/callback',
    'http://localhost:65535/callback',
    'http://127.0.0.1/callback?x=1',
    'http://127.0.0.1:9/callback?x=1',
  ])('takes %s', (uri) => {
    expect(matches(uri)).toBe(true)
  })

  test.each([
    ['another path', 'http://localhost/callback/'],
    ['a longer path', 'http://localhost/callback2'],
    ['dot segments', 'http://localhost/x/../callback'],
    ['an encoded path', 'http://localhost/%63allback'],
    ['a query more', 'http://localhost/callback?a=1'],
    ['an empty query', 'http://localhost/callback?'],
    ['a query less', 'http://127.0.0.1:8080/callback'],
    ['a user', 'http://user@localhost/callback'],
    ['a host behind a user', 'http://localhost@evil.example/callback'],
    ['a host behind a port', 'http://localhost:80@evil.example/callback'],
    ['another loopback host', 'http://[::1]/callback'],
    ['another loopback address', 'http://127.0.0.2:8080/callback?x=1'],
    ['a loopback host in capitals', 'http://LOCALHOST/callback'],
    ['a scheme in capitals', 'HTTP://localhost/callback'],
    ['a trailing dot', 'http://localhost./callback'],
    ['TLS on loopback', 'https://localhost/callback'],
    ['a subdomain', 'http://x.localhost/callback'],
    ['a sibling domain', 'https://app.example.evil.example/cb'],
    ['a default port', 'https://app.example:443/cb'],
    ['another port with TLS', 'https://app.example:8444/cb'],
    ['a port on a private scheme', 'myapp://callback:1'],
    ['slashes more', 'com.example.app://oauth'],
    ['no scheme', '//localhost/callback'],
    ['nothing', ''],
  ])('refuses %s', (_name, uri) => {
    expect(matches(uri)).toBe(false)
  })

  test.each(['127.0.0.2', 'app.localhost', 'LOCALHOST', '[0:0:0:0:0:0:0:1]'])(
    'the port of %s is compared, since the hub does not treat it as loopback',
    (host) => {
      const registered = `http://${host}:3000/callback`
      expect(matches(registered, [registered])).toBe(true)
      expect(matches(`http://${host}:3001/callback`, [registered])).toBe(false)
    },
  )

  test('a refusal names the difference from the nearest registered URI', () => {
    const reason = (uri: string) => {
      const match = matchRedirectUri(app, uri)
      return match.matches ? undefined : match.reason
    }
    expect(reason('http://[::1]/callback')).toMatch(/host.*are not interchangeable/)
    expect(reason('https://app.example:1/cb')).toMatch(/port differs.*only for http on a loopback/)
    expect(reason('http://localhost/Callback')).toMatch(/path differs.*exactly/)
    expect(matchRedirectUri({ redirectUris: [] }, 'https://a.example/')).toEqual({
      matches: false,
      reason: 'the app has no registered redirect URI',
    })
  })

  test('the nearest registered URI has the same path, else the same port, else the fewest edits', () => {
    const nearestTo = (uri: string, redirectUris: string[]) => {
      const match = matchRedirectUri({ redirectUris }, uri)
      return match.matches ? undefined : match.reason
    }
    expect(
      nearestTo('https://app.example/oauth/calback', [
        'https://app.example/',
        'https://app.example/logout',
        'https://app.example/oauth/callback',
      ]),
    ).toContain('its path differs from the registered https://app.example/oauth/callback')
    expect(
      nearestTo('http://localhost:3000/auth/callback/github', [
        'http://localhost:3000/x',
        'https://127.0.0.1:3000/auth/callback/github',
        'http://localhost:9/auth/callback/githb',
      ]),
    ).toContain('its path differs from the registered http://localhost:9/auth/callback/githb')
    expect(
      nearestTo('https://a.example:443', ['https://h.example:443/x', 'https://a.example']),
    ).toMatch(/^its port differs from the registered https:\/\/a\.example /)
    // Both differ in one component, and the other one in fewer letters.
    expect(
      nearestTo('https://app.example:5173/cb', [
        'https://app.example:5173/cc',
        'https://app.example:3000/cb',
      ]),
    ).toContain('its port differs from the registered https://app.example:3000/cb')
    expect(
      nearestTo('http://localhost:3000/callback', [
        'http://localhost/',
        'http://127.0.0.1/callback',
      ]),
    ).toMatch(/its host differs from the registered http:\/\/127.*are not interchangeable/)
    // More components differ, none of which is the path.
    expect(
      nearestTo('https://localhost:3000/callback', [
        'https://localhost:3000/',
        'http://localhost/callback',
      ]),
    ).toContain('its scheme, port differ from the registered http://localhost/callback')
    expect(
      nearestTo('https://app.example:3000/cb?x=1', [
        'https://app.example:8443/cb?x=1',
        'https://app.example:3000/cb',
      ]),
    ).toContain('its query differs from the registered https://app.example:3000/cb')
    const long = 'x'.repeat(30_000)
    expect(
      nearestTo(`https://app.example/${long}`, [
        'https://app.example/y',
        `https://b.example/${long}`,
      ]),
    ).toContain('https://b.example')
  })

  test('the app of a Space may use any path on its host, and no other host', () => {
    const space = { redirectUris: [], redirectHosts: ['acme-demo.hf.space'] }
    const matchesSpace = (uri: string) => matchRedirectUri(space, uri).matches
    expect(matchesSpace('https://acme-demo.hf.space/login/callback?_target_url=/x')).toBe(true)
    expect(matchesSpace('http://acme-demo.hf.space/')).toBe(true)
    for (const uri of [
      'https://acme-demo.hf.space.evil.example/',
      'https://evil.example/acme-demo.hf.space',
      'https://user@acme-demo.hf.space/',
      'https://acme-demo.hf.space:8443/',
      'ftp://acme-demo.hf.space/',
      'https://acme-demo.hf.space/#x',
    ]) {
      expect(matchesSpace(uri)).toBe(false)
    }
  })

  test('the app of a Space may redirect to loopback, for local development', () => {
    const space = { redirectUris: [], redirectHosts: ['acme-demo.hf.space'] }
    const matchesSpace = (uri: string) => matchRedirectUri(space, uri).matches
    expect(matchesSpace('http://localhost:7860/oauth/huggingface/callback?_target_url=/')).toBe(
      true,
    )
    expect(matchesSpace('http://[::1]:7860/login/callback')).toBe(true)
    expect(matchesSpace('https://localhost:7860/login/callback')).toBe(false)
    expect(matchesSpace('http://localhost.evil.example/')).toBe(false)
  })
})

describe('the nearest registered redirect URI', () => {
  const app = {
    redirectUris: ['http://localhost/', 'http://localhost/callback', 'https://a.example/cb'],
  }

  test('has the difference marked, and the number of others', () => {
    expect(nearestRedirectUri(app, 'https://a.example/cb/')).toEqual({
      value: 'https://a.example/cb',
      parts: [
        { kind: 'same', text: 'https://a.example/cb' },
        { kind: 'extra', text: '/' },
      ],
      others: 2,
    })
  })

  test('is the one that the reason names, and a free port is no difference (RFC 8252 §7.3)', () => {
    const sent = 'http://localhost:3000/callbackk'
    const match = matchRedirectUri(app, sent)
    expect(match.matches).toBe(false)
    const nearest = nearestRedirectUri(app, sent)
    expect(match).toMatchObject({ nearest: nearest?.value })
    expect(nearest?.parts.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'extra', text: 'k' },
    ])
  })

  test.each([
    ['matches', app, 'http://localhost:1/callback'],
    ['is no URI', app, 'nothing'],
    ['has none to compare with', { redirectUris: [] }, 'http://localhost/'],
  ])('is left out where the one sent %s', (_, of, sent) => {
    expect(nearestRedirectUri(of, sent)).toBeUndefined()
  })
})

describe('forbidden redirect URIs (RFC 6749 §3.1.2)', () => {
  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.example/x',
    'file:///etc/passwd',
    'about:blank',
    'https://a.example/#fragment',
    'http://localhost:99999/',
    'https://a.example/#',
    'https:///path',
    'https:path',
    'http://',
    'https://:443/',
    'https://user@/x',
    '/relative',
    'relative',
    'https://a.example/with space',
    'https://a.example\\@evil.example/',
    'https://a.example/\u0000',
    'https://a.example/\u007f',
    'https://a.example/ü',
    ' https://a.example/',
  ])('%j is refused, registered or not', (uri) => {
    expect(redirectUriProblem(uri)).toEqual(expect.any(String))
    expect(matches(uri, [uri])).toBe(false)
  })

  test.each([
    'myapp://callback',
    'com.example.app:/oauth',
    'https://a.example',
    'http://[::1]:1/x',
  ])('allows %s', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined()
  })
})

/**
 * The rules in another way: a URI is put together from its parts here, so that nothing has to be taken apart.
 */
interface Parts {
  scheme: string
  userinfo: string
  host: string
  port: string
  path: string
  query: string
}

const parts = fc.record<Parts>({
  scheme: fc.constantFrom('http', 'https', 'myapp'),
  userinfo: fc.constantFrom('', '', '', 'user@', 'a:b@'),
  host: fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'app.example', 'localhost.evil.example'),
  port: fc.constantFrom('', '', ':80', ':8080', ':65535'),
  path: fc.constantFrom('', '/', '/callback', '/callback/', '/a/b'),
  query: fc.constantFrom('', '', '?', '?a=1', '?redirect=http://localhost/callback'),
})

function write({ scheme, userinfo, host, port, path, query }: Parts): string {
  return `${scheme}://${userinfo}${host}${port}${path}${query}`
}

function modelMatches(one: Parts, other: Parts): boolean {
  if (write(one) === write(other)) return true
  const isLoopback = (uri: Parts) =>
    uri.scheme === 'http' && ['localhost', '127.0.0.1', '[::1]'].includes(uri.host)
  return (
    isLoopback(one) &&
    isLoopback(other) &&
    write({ ...one, port: '' }) === write({ ...other, port: '' })
  )
}

describe('redirect URI matching against a model', () => {
  test('the matcher agrees with the model for every pair of URIs', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 4 }), parts, (known, asked) => {
        const expected = known.some((uri) => modelMatches(uri, asked))
        expect(matches(write(asked), known.map(write))).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('the matcher agrees with the model for URIs that differ in one part', () => {
    const names: (keyof Parts)[] = ['scheme', 'userinfo', 'host', 'port', 'path', 'query']
    fc.assert(
      fc.property(parts, parts, fc.constantFrom(...names), (known, other, name) => {
        const asked = { ...known, [name]: other[name] }
        expect(matches(write(asked), [write(known)])).toBe(modelMatches(known, asked))
      }),
      { numRuns: 2000 },
    )
  })

  test('a different URI outside loopback never matches', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (uri, text) => {
        fc.pre(text !== uri)
        expect(matches(text, [uri])).toBe(false)
        expect(matches(uri + text, [uri])).toBe(text === '')
      }),
    )
  })
})

describe('redirect URIs that no request matches', () => {
  test.each([
    ['localhost:3000/callback', 'http://localhost:3000/callback'],
    ['localhost/callback', 'http://localhost/callback'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['app.example:8443/cb', 'https://app.example:8443/cb'],
    ['www.example.com/cb', 'https://www.example.com/cb'],
    ['//app.example/cb', 'https://app.example/cb'],
    ['/callback', 'http://localhost/callback'],
    ['http:/localhost/cb', 'http://localhost/cb'],
    ['http:localhost:3000', 'http://localhost:3000/'],
    ['htp://localhost/cb', 'http://localhost/cb'],
    ['http://localhost:*/cb', 'http://localhost/cb'],
    ['http://localhost:{port}/cb', 'http://localhost/cb'],
    ['http://localhost/cb#x', 'http://localhost/cb'],
    [' http://localhost/cb', 'http://localhost/cb'],
    ['http://localhost/{provider}', 'http://localhost/%7Bprovider%7D'],
    ['http://localhost/a b', 'http://localhost/a%20b'],
    ['http:\\\\localhost\\cb', 'http://localhost/cb'],
  ])('%s is refused, with what was meant', (uri, meant) => {
    expect(unusableRedirectUri(uri)).toContain(`(did you mean ${meant}?)`)
    expect(unusableRedirectUri(meant)).toBeUndefined()
  })

  test.each(['http://localhost/*', 'https://*.example.com/cb', ''])('%j is refused', (uri) => {
    expect(unusableRedirectUri(uri)).toEqual(expect.any(String))
    expect(unusableRedirectUri(uri)).not.toContain('did you mean')
  })

  test.each([
    'myapp://callback',
    'myapp:callback',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'http://localhost:3000/cb?next=*',
    'https://app.example',
  ])('%s may be registered', (uri) => {
    expect(unusableRedirectUri(uri)).toBeUndefined()
  })
})
