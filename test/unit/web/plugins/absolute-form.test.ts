import { describe, expect, test } from 'vitest'
import { originForm } from '../../../../server/web/plugins/absolute-form.ts'

const read = (url: string) => {
  const request = { url, headers: { host: 'localhost' } }
  return { url: originForm(request), host: request.headers.host }
}

describe('request targets (RFC 9112 §3.2)', () => {
  test.each([
    ['/a?b=http://c/', '/a?b=http://c/', 'localhost'],
    ['*', '*', 'localhost'],
    ['http://evil.example/_sandbox/api/tokens', '/_sandbox/api/tokens', 'evil.example'],
    ['HTTPS://127.0.0.1:7420?a=b', '/?a=b', '127.0.0.1:7420'],
    ['http://localhost', '/', 'localhost'],
    ['http:///path', '/path', ''],
    ['http://user@localhost/a#b', '/a', 'user@localhost'],
    ['ftp://localhost/a', 'ftp://localhost/a', 'localhost'],
  ])('reads %j as %j at %j', (target, url, host) => {
    expect(read(target)).toEqual({ url, host })
  })
})
