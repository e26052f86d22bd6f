import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../helpers/app.ts'
import { contentOf, lfsLine, uploadContent } from '../helpers/large-files.ts'
import { ggufFile, safetensorsFile } from '../helpers/weights.ts'

const world = testApp()
const { as } = world
const alice = as('alice')

interface Info {
  config: unknown
  gguf?: object
  safetensors?: object
  transformersInfo?: object
  evalResults?: object[]
  usedStorage: number
}
const info = async (query = '', path = '/api/models/alice/tiny') =>
  (await alice.get<Info>(`${path}${query}`)).body

/** Uploads large files and commits them. */
async function commitLarge(files: Record<string, Buffer>): Promise<void> {
  for (const bytes of Object.values(files)) await uploadContent(alice, '/alice/tiny', bytes)
  const lines = Object.entries(files).map(([path, bytes]) => lfsLine(path, contentOf(bytes)))
  const header = { key: 'header', value: { summary: 'Add weights' } }
  const commit = await alice.postLines('/api/models/alice/tiny/commit/main', [header, ...lines])
  expect(commit.status).toBe(200)
}

beforeEach(async () => {
  await alice.post('/api/repos/create', { name: 'tiny' })
})

describe('weights of a model', () => {
  const gguf = ggufFile({ 'general.architecture': 'qwen2', 'qwen2.context_length': 32_768 }, [
    [7, 9],
  ])

  test('have the facts of their headers, in Git LFS and in git', async () => {
    await commitLarge({
      'tiny-Q8_0.gguf': ggufFile({ 'general.architecture': 'llama' }, [[1]]),
      'tiny-Q4_K_M.gguf': gguf,
      'model.safetensors': safetensorsFile([
        ['F32', [4, 5]],
        ['I64', [1, 6]],
      ]),
    })
    const facts = {
      gguf: { total: 63, architecture: 'qwen2', context_length: 32_768 },
      safetensors: { parameters: { F32: 20, I64: 6 }, total: 26 },
    }
    expect(await info()).toMatchObject(facts)
    expect(await info('?expand=gguf&expand=safetensors')).toMatchObject(facts)
    const listed = await alice.get<Info[]>('/api/models?author=alice&expand=gguf')
    expect(listed.body[0]?.gguf).toEqual(facts.gguf)
    world.makeRepo('alice/plain', { files: { 'x.gguf': gguf, 'model.safetensors': 'none' } })
    const plain = await info('', '/api/models/alice/plain')
    expect(plain.gguf).toEqual(facts.gguf)
    expect(plain).not.toHaveProperty('safetensors')
  })

  test('of a split model are summed up', async () => {
    const weight_map = { a: 'model-1.safetensors', b: 'model-2.safetensors' }
    world.makeRepo('alice/split', {
      files: {
        'model.safetensors.index.json': JSON.stringify({ weight_map }),
        'model-1.safetensors': safetensorsFile([['BF16', [10]]]),
        'model-2.safetensors': safetensorsFile([['BF16', [5]]]),
      },
    })
    const { safetensors } = await info('', '/api/models/alice/split')
    expect(safetensors).toEqual({ parameters: { BF16: 15 }, total: 15 })
  })

  test('of the past count as storage until they are deleted', async () => {
    const [first, second] = [Buffer.alloc(5000, 1), Buffer.alloc(3000, 2)]
    const before = (await info()).usedStorage
    await commitLarge({ 'w.bin': first })
    await commitLarge({ 'w.bin': second })
    const small = (await info()).usedStorage - before - 8000
    expect(small).toBeGreaterThanOrEqual(0)
    expect(small).toBeLessThan(100)
    const path = '/api/models/alice/tiny'
    expect((await alice.delete(`${path}/lfs-files/${contentOf(first).oid}`)).status).toBe(200)
    expect((await info()).usedStorage - before - small).toBe(3000)
    expect((await alice.get(`${path}/treesize/main`)).body).toEqual({
      path: '/',
      size: (await info()).usedStorage,
    })
    const listed = await alice.get<{ id: string; storage: number }[]>('/api/settings/repositories')
    const storage = listed.body.find(({ id }) => id === 'alice/tiny')?.storage
    expect(storage).toBe((await info()).usedStorage)
  })
})

describe('configuration of a model', () => {
  test('names the class of transformers, tokens and templates', async () => {
    world.makeRepo('alice/chat', {
      files: {
        'config.json': JSON.stringify({
          architectures: ['LlamaForCausalLM'],
          model_type: 'llama',
          hidden_size: 8,
          quantization_config: { quant_method: 'awq', bits: 4, version: 'gemm' },
        }),
        'tokenizer_config.json': JSON.stringify({
          bos_token: '<s>',
          chat_template: '{{ x }}',
          model_max_length: 9,
        }),
        'chat_template.jinja': '{{ messages }}',
      },
    })
    const { config, transformersInfo } = await info('', '/api/models/alice/chat')
    expect(config).toEqual({
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      quantization_config: { quant_method: 'awq', bits: 4 },
      tokenizer_config: { bos_token: '<s>', chat_template: '{{ x }}' },
      chat_template_jinja: '{{ messages }}',
    })
    expect(transformersInfo).toEqual({
      auto_model: 'AutoModelForCausalLM',
      pipeline_tag: 'text-generation',
      processor: 'AutoTokenizer',
    })
  })

  test('is absent for another library or an unknown architecture', async () => {
    const config = (name: string) => JSON.stringify({ architectures: [name] })
    const readme = '---\nlibrary_name: diffusers\n---\n'
    const files = { 'config.json': config('BertModel'), 'README.md': readme }
    world.makeRepo('alice/other', { files })
    world.makeRepo('alice/unknown', { files: { 'config.json': config('Abacus') } })
    for (const name of ['other', 'unknown', 'tiny']) {
      expect(await info('', `/api/models/alice/${name}`)).not.toHaveProperty('transformersInfo')
    }
  })
})

test('results of benchmarks come from .eval_results, with the mistakes of their files', async () => {
  world.makeRepo('alice/measured', {
    files: {
      '.eval_results/a.yaml':
        '- dataset: { id: cais/hle, task_id: default }\n  value: 20.9\n  notes: no-tools\n',
      '.eval_results/b.yaml': '- dataset: { id: cais/hle }\n  value: 1\n',
      '.eval_results/c.yaml': 'text',
      '.eval_results/d.txt': 'text',
    },
  })
  const { evalResults } = await info('?expand=evalResults', '/api/models/alice/measured')
  expect(evalResults).toEqual([
    {
      filename: '.eval_results/a.yaml',
      data: { dataset: { id: 'cais/hle', task_id: 'default' }, value: 20.9, notes: 'no-tools' },
    },
    { filename: '.eval_results/b.yaml', error: '"[0].dataset.task_id" is required' },
    { filename: '.eval_results/c.yaml', error: 'it is not a list of results' },
  ])
  expect(await info('?expand=evalResults')).not.toHaveProperty('evalResults')
})
