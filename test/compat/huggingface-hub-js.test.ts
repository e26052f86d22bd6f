import {
  checkRepoAccess,
  createRepo,
  datasetInfo,
  deleteRepo,
  listDatasets,
  listModels,
  listSpaces,
  modelInfo,
  repoExists,
  spaceInfo,
} from '@huggingface/hub'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'

let sandbox: Sandbox
let at: { hubUrl: string; accessToken: string }
let nobody: { hubUrl: string }
beforeAll(async () => {
  sandbox = await startSandbox()
  nobody = { hubUrl: sandbox.url }
  at = { ...nobody, accessToken: 'hf_sandbox_alice' }
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const tiny = { type: 'model', name: 'alice/tiny' } as const

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('@huggingface/hub', () => {
  test('makes a repo with files, reads it, and deletes it', async () => {
    const files = [{ path: 'config.json', content: new Blob(['{}']) }]
    const made = await createRepo({ ...at, repo: tiny, private: true, license: 'mit', files })
    expect(made).toEqual({
      repoUrl: `${sandbox.url}/alice/tiny`,
      id: expect.stringMatching(/^[\da-f]{24}$/),
    })
    const additionalFields = ['author', 'sha', 'tags', 'cardData', 'library_name'] as const
    const info = await modelInfo({
      ...at,
      name: 'Alice/Tiny',
      additionalFields: [...additionalFields],
    })
    expect(info).toMatchObject({
      id: made.id,
      name: 'alice/tiny',
      private: true,
      gated: false,
      author: 'alice',
      tags: ['license:mit', 'region:us'],
      updatedAt: expect.any(Date),
    })
    expect(await repoExists({ ...at, repo: tiny })).toBe(true)
    expect(await repoExists({ ...nobody, repo: tiny })).toBe(false)
    await deleteRepo({ ...at, repo: tiny })
    expect(await repoExists({ ...at, repo: tiny })).toBe(false)
    await expect(modelInfo({ ...at, name: 'alice/tiny' })).rejects.toMatchObject({
      statusCode: 404,
      message: expect.stringContaining('Repository not found'),
    })
  })

  test('is told why a repo is not made', async () => {
    await createRepo({ ...at, repo: 'alice/tiny' })
    await expect(createRepo({ ...at, repo: 'alice/tiny' })).rejects.toMatchObject({
      statusCode: 409,
      message: expect.stringContaining('You already created this model repo'),
    })
    await expect(createRepo({ ...at, repo: 'bob/tiny' })).rejects.toMatchObject({ statusCode: 403 })
  })

  test('makes and reads datasets and Spaces', async () => {
    await createRepo({ ...at, repo: 'datasets/acme/made' })
    await createRepo({ ...at, repo: 'spaces/acme/made', sdk: 'static' })
    expect(await datasetInfo({ ...at, name: 'acme/made' })).toMatchObject({ name: 'acme/made' })
    const space = await spaceInfo({
      ...at,
      name: 'acme/made',
      additionalFields: ['subdomain', 'runtime'],
    })
    expect(space).toMatchObject({
      sdk: 'static',
      subdomain: 'acme-made',
      runtime: { stage: 'RUNNING' },
    })
  })

  test('reads a repo under the name that it had before', async () => {
    const { id } = await createRepo({ ...at, repo: tiny })
    const moved = await fetch(`${sandbox.url}/api/repos/move`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${at.accessToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ fromRepo: 'alice/tiny', toRepo: 'acme/small', type: 'model' }),
    })
    expect(moved.status).toBe(200)
    expect(await modelInfo({ ...at, name: 'alice/tiny' })).toMatchObject({ id, name: 'acme/small' })
  })

  test('lists what one may see, page by page', async () => {
    const names = async (options: object) =>
      (await all(listModels({ ...at, ...options }))).map(({ name }) => name)
    const mine = await names({ search: { owner: 'alice' } })
    expect(mine.toSorted()).toEqual(['alice/draft-summarizer', 'alice/tiny-sentiment'])
    expect(await names({ search: { task: 'summarization' } })).toEqual(['alice/draft-summarizer'])
    expect(await names({ search: { tags: ['license:apache-2.0'], query: 'TINY' } })).toEqual([
      'alice/tiny-sentiment',
    ])
    expect(await names({ limit: 1, sort: 'likes' })).toHaveLength(1)
    const others = (await all(listModels(nobody))).map(({ name }) => name)
    expect(others).toContain('alice/tiny-sentiment')
    expect(others).not.toContain('alice/draft-summarizer')
    expect((await all(listDatasets({ ...at, search: { owner: 'acme' } }))).length).toBeGreaterThan(
      0,
    )
    const spaces = await all(listSpaces({ ...at, additionalFields: ['subdomain'] }))
    expect(spaces).toContainEqual(
      expect.objectContaining({ name: 'alice/sentiment-demo', sdk: 'gradio' }),
    )
  })

  test('asks whether it may see a repo', async () => {
    const repo = { type: 'model', name: 'alice/draft-summarizer' } as const
    await checkRepoAccess({ ...at, repo })
    const status = (statusCode: number) => ({ statusCode })
    await expect(checkRepoAccess({ ...nobody, repo })).rejects.toMatchObject(status(401))
    const asBob = { ...nobody, accessToken: 'hf_sandbox_bob' }
    await expect(checkRepoAccess({ ...asBob, repo })).rejects.toMatchObject(status(404))
  })
})
