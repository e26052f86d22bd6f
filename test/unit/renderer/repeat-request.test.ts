import { expect, test } from 'vitest'
import { repeatRequest } from '../../../renderer/features/requests/model/repeat-request.ts'
import { requestItem } from '../../helpers/query-items.ts'

const message = { headers: [], size: 0, truncated: false }
const request = {
  ...requestItem({ path: "/oauth/token?x=[1]&name=O'Hara" }),
  request: {
    ...message,
    headers: [
      ['Host', 'localhost:7420'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Connection', 'keep-alive'],
    ] as [string, string][],
    body: "code=it's; rm -rf $HOME",
  },
  response: message,
}
const origin = 'http://localhost:7420'

test('a command quotes what a shell would read otherwise, and omits headers of the connection', () => {
  expect(repeatRequest('curl', request, origin)).toBe(
    String.raw`curl --globoff --include --request POST 'http://localhost:7420/oauth/token?x=[1]&name=O'\''Hara' \
  --header 'Content-Type: application/x-www-form-urlencoded' \
  --data-raw 'code=it'\''s; rm -rf $HOME'`,
  )
  expect(repeatRequest('httpie', request, origin)).toBe(
    String.raw`http --ignore-stdin POST 'http://localhost:7420/oauth/token?x=[1]&name=O'\''Hara' \
  Content-Type:application/x-www-form-urlencoded \
  --raw 'code=it'\''s; rm -rf $HOME'`,
  )
})

test('code has every value as a string literal', () => {
  const code = repeatRequest('fetch', request, origin)
  expect(code).toContain(JSON.stringify(request.request.body))
  const { request: sent, ...rest } = request
  const { body: _body, ...empty } = sent
  const bare = { ...rest, request: { ...empty, headers: [] } }
  expect(repeatRequest('fetch', bare, origin)).not.toContain('body')
  expect(repeatRequest('curl', { ...bare, path: 'http://other/x' }, origin)).toContain(
    "'http://other/x'",
  )
})
