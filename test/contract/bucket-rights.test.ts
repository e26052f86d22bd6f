import { afterEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'

let sandbox: Sandbox
afterEach(() => sandbox.close())

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

const ask = (path: string, token: string, init: RequestInit = {}) =>
  fetch(sandbox.url + path, {
    redirect: 'manual',
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      ...(init.body !== undefined && { 'content-type': 'application/x-ndjson' }),
    },
  })
const statusOf = async (path: string, token: string, init?: RequestInit) =>
  (await ask(path, token, init)).status
const remove = {
  method: 'POST',
  body: JSON.stringify({ type: 'deleteFile', path: 'a.txt' }),
}

test('a fine-grained token for one bucket opens that bucket, and is named by whoami', async () => {
  sandbox = await startSandbox({ fixtures })
  const token = 'hf_sandbox_one_bucket'
  const { _id: bucketId, ...bucket } = (await (
    await ask('/api/buckets/acme/results', token)
  ).json()) as { _id: string }
  expect(bucket).toMatchObject({
    id: 'acme/results',
    private: true,
    region: 'eu',
    size: 5,
    totalFiles: 1,
    resourceGroup: { name: 'inner' },
  })
  const whoami = (await (await ask('/api/whoami-v2', token)).json()) as {
    auth: { accessToken: object }
  }
  expect(whoami.auth.accessToken).toMatchObject({
    role: 'fineGrained',
    fineGrained: {
      scoped: [
        {
          entity: {
            _id: bucketId,
            type: 'bucket',
            name: 'acme/results',
          },
          permissions: ['repo.content.read', 'repo.write'],
        },
      ],
    },
  })
  for (const path of ['/tree', '/xet-read-token', '/xet-write-token']) {
    expect(await statusOf(`/api/buckets/acme/results${path}`, token)).toBe(200)
    expect(await statusOf(`/api/buckets/acme/other${path}`, token)).toBe(404)
  }
  expect(await statusOf('/buckets/acme/results/resolve/a.txt', token)).toBe(302)
  expect(await statusOf('/api/models/acme/results', token)).toBe(404)
  expect(await statusOf('/api/buckets/acme/results', 'hf_sandbox_dave')).toBe(404)
  expect(await statusOf('/api/buckets/acme/results/batch', token, remove)).toBe(200)
  expect(await statusOf('/api/buckets/acme/other/batch', token, remove)).toBe(404)
})

test('a bucket of the fixtures is downloaded, and watched by webhooks of those who see it', async () => {
  sandbox = await startSandbox({ fixtures })
  const token = 'hf_sandbox_alice'
  const file = await fetch(`${sandbox.url}/buckets/acme/results/resolve/a.txt`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await file.text()).toBe('hello')
  expect(await statusOf('/api/buckets/acme/results/batch', token, remove)).toBe(200)
  const { items } = await sandbox.control<{
    items: { webhookId: string; payload: object }[]
  }>('GET', 'deliveries')
  const { webhooks = [], ...exported } = await sandbox.control<FixturesFile>('GET', 'export')
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
  sandbox = await startSandbox({ fixtures })
  const send = async (path: string, body: unknown) => {
    const answer = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { slug: string }
  }
  const { slug } = await send('/api/collections', { title: 'Runs', namespace: 'acme' })
  await send(`/api/collections/${slug}/items`, {
    item: { type: 'bucket', id: 'acme/results' },
    note: 'The best',
  })
  const itemsFor = async (token: string) =>
    ((await (await ask(`/api/collections/${slug}`, token)).json()) as { items: object[] }).items
  expect(await itemsFor('hf_sandbox_alice')).toMatchObject([
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
  expect(await itemsFor('hf_sandbox_dave')).toEqual([])
  const found = await ask('/api/collections?item=buckets/acme/results', 'hf_sandbox_alice')
  expect(await found.json()).toMatchObject([{ slug }])
  await ask('/api/buckets/acme/results', 'hf_sandbox_alice', { method: 'DELETE' })
  expect(await itemsFor('hf_sandbox_alice')).toEqual([])
})
