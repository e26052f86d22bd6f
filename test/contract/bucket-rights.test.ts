import { expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { type Caller, callerAt } from '../helpers/cast.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'

const fixtures: FixturesFile = {
  users: [
    {
      username: 'alice',
      tokens: [
        { token: 'hf_sandbox_alice' },
        {
          token: 'hf_sandbox_one_bucket',
          role: 'fineGrained',
          fineGrained: {
            scoped: [
              {
                entity: { type: 'bucket', name: 'acme/results' },
                permissions: ['repo.content.read', 'repo.write'],
              },
            ],
          },
        },
      ],
    },
    { username: 'dave', tokens: [{ token: 'hf_sandbox_dave' }] },
  ],
  organizations: [
    {
      name: 'acme',
      members: [{ user: 'alice', role: 'admin' }],
      resourceGroups: [{ name: 'inner', members: [{ user: 'alice', role: 'admin' }] }],
    },
  ],
  repos: [
    {
      type: 'bucket',
      name: 'acme/results',
      private: true,
      resourceGroup: 'inner',
      region: 'eu',
      files: { 'a.txt': 'hello' },
    },
    { type: 'bucket', name: 'acme/other', private: true, files: { 'a.txt': 'other' } },
    { type: 'model', name: 'acme/results', private: true },
  ],
  webhooks: [
    {
      name: 'of the bucket',
      owner: 'alice',
      url: 'http://localhost:9/bucket',
      watched: [{ type: 'bucket', name: 'acme/results' }],
    },
    {
      name: 'of the organization',
      owner: 'alice',
      url: 'http://localhost:9/org',
      watched: [{ type: 'org', name: 'acme' }],
    },
    {
      name: 'of another',
      owner: 'dave',
      url: 'http://localhost:9/dave',
      watched: [{ type: 'bucket', name: 'acme/results' }],
    },
  ],
}

const sandbox = sharedSandbox({ fixtures })
const alice = callerAt(sandbox, 'hf_sandbox_alice')
const dave = callerAt(sandbox, 'hf_sandbox_dave')

const remove = async (bucket: string, user = alice) => {
  const lines = [{ type: 'deleteFile', path: 'a.txt' }]
  return (await user.postLines(`/api/buckets/${bucket}/batch`, lines)).status
}

test('a fine-grained token for one bucket opens that bucket, and is named by whoami', async () => {
  const bearer = callerAt(sandbox, 'hf_sandbox_one_bucket')
  const statusOf = async (path: string, user = bearer) => (await user.get(path)).status
  const bucket = (await bearer.get('/api/buckets/acme/results')).body
  expect(bucket).toMatchObject({
    id: 'acme/results',
    private: true,
    region: 'eu',
    size: 5,
    totalFiles: 1,
    resourceGroup: { name: 'inner' },
  })
  const whoami = await bearer.get<{ auth: { accessToken: object } }>('/api/whoami-v2')
  expect(whoami.body.auth.accessToken).toMatchObject({
    role: 'fineGrained',
    fineGrained: {
      scoped: [
        {
          entity: {
            _id: expect.stringMatching(/^[0-9a-f]{24}$/),
            type: 'bucket',
            name: 'acme/results',
          },
          permissions: ['repo.content.read', 'repo.write'],
        },
      ],
    },
  })
  for (const path of ['/tree', '/xet-read-token', '/xet-write-token']) {
    expect(await statusOf(`/api/buckets/acme/results${path}`)).toBe(200)
    expect(await statusOf(`/api/buckets/acme/other${path}`)).toBe(404)
  }
  expect(await statusOf('/buckets/acme/results/resolve/a.txt')).toBe(302)
  expect(await statusOf('/api/models/acme/results')).toBe(404)
  expect(await statusOf('/api/buckets/acme/results', dave)).toBe(404)
  expect(await remove('acme/results', bearer)).toBe(200)
  expect(await remove('acme/other', bearer)).toBe(404)
})

test('a bucket of the fixtures is downloaded, and watched by webhooks of those who see it', async () => {
  const file = await fetch(`${sandbox.url}/buckets/acme/results/resolve/a.txt`, {
    headers: { authorization: 'Bearer hf_sandbox_alice' },
  })
  expect(await file.text()).toBe('hello')
  expect(await remove('acme/results')).toBe(200)
  const items = await sandbox.deliveries()
  const { webhooks = [], ...exported } = await sandbox.export()
  const nameOf = (id: string) => webhooks.find((webhook) => webhook.id === id)?.name
  expect(new Set(items.map(({ webhookId }) => nameOf(webhookId)))).toEqual(
    new Set(['of the bucket', 'of the organization']),
  )
  expect(items).toHaveLength(2)
  expect(items[0]?.payload).toMatchObject({
    event: { scope: 'repo.content', action: 'update' },
    repo: { type: 'bucket', name: 'acme/results', private: true },
    updatedFiles: [{ path: 'a.txt', action: 'delete' }],
  })
  expect(webhooks.map(({ watched }) => watched)).toEqual(
    fixtures.webhooks?.map(({ watched }) => watched),
  )
  expect(exported.users?.[0]?.tokens?.[1]).toMatchObject(fixtures.users?.[0]?.tokens?.[1] ?? {})
})

test('a collection holds buckets, and shows a private one to those who see it', async () => {
  const collection = { title: 'Runs', namespace: 'acme' }
  const { slug } = (await alice.post<{ slug: string }>('/api/collections', collection)).body
  await alice.post(`/api/collections/${slug}/items`, {
    item: { type: 'bucket', id: 'acme/results' },
    note: 'The best',
  })
  const itemsFor = async (user: Caller) =>
    (await user.get<{ items: object[] }>(`/api/collections/${slug}`)).body.items
  expect(await itemsFor(alice)).toMatchObject([
    {
      type: 'bucket',
      id: 'acme/results',
      repoType: 'bucket',
      private: true,
      size: 5,
      totalFiles: 1,
      note: { text: 'The best' },
    },
  ])
  expect(await itemsFor(dave)).toEqual([])
  const found = await alice.get('/api/collections?owner=acme')
  expect(found.body).toMatchObject([{ slug }])
  // The Hub finds collections by their models, datasets, Spaces and papers alone.
  const byBucket = await alice.get('/api/collections?item=buckets/acme/results')
  expect(byBucket.status).toBe(400)
  await alice.delete('/api/buckets/acme/results')
  expect(await itemsFor(alice)).toEqual([])
})
