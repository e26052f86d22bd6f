import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ManifestResponse } from '../../server/contract/hub-registry.ts'
import { moveRepo } from '../../server/hub/repos/repos.ts'
import { testApp } from '../helpers/app.ts'
import { contentOf, lfsLine, uploadContent } from '../helpers/large-files.ts'
import { ggufFile } from '../helpers/weights.ts'

const world = testApp()
const { as } = world
const alice = as('alice')
const registry = '/v2/alice/weights'

const weights = (name: string) => ggufFile({ 'general.architecture': 'llama', name }, [[2, 3]])
const small = weights('small')
const large = weights('large')
const sha256 = (bytes: Buffer | string) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const blob = (digest: string, headers = {}) =>
  as().get(`${registry}/blobs/${digest}`, undefined, headers)
const manifest = (tag = 'latest', agent = 'ollama/0.12', user = as()) =>
  user.get<ManifestResponse & { error?: string }>(`${registry}/manifests/${tag}`, undefined, {
    'user-agent': agent,
  })

beforeEach(async () => {
  world.makeRepo('alice/weights', {
    files: {
      'x-Q8_0.gguf': small,
      'mmproj-F16.gguf': 'vision',
      template: '{{ .Prompt }}',
      params: '{"stop":["</s>"]}',
    },
  })
  await uploadContent(alice, '/alice/weights', large)
  const header = { key: 'header', value: { summary: 'Add a file' } }
  const line = lfsLine('deep/x-Q4_K_M.gguf', contentOf(large))
  await alice.postLines('/api/models/alice/weights/commit/main', [header, line])
})

describe('a manifest', () => {
  test('has the layers that Ollama reads, and blobs behind them', async () => {
    const { status, headers, body } = await manifest()
    expect([status, headers['content-type']]).toEqual([200, body.mediaType])
    const ollama = (name: string) => `application/vnd.ollama.image.${name}`
    expect(body).toEqual({
      schemaVersion: 2,
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        size: expect.any(Number),
      },
      layers: [
        { mediaType: ollama('model'), digest: sha256(large), size: large.length },
        { mediaType: ollama('projector'), digest: sha256('vision'), size: 6 },
        { mediaType: ollama('template'), digest: sha256('{{ .Prompt }}'), size: 13 },
        { mediaType: ollama('params'), digest: sha256('{"stop":["</s>"]}'), size: 17 },
      ],
    })
    for (const { digest, size } of [body.config, ...body.layers]) {
      const got = await blob(digest)
      expect([got.status, sha256(got.bytes), got.bytes.length]).toEqual([200, digest, size])
    }
    const config = (await blob(body.config.digest)).bytes.toString()
    expect(JSON.parse(config)).toMatchObject({ model_family: 'llama', file_type: 'Q4_K_M' })
  })

  test('is chosen by its quantization or file name', async () => {
    const modelOf = async (tag: string) => (await manifest(tag)).body.layers[0]?.digest
    expect(await modelOf('q8_0')).toBe(sha256(small))
    expect(await modelOf('x-Q8_0.gguf')).toBe(sha256(small))
    expect(await modelOf('Q4_K_M')).toBe(sha256(large))
    const unknown = await manifest('Q2_K')
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      'The specified tag is not available in the repository. Please use another tag or "latest"',
    ])
    world.makeRepo('alice/none', { files: { 'model.safetensors': 'x' } })
    expect((await as().get('/v2/alice/none/manifests/latest')).body).toEqual({
      error: 'Repository is not GGUF or is not compatible with llama.cpp',
    })
  })

  test('names the files for llama.cpp, and has the types of Docker for Docker', async () => {
    const forLlama = await manifest('Q8_0', 'llama-cpp/b7000')
    expect(forLlama.headers['content-type']).toMatch(/^application\/json/)
    expect(forLlama.body).toMatchObject({
      ggufFile: { rfilename: 'x-Q8_0.gguf', size: small.length },
      mmprojFile: { rfilename: 'mmproj-F16.gguf' },
    })
    expect((await manifest('Q8_0')).body).not.toHaveProperty('ggufFile')
    const { body } = await manifest('Q8_0', 'docker-model-cli')
    expect(body.mediaType).toBe('application/vnd.oci.image.manifest.v1+json')
    expect(body.layers.map(({ mediaType }) => mediaType)).toEqual([
      'application/vnd.docker.ai.gguf.v3',
      'application/vnd.docker.ai.mmproj',
    ])
    expect((await blob(body.config.digest)).status).toBe(200)
    expect((await as().get('/v2/')).status).toBe(200)
  })
})

describe('a blob', () => {
  test('has its length for HEAD, ranges, and a place for Ollama', async () => {
    const digest = sha256(large)
    const path = `${registry}/blobs/${digest}`
    const head = await as().head(path)
    expect(head.headers).toMatchObject({
      'content-length': `${large.length}`,
      'accept-ranges': 'bytes',
      'docker-content-digest': digest,
      location: expect.stringMatching(/^http:\/\/[^/]+\/v2\/alice\/weights\/blobs\/sha256:/),
    })
    const part = await blob(digest, { range: 'bytes=0-3' })
    expect([part.status, part.bytes.toString()]).toEqual([206, 'GGUF'])
    const text = await blob(sha256('{{ .Prompt }}'), { range: 'bytes=3-9' })
    expect(text.bytes.toString()).toBe('.Prompt')
    expect((await blob(sha256('none'))).status).toBe(404)
    expect((await blob('x')).status).toBe(404)
  })

  test('and its manifest are behind the gate, hidden with the repo, and follow its name', async () => {
    await alice.put('/api/models/alice/weights/settings', { gated: 'manual' })
    const carol = as('carol')
    const paths = [`${registry}/manifests/latest`, `${registry}/blobs/${sha256(large)}`]
    const statuses = async () =>
      Promise.all(paths.map(async (path) => (await carol.get(path)).status))
    expect(await statuses()).toEqual([403, 403])
    await alice.put('/api/models/alice/weights/settings', { gated: false, private: true })
    expect(await statuses()).toEqual([404, 404])
    const repo = world.state.repos.find('name', 'model/alice/weights')!
    moveRepo(world.deps, { repo, toName: 'alice/heavy' })
    const moved = await alice.get(paths[0] ?? '')
    expect([moved.status, moved.headers['location']]).toEqual([
      307,
      '/v2/alice/heavy/manifests/latest',
    ])
  })
})
