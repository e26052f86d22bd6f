import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { RepoType } from '../../../server/contract/words/hub-words.ts'
import { parseYaml } from '../../../server/core/parse-yaml.ts'
import { commitFiles } from '../../../server/hub/commits/commits.ts'
import {
  checkExpand,
  expandable,
  repoInfo,
  usedStorage,
} from '../../../server/hub/repos/repo-info.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'

let world: HubWorld

beforeEach(async () => {
  world = await createHubWorld()
})

function readCard(yaml: string): unknown {
  const parsed = parseYaml(yaml)
  return 'value' in parsed ? parsed.value : undefined
}

/** Returns the info of a repo with this README. */
function infoOf(type: RepoType, readme: string, expand?: string[]) {
  const repo = world.repo('acme/corpus', {
    type,
    ...(type === 'space' ? { sdk: 'docker' } : {}),
    files: [{ kind: 'add', path: 'README.md', content: readme }],
  })
  return repoInfo(world.deps, { repo, readCard, ...(expand === undefined ? {} : { expand }) })
}

describe('tags', () => {
  test.each<[RepoType, string, string[]]>([
    [
      'model',
      'license: mit\nlanguage: en\nbase_model: [a/b]',
      ['en', 'base_model:a/b', 'base_model:finetune:a/b', 'license:mit'],
    ],
    [
      'dataset',
      'license: mit\nlanguage: [en]\ntask_categories: [qa]\ntags: [x]',
      ['task_categories:qa', 'language:en', 'license:mit', 'x'],
    ],
    ['space', 'sdk: gradio\ntags: [x]', ['gradio', 'x']],
    ['space', 'tags: [x]', ['docker', 'x']],
    ['model', 'tags: [x, x, 7, "", {a: b}]', ['x']],
    ['model', 'language: en\ntags: [en, x]\nlicense: [mit, mit]', ['en', 'x', 'license:mit']],
    [
      'model',
      'base_model: [a/b, c/d]',
      ['base_model:a/b', 'base_model:merge:a/b', 'base_model:c/d', 'base_model:merge:c/d'],
    ],
    [
      'model',
      'base_model: a/b\nbase_model_relation: quantized',
      ['base_model:a/b', 'base_model:quantized:a/b'],
    ],
    ['dataset', 'source_datasets: original', ['source_datasets:original']],
    [
      'model',
      'a: https://arxiv.org/abs/1810.04805v2 http://arXiv.org/pdf/2106.09685.pdf 1810.1',
      ['arxiv:1810.04805', 'arxiv:2106.09685'],
    ],
    ['dataset', 'a: https://huggingface.co/papers/2403.00001', ['arxiv:2403.00001']],
  ])('of a %s with %j', (type, card, tags) => {
    expect(infoOf(type, `---\n${card}\n---\n`)).toMatchObject({ tags: [...tags, 'region:us'] })
  })
})

test.each([
  [
    ['model.safetensors', 'pytorch_model-00001-of-00002.bin'],
    ['pytorch', 'safetensors'],
  ],
  [
    ['a.gguf', 'onnx/model.onnx', 'tf_model.h5'],
    ['tf', 'onnx', 'gguf'],
  ],
  [['deep/model.safetensors', 'model.bin', 'safetensors'], []],
])('a model with the files %j is tagged with %j', (paths, tags) => {
  const files = paths.map((path) => ({ kind: 'add' as const, path, content: path }))
  const info = repoInfo(world.deps, { repo: world.repo('acme/weights', { files }), readCard })
  expect(info).toMatchObject({ tags: [...tags, 'region:us'] })
})

test('tags are those of the commit that is asked about, and of the type', () => {
  const add = (content: string) => [{ kind: 'add' as const, path: 'README.md', content }]
  const files = add('---\nlanguage: nl\n---\n')
  const model = world.repo('acme/one', { files })
  const dataset = world.repo('acme/one', { type: 'dataset', files })
  const tagsOf = (repo: Repo) => repoInfo(world.deps, { repo, readCard })['tags']
  expect([tagsOf(model), tagsOf(dataset)]).toEqual([
    ['nl', 'region:us'],
    ['language:nl', 'region:us'],
  ])
  const operations = add('---\nlanguage: fy\n---\n')
  const change = { repo: model, revision: 'main', title: 'Fryslan', operations }
  const { repo } = commitFiles(world.deps, change)
  expect([tagsOf(repo), tagsOf(model)]).toEqual([
    ['fy', 'region:us'],
    ['nl', 'region:us'],
  ])
})

test('a model with an adapter is one of what it was made from', () => {
  const add = (path: string, content: string) => ({ kind: 'add' as const, path, content })
  const files = [add('README.md', '---\nbase_model: a/b\n---\n'), add('adapter_config.json', '{}')]
  const info = repoInfo(world.deps, { repo: world.repo('acme/lora', { files }), readCard })
  expect(info).toMatchObject({ tags: expect.arrayContaining(['base_model:adapter:a/b']) })
})

describe('host of a Space', () => {
  test.each([
    ['static', 'acme-corpus.static.hf.space', null],
    ['gradio', 'acme-corpus.hf.space', 'cpu-basic'],
  ])('follows the sdk %s of its README, as its app does', (sdk, host, current) => {
    expect(infoOf('space', `---\nsdk: ${sdk}\n---\n`)).toMatchObject({
      sdk,
      host: `https://${host}`,
      runtime: { hardware: { current }, domains: [{ domain: host, stage: 'READY' }] },
    })
  })
})

