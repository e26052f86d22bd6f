import { expect, test } from 'vitest'
import { headersForHub, repeatText } from '../../../renderer/shared/repeat-request.ts'

const request = {
  method: 'POST',
  url: "http://localhost:7420/oauth/token?x=[1]&name=O'Hara",
  headers: headersForHub([
    ['Host', 'localhost:7420'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Connection', 'keep-alive'],
  ]),
  body: "code=it's; rm -rf $HOME",
}

test('a command quotes what a shell would read otherwise, and omits headers of the connection', () => {
  expect(repeatText('curl', request)).toBe(
    String.raw`curl --globoff --include --request POST 'http://localhost:7420/oauth/token?x=[1]&name=O'\''Hara' \
  --header 'Content-Type: application/x-www-form-urlencoded' \
  --data-raw 'code=it'\''s; rm -rf $HOME'`,
  )
  expect(repeatText('httpie', request)).toBe(
    String.raw`http --ignore-stdin POST 'http://localhost:7420/oauth/token?x=[1]&name=O'\''Hara' \
  Content-Type:application/x-www-form-urlencoded \
  --raw 'code=it'\''s; rm -rf $HOME'`,
  )
})

test('code has every value as a string literal', () => {
  const code = repeatText('fetch', request)
  expect(code).toContain(JSON.stringify(request.body))
  expect(repeatText('fetch', { ...request, headers: [], body: undefined })).not.toContain('body')
})
