import { expect, test } from 'vitest'
import type { Har, RequestDetail } from '../../../server/contract/control-requests.ts'
import { writeHar } from '../../../server/inspect/exports/har.ts'

const request: RequestDetail = {
  id: 'Root=1',
  at: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/',
  status: 404,
  endedAt: '2026-01-01T00:00:00.001Z',
  durationMs: 1,
  request: { headers: [], size: 0, truncated: false },
  response: { headers: [], size: 0, truncated: false },
}

const read = (parts: Iterable<string>) => JSON.parse([...parts].join('')) as Har

test('every response has a redirectURL, which is empty without a Location', () => {
  const redirect: RequestDetail = {
    ...request,
    response: { ...request.response, headers: [['Location', '/login']] },
  }
  const { entries } = read(writeHar([request, redirect], 'http://localhost:7420', '1')).log
  expect(entries.map(({ response }) => response.redirectURL)).toEqual(['', '/login'])
})

test.each([
  ['/a?b=c&b=%20', 'http://localhost:7420/a?b=c&b=%20', ['c', ' ']],
  ['//evil.example/a?b=c', 'http://localhost:7420//evil.example/a?b=c', ['c']],
  ['//[]', 'http://localhost:7420//[]', []],
  ['//%20/git-upload-pack', 'http://localhost:7420//%20/git-upload-pack', []],
  ['http://[', 'http://[', []],
])('tells of a request for %s as one for %s of this server', (path, url, values) => {
  const { entries } = read(writeHar([{ ...request, path }], 'http://localhost:7420', '1')).log
  expect(entries[0]?.request.url).toBe(url)
  expect(entries[0]?.request.queryString).toEqual(values.map((value) => ({ name: 'b', value })))
})