describe('the card', () => {
  test.each([
    ['lines of Windows', '---\r\nlicense: mit\r\n---\r\n# A'],
    ['nothing after it', '---\nlicense: mit\n---'],
    ['a byte order mark', '\uFEFF---\nlicense: mit\n---\n'],
    ['blanks after the dashes', '--- \nlicense: mit\n---\t \n# A'],
  ])('is read with %s', (_, readme) => {
    expect(infoOf('model', readme)).toMatchObject({ cardData: { license: 'mit' } })
  })

  test.each([
    ['no end', '---\nlicense: mit\n'],
    ['words after the dashes', '--- a\nlicense: mit\n--- b\n'],
    ['text before it', 'A\n---\nlicense: mit\n---\n'],
    ['what is no YAML', '---\na: [\n---\n'],
    ['a list', '---\n- mit\n---\n'],
    ['too much', `---\na: ${'x'.repeat(70_000)}\n---\n`],
  ])('a README with %s has no card', (_, readme) => {
    expect(infoOf('model', readme)).not.toHaveProperty('cardData')
  })

  test('fields that the card does not name are left out', () => {
    const info = infoOf('model', '---\nlicense: mit\n---\n', ['pipeline_tag', 'library_name'])
    expect(Object.keys(info)).toEqual(['_id', 'id'])
  })
})

test.each([
  [
    '{"model_type":"bert","architectures":["BertModel"],"hidden_size":2}',
    { model_type: 'bert', architectures: ['BertModel'] },
  ],
  ['{"model_type":7,"architectures":[null],"__proto__":{"model_type":"x"}}', {}],
  ['no JSON', {}],
  ['null', {}],
  ['[]', {}],
  ['', {}],
  [`{"model_type":"${'x'.repeat(1024 * 1024)}"}`, {}],
])('the kind of a model is read from its config.json', (content, config) => {
  const files = [{ kind: 'add' as const, path: 'config.json', content }]
  const repo = world.repo('acme/weights', { files })
  expect(repoInfo(world.deps, { repo, readCard })['config']).toEqual(config)
  expect(repoInfo(world.deps, { repo: world.repo('acme/none'), readCard })['config']).toEqual({})
})

test('each type has its own expandable fields', () => {
  for (const names of Object.values(expandable)) {
    expect(() => checkExpand(names, names)).not.toThrow()
    expect(() => checkExpand(names, [...names, 'nothing'])).toThrow(
      `"expand" must be one of [${names.join(', ')}]`,
    )
  }
})

test('the used storage is that of all files', () => {
  const repo = world.repo('acme/tiny')
  const more = world.repo('acme/more', {
    files: [{ kind: 'add', path: 'a/b.bin', content: new Uint8Array(1000) }],
  })
  expect(usedStorage(world.deps, more) - usedStorage(world.deps, repo)).toBe(1000)
})

describe('cached facts of a commit', () => {
  const readme = (license: string) => `---\nlicense: ${license}\n---\n`
  const written = (license: string) =>
    world.repo('acme/corpus', {
      files: [
        { kind: 'add', path: 'README.md', content: readme(license) },
        { kind: 'add', path: 'data/a.csv', content: 'a,b' },
      ],
    })

  test('facts of a commit are computed once', () => {
    const repo = written('mit')
    const first = repoInfo(world.deps, { repo, readCard })
    const objects = world.deps.objects.of(repo)
    const [read, size] = [vi.spyOn(objects, 'read'), vi.spyOn(objects, 'size')]
    const parse = vi.fn<typeof readCard>(readCard)
    expect(repoInfo(world.deps, { repo, readCard: parse })).toEqual(first)
    expect([parse, read, size].map((spy) => spy.mock.calls)).toEqual([[], [], []])
    read.mockRestore()
    size.mockRestore()
  })

  test('facts of a Space come from its current README, read once', () => {
    const repo = world.repo('acme/demo', {
      type: 'space',
      sdk: 'docker',
      files: [{ kind: 'add', path: 'README.md', content: '---\nsdk: static\n---\n' }],
    })
    const first = repoInfo(world.deps, { repo, readCard })
    expect(first).toMatchObject({ sdk: 'static', runtime: { stage: 'RUNNING' } })
    const read = vi.spyOn(world.deps.objects.of(repo), 'read')
    expect(repoInfo(world.deps, { repo, readCard })).toEqual(first)
    expect(read.mock.calls).toEqual([])
    read.mockRestore()
    const { repo: after } = commitFiles(world.deps, {
      repo,
      revision: 'main',
      title: 'Another SDK',
      operations: [{ kind: 'add', path: 'README.md', content: '---\nsdk: gradio\n---\n' }],
    })
    expect(repoInfo(world.deps, { repo: after, readCard })).toMatchObject({ sdk: 'gradio' })
  })

  test('facts are those of the requested commit, by default the newest', () => {
    const repo = written('mit')
    const before = repoInfo(world.deps, { repo, readCard })
    const { repo: after } = commitFiles(world.deps, {
      repo,
      revision: 'main',
      title: 'Another licence, and a file more',
      operations: [
        { kind: 'add', path: 'README.md', content: readme('apache-2.0') },
        { kind: 'add', path: 'data/b.csv', content: 'c,d,e' },
      ],
    })
    const now = repoInfo(world.deps, { repo: after, readCard })
    expect(now).toMatchObject({ cardData: { license: 'apache-2.0' } })
    expect(now['siblings']).toContainEqual({ rfilename: 'data/b.csv' })
    expect(Number(now['usedStorage']) - Number(before['usedStorage'])).toBe(7 + 5)
    expect(repoInfo(world.deps, { repo, readCard })).toEqual(before)
  })
})
