import { expect, test } from 'vitest'
import { parseYaml } from '../../../server/fixtures/parse-yaml.ts'
import { checkReadme } from '../../../server/hub/readme-check.ts'

const check = (content: string, repoType: 'model' | 'space' = 'model') =>
  checkReadme(parseYaml, { content, repoType })
const withCard = (card: string) => `---\n${card}\n---\n\ntext\n`
const nothing = { errors: [], warnings: [] }

test.each([
  ['fields', withCard('license: mit\ntags: [a, b]')],
  ['blank lines above', `\n \n${withCard('license: mit')}`],
  ['a mark of UTF-8 and ends of lines of Windows', '\uFEFF---\r\nlicense: mit\r\n---\r\n'],
  ['results', withCard('model-index:\n- name: a\n  results: []')],
])('a README with %s is fine', (_with, content) => {
  expect(check(content)).toEqual(nothing)
})

test.each([
  ['no object', withCard('- a'), 'the metadata must be an object'],
  ['tags that are none', withCard('tags: {}'), '"tags" must be an array of texts'],
  // The card by which the tests of the Python client try a refusal.
  [
    'results that are none, below a blank line',
    '\n---\nmodel-index: foo\n---\n\nThis is a test model card.\n',
    '"model-index" must be an array',
  ],
])('a README with %s is refused', (_with, content, message) => {
  expect(check(content).errors).toEqual([{ message }])
})

test('of a Space it names a way to run it', () => {
  expect(check(withCard('sdk: docker'), 'space')).toEqual(nothing)
  expect(check(withCard('sdk: x'), 'space').errors).toEqual([
    { message: expect.stringMatching(/^"sdk" must be one of \[.*static.*\]$/) },
  ])
})

test.each(['', 'text', 'text\n---\na: b\n---\n', '---\na: b\n'])(
  'without metadata (%j) there is only less to be found by',
  (content) => {
    const message = 'empty or missing yaml metadata in repo card'
    expect(check(content)).toEqual({ errors: [], warnings: [{ message }] })
  },
)
