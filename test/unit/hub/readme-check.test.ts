import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RepoType } from '../../../server/contract/words/hub-words.ts'
import { parseYaml } from '../../../server/core/parse-yaml.ts'
import { checkReadme, metadataLimits } from '../../../server/hub/rules/readme-check.ts'

const check = (content: string, repoType: RepoType = 'model') =>
  checkReadme((text) => parseYaml(text, metadataLimits), { content, repoType })
const withCard = (card: string) => `---\n${card}\n---\n\ntext\n`
const nothing = { errors: [], warnings: [] }

test.each([
  ['fields', withCard('license: mit\ntags: [a, b]')],
  ['blank lines above', `\n \n${withCard('license: mit')}`],
  ['a mark of UTF-8 and ends of lines of Windows', '\uFEFF---\r\nlicense: mit\r\n---\r\n'],
  ['results', withCard('model-index:\n- name: a\n  results: []')],
])('a README with %s is accepted', (_with, content) => {
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

// The words of these answers were seen at the hub.
test.each<[string, RepoType, string, string[]]>([
  [
    'a license that it does not list',
    'dataset',
    'license: gpl-2.0-or-later',
    [expect.stringMatching(/^"license" must be one of \[apache-2\.0, mit, .*, other, array\]$/)],
  ],
  [
    'one such license among others',
    'model',
    'license: [mit, MIT]',
    [expect.stringMatching(/^"license\[1\]" must be one of \[/)],
  ],
  ['a license left empty', 'model', 'license:', [expect.stringMatching(/^"license" must be/)]],
  [
    'a country instead of a language',
    'model',
    'language: jp',
    [
      '"language" with value "jp" is not valid. It must be an ISO 639-1, 639-2 or 639-3 code (two/three letters), or a special value like "code", "multilingual". If you want to use BCP-47 identifiers, you can specify them in language_bcp47.',
    ],
  ],
  [
    'a language with its country',
    'dataset',
    'language: [pt, pt_pt, zh-CN]',
    [
      expect.stringMatching(/^"language\[1\]" with value "pt_pt" is not valid\./),
      '"language[2]" must only contain lowercase characters',
    ],
  ],
  ['no language at all', 'model', 'language: [false]', ['"language[0]" must be a string']],
  [
    'a folder as base model',
    'model',
    'base_model: /workspace/checkpoint-400',
    [
      '"base_model" with value "/workspace/checkpoint-400" is not valid. Use a model id from https://hf.co/models.',
    ],
  ],
  ['an empty base model', 'model', 'base_model: ""', ['"base_model" is not allowed to be empty']],
  [
    'an empty name among others',
    'model',
    'language: [en, ""]\nbase_model: [gpt2, ""]',
    ['"language[1]" is not allowed to be empty', '"base_model[1]" is not allowed to be empty'],
  ],
  [
    'a folder as dataset',
    'model',
    'datasets: [glue, /data/corpus]',
    [
      '"datasets[1]" with value "/data/corpus" is not valid. If possible, use a dataset id from https://hf.co/datasets.',
    ],
  ],
  ['a widget that is no list', 'model', 'widget: { text: Hello }', ['"widget" must be an array']],
  [
    'results of a dataset without a configuration',
    'model',
    'model-index: [{ name: a, results: [{ task: { type: sts }, dataset: { type: x, name: x, config: null, split: 1 }, metrics: [] }] }]',
    [
      '"model-index[0].results[0].dataset.config" must be a string',
      '"model-index[0].results[0].dataset.split" must be a string',
    ],
  ],
  ['datasets left empty', 'model', 'datasets:', ['"datasets" must be a string']],
  ['datasets that are none', 'model', 'datasets: [null]', ['"datasets[0]" must be a string']],
  [
    'the results of a combined dataset',
    'model',
    'model-index: [{ name: a, results: [{ task: { type: sts }, dataset: { type: " ", name: x }, metrics: [{ type: acc, value: 1 }] }] }]',
    [
      String.raw`"model-index[0].results[0].dataset.type" with value " " fails to match the required pattern: /^(?:[\w-]+\/)?[\w-.]+$/`,
    ],
  ],
  [
    'results that miss something',
    'model',
    'model-index: [{ results: [{ task: {}, dataset: { type: glue }, metrics: [{ type: acc }] }, 1] }, {}]',
    [
      '"model-index[0].results[0].task.type" is required',
      '"model-index[0].results[0].dataset.name" is required',
      '"model-index[0].results[0].metrics[0].value" is required',
      '"model-index[0].results[1]" must be of type object',
      '"model-index[1].results" is required',
    ],
  ],
  [
    'too many words about a Space',
    'space',
    `sdk: static\nshort_description: ${'x'.repeat(61)}`,
    ['"short_description" length must be less than or equal to 60 characters long'],
  ],
  [
    'colors that a Space has not',
    'space',
    'sdk: docker\ncolorFrom: teal\ncolorTo: gray',
    ['"colorFrom" must be one of [red, yellow, green, blue, indigo, purple, pink, gray]'],
  ],
])('a README with %s is refused', (_with, repoType, card, messages) => {
  expect(check(withCard(card), repoType).errors).toEqual(messages.map((message) => ({ message })))
})

test.each<[RepoType, string]>([
  ['model', 'license: [apache-2.0, cc-by-nc-nd-4.0, openmdw-1.1]\nlicense_name: ours'],
  ['model', 'language: [en, deu, code, multilingual]\nlanguage_bcp47: [pt-PT]'],
  ['model', 'base_model: [gpt2, meta-llama/Llama-3.1-8B]\ndatasets: [glue, acme/corpus]'],
  ['model', 'datasets: glue\ncolorFrom: teal\nshort_description: 1'],
  [
    'model',
    'model-index: [{ results: [{ task: { type: sts }, dataset: { type: acme/x.y, name: X }, metrics: [{ type: acc, value: [1], verified: true }] }] }]',
  ],
  ['dataset', 'base_model: /x\nmodel-index: 1'],
  ['space', `sdk: gradio\ncolorFrom: red\ncolorTo: pink\nshort_description: ${'x'.repeat(60)}`],
])('a README of a %s with %j is accepted', (repoType, card) => {
  expect(check(withCard(card), repoType)).toEqual(nothing)
})

test.each([
  ['1 MiB', `a: ${'b'.repeat(1_048_576)}`, 'it has 1025 KiB, and the limit is 1024 KiB'],
  ['150,000 tokens', `a: [${'b,'.repeat(80_000)}]`, 'it has more than 150,000 tokens, the limit'],
])('metadata of more than %s is refused before it is parsed', (_limit, card, message) => {
  expect(check(withCard(card)).errors).toEqual([{ message }])
})

test('metadata of 250 KB with results of benchmarks is read', () => {
  const result = `- task: { type: sts }
  dataset: { type: mteb/a, name: A }
  metrics:
  - type: accuracy
    value: 74.79104477611939
`
  const results = result.repeat(1800).replaceAll(/^/gm, '    ')
  expect(check(withCard(`model-index:\n- results:\n${results}`))).toEqual(nothing)
})

test('the first of many problems in a list are reported', () => {
  expect(check(withCard(`license: [${'x,'.repeat(10_000)}]`)).errors).toHaveLength(100)
})

test('the sdk in the README of a Space has to be a known one', () => {
  expect(check(withCard('sdk: docker'), 'space')).toEqual(nothing)
  expect(check(withCard('sdk: x'), 'space').errors).toEqual([
    { message: expect.stringMatching(/^"sdk" must be one of \[.*static.*\]$/) },
  ])
})

test.each(['', 'text', 'text\n---\na: b\n---\n', '---\na: b\n'])(
  'a README without metadata (%j) gets a warning',
  (content) => {
    const message = 'empty or missing yaml metadata in repo card'
    expect(check(content)).toEqual({ errors: [], warnings: [{ message }] })
  },
)

test.each(readmesOfFixtures())('the README of %s passes the check', (_, type, readme) => {
  expect(check(readme, type).errors).toEqual([])
})

function readmesOfFixtures(): [string, RepoType, string][] {
  const text = readFileSync(new URL('../../../fixtures/default.json', import.meta.url), 'utf8')
  const { repos } = JSON.parse(text) as {
    repos: { name: string; type: RepoType; files: Record<string, string> }[]
  }
  return repos.flatMap(({ name, type, files }) => {
    const readme = files['README.md']
    return readme === undefined ? [] : [[name, type, readme]]
  })
}
