import { describe, expect, test } from 'vitest'
import { checkDocumentText } from '../../../../server/hub/oauth/check-document-text.ts'

const url = 'https://client.example/.well-known/oauth-cimd'
const valid = {
  client_id: url,
  client_name: 'Client',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}
const text = (changes: object = {}) => JSON.stringify({ ...valid, ...changes }, null, 2)

test('a valid document has no problems, and its client_id is its URL', () => {
  expect(checkDocumentText(text())).toEqual({
    url,
    bytes: Buffer.byteLength(text()),
    document: valid,
    problems: [],
  })
})

test('each problem has the place of its member and a fix, in the order of the text', () => {
  const { problems } = checkDocumentText(
    text({
      client_name: '',
      redirect_uris: ['https://a.example/b', 'javascript:alert(1)'],
      token_endpoint_auth_method: 'client_secret_post',
      client_secret: 'x',
      logo_uri: 'logo.png',
    }),
  )
  expect(problems.map(({ line, column, member }) => [line, column, member])).toEqual([
    [3, 3, 'client_name'],
    [6, 5, 'redirect_uris[1]'],
    [8, 3, 'token_endpoint_auth_method'],
    [9, 3, 'client_secret'],
    [10, 3, 'logo_uri'],
  ])
  expect(problems.map(({ fix }) => fix)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('"token_endpoint_auth_method" to "none"'),
      'Remove "client_secret".',
    ]),
  )
})

test('a missing member is reported where the document begins', () => {
  const { client_name: _name, ...rest } = valid
  expect(checkDocumentText(`\n ${JSON.stringify(rest)}`).problems).toMatchObject([
    { line: 2, column: 2, member: 'client_name', message: 'client_name is missing' },
  ])
})

describe('the URL', () => {
  test('differs from the client_id when it is given', () => {
    const other = 'https://other.example/client'
    expect(checkDocumentText(text(), other)).toMatchObject({
      url: other,
      problems: [{ member: 'client_id', fix: `Set "client_id" to "${other}".` }],
    })
  })

  test.each([['http://localhost:3000/client'], ['https://client.example'], [7], [undefined]])(
    'is a usual one where the client_id %j cannot be one',
    (id) => {
      expect(checkDocumentText(text({ client_id: id }))).toMatchObject({
        url,
        problems: [{ member: 'client_id' }],
      })
    },
  )
})

test.each([
  ['[]', 1, 1, /not a JSON object/],
  ['{\n  "client_name": "x",\n}', 3, 1, /not valid JSON: expected a name in double quotes/],
  ['', 1, 1, /not valid JSON: expected a value, but the text ends/],
  ['['.repeat(100), 1, 1, /nested more than 64 levels deep/],
])('%j is refused', (broken, line, column, message) => {
  const { problems, ...rest } = checkDocumentText(broken)
  expect(problems).toMatchObject([{ line, column, message: expect.stringMatching(message) }])
  expect(rest).not.toHaveProperty('document')
})

test('a document beyond 5 KB is refused where the hub stops to read', () => {
  const { problems } = checkDocumentText(text({ logo_uri: `data:image/png,${'é'.repeat(3000)}` }))
  expect(problems).toMatchObject([
    { line: 8, message: expect.stringMatching(/has 6\d{3} bytes; the Hub reads at most 5120/) },
  ])
})
