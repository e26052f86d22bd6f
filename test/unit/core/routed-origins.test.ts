import { describe, expect, test } from 'vitest'
import { belongsTo, readOrigins } from '../../../server/core/routed-origins.ts'

describe('origins to intercept', () => {
  test('are scheme, host and port', () => {
    const texts = ['https://HuggingFace.co/', 'http://hub.invalid:8080', 'https://[2001:db8::1]']
    expect(readOrigins(texts)).toEqual({
      problems: [],
      origins: [
        { origin: 'https://huggingface.co', host: 'huggingface.co', port: 443 },
        { origin: 'http://hub.invalid:8080', host: 'hub.invalid', port: 8080 },
        { origin: 'https://[2001:db8::1]', host: '2001:db8::1', port: 443 },
      ],
    })
  })

  test.each([
    ['huggingface.co', /must be an origin such as https:\/\/huggingface\.co, not huggingface\.co/],
    ['ftp://hub.invalid', /must be an origin such as/],
    ['', /must be an origin such as/],
    ['https://hub.invalid/api', /without path or user: use https:\/\/hub\.invalid instead of/],
    ['https://hub.invalid?x', /without path or user/],
    // Of which no connection would be led to the sandbox.
    ['https://*.hub.invalid', /must list each origin, not https:\/\/\*\.hub\.invalid:/],
    ['https://alice:secret@hub.invalid', /without path or user: .* instead of https:\/\/alice:…@/],
    ['https://alice:secret@hub invalid', /not https:\/\/alice:…@hub invalid/],
    ['http://localhost:7420', /use the URL of a local server itself/],
    ['https://127.0.0.2', /use the URL of a local server itself/],
    ['https://[::1]', /use the URL of a local server itself/],
    ['https://hub.localhost.', /use the URL of a local server itself/],
  ])('are not %j', (text, problem) => {
    const { origins, problems } = readOrigins([text])
    expect(origins).toEqual([])
    expect(problems).toEqual([expect.stringMatching(problem)])
  })

  test('are named once each, and every mistake is told', () => {
    const { problems } = readOrigins(['https://hub.invalid', 'https://hub.invalid:443', 'x'])
    expect(problems).toEqual([
      'has https://hub.invalid twice: remove one',
      expect.stringContaining('not x'),
    ])
  })
})

describe('a connection', () => {
  const [secure, other] = readOrigins(['https://hub.invalid', 'http://hub.invalid:8080']).origins

  test.each([
    ['hub.invalid', 443],
    ['HUB.invalid.', 443],
    // A slip of the scheme must not reach the hub.
    ['hub.invalid', 80],
  ])('to %s port %d belongs to the origin', (host, port) => {
    expect(secure && belongsTo(secure, { host, port })).toBe(true)
  })

  test.each([
    ['hub.invalid', 8443],
    ['other.invalid', 443],
    ['api.hub.invalid', 443],
    ['hub.invalid.evil.invalid', 443],
  ])('to %s port %d does not', (host, port) => {
    expect(secure && belongsTo(secure, { host, port })).toBe(false)
  })

  test('to a port that was named belongs to it alone', () => {
    const ports = [80, 443, 8080].map(
      (port) => other && belongsTo(other, { host: 'hub.invalid', port }),
    )
    expect(ports).toEqual([false, false, true])
  })
})
