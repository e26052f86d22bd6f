import {
  cancelJob,
  checkRepoAccess,
  commit,
  countCommits,
  createBranch,
  createCollection,
  createRepo,
  createScheduledJob,
  deleteBranch,
  deleteCollection,
  deleteRepo,
  deleteScheduledJob,
  downloadFile,
  duplicateJob,
  getJob,
  listCollections,
  listCommits,
  listFiles,
  listJobs,
  listScheduledJobs,
  resumeScheduledJob,
  runJob,
  runScheduledJob,
  spaceInfo,
  streamJobLogs,
  suspendScheduledJob,
  uploadFile,
  whoAmI,
} from '@huggingface/hub'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'

// The whole area as far as @huggingface/hub has calls for it; without any, a step is done by fetch.

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const as = (user: string) => ({ hubUrl: sandbox.url, accessToken: `hf_sandbox_${user}` })
const repo = { type: 'model', name: 'alice/whole' } as const

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function post<T = unknown>(user: string, path: string, body?: object): Promise<T> {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer hf_sandbox_${user}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBeLessThan(400)
  return response.headers.get('content-type')?.startsWith('application/json') === true
    ? ((await response.json()) as T)
    : (undefined as T)
}

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { statusCode?: number }) => error.statusCode,
  )
const textOf = async (path: string, revision = 'main') =>
  (await downloadFile({ ...as('alice'), repo, path, revision }))?.text()

test('a reader proposes a commit, and its merge is on the branch', async () => {
  await createRepo({ ...as('alice'), repo })
  const change = { path: 'a.txt', content: new Blob(['one']) }
  const operations = [{ operation: 'addOrUpdate' as const, ...change }]
  const proposed = await commit({
    ...as('dave'),
    repo,
    operations,
    title: 'Add a.txt',
    isPullRequest: true,
  })
  expect(proposed?.pullRequestUrl).toBe(`${sandbox.url}/alice/whole/discussions/1`)
  expect(await statusOf(commit({ ...as('dave'), repo, operations, title: 'Directly' }))).toBe(403)
  await uploadFile({
    ...as('dave'),
    repo,
    file: { path: 'b.txt', content: new Blob(['two']) },
    branch: 'refs/pr/1',
  })
  expect([await textOf('b.txt', 'refs/pr/1'), await textOf('b.txt')]).toEqual(['two', undefined])

  const discussion = '/api/models/alice/whole/discussions/1'
  await post('alice', `${discussion}/comment`, { comment: 'Thank you' })
  await post('alice', `${discussion}/merge`, {})
  expect(await textOf('b.txt')).toBe('two')
  const files = await all(listFiles({ ...as('alice'), repo }))
  expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'a.txt', 'b.txt'])

  await createBranch({ ...as('alice'), repo, branch: 'next' })
  await deleteBranch({ ...as('alice'), repo, branch: 'next' })
  const commits = await all(listCommits({ ...as('alice'), repo }))
  expect(commits).toHaveLength(await countCommits({ ...as('alice'), repo, revision: 'main' }))
  expect(commits.map(({ title }) => title)).toContain('Add a.txt')
  await deleteRepo({ ...as('alice'), repo })
})

test('collections are created, listed for those who may see them, and deleted', async () => {
  const made = async (title: string, isPrivate: boolean) => {
    const collection = { title, namespace: 'alice', description: 'Of alice', private: isPrivate }
    return (await createCollection({ ...as('alice'), collection })).slug
  }
  const slugs = [await made('Open', false), await made('Hidden', true)]
  await post('alice', `/api/collections/${slugs[0]}/items`, {
    item: { type: 'dataset', id: 'acme/corpus' },
    note: 'Start here',
  })
  const titles = async (user: string) => {
    const found = await all(listCollections({ ...as(user), search: { owner: ['alice'] } }))
    return found.map(({ title }) => title).filter((title) => ['Open', 'Hidden'].includes(title))
  }
  expect((await titles('alice')).toSorted()).toEqual(['Hidden', 'Open'])
  expect(await titles('dave')).toEqual(['Open'])
  expect(await statusOf(deleteCollection({ ...as('dave'), slug: slugs[0]! }))).toBe(403)
  for (const slug of slugs) await deleteCollection({ ...as('alice'), slug })
  expect(await titles('alice')).toEqual([])
})

test('a gated repo opens to a user whose request was accepted', async () => {
  await createRepo({ ...as('alice'), repo, files: [{ path: 'a.txt', content: new Blob(['one']) }] })
  const settings = await fetch(`${sandbox.url}/api/models/alice/whole/settings`, {
    method: 'PUT',
    headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
    body: JSON.stringify({ gated: 'manual' }),
  })
  expect(settings.status).toBe(200)
  const read = () => downloadFile({ ...as('dave'), repo, path: 'a.txt' })
  // The repo itself stays visible.
  await checkRepoAccess({ ...as('dave'), repo })
  expect(await statusOf(read())).toBe(403)
  await post('dave', '/alice/whole/ask-access', {})
  await post('alice', '/api/models/alice/whole/user-access-request/handle', {
    user: 'dave',
    status: 'accepted',
  })
  expect(await (await read())?.text()).toBe('one')
  await post('dave', '/api/models/alice/whole/like')
  expect((await whoAmI(as('dave'))).name).toBe('dave')
})

test('jobs run, repeat and are scheduled', async () => {
  const namespace = 'alice'
  const spec = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' as const }
  const job = await runJob({ ...as('alice'), namespace, ...spec })
  const copy = await duplicateJob({ ...as('alice'), namespace, jobId: job.id })
  const listed = await listJobs({ ...as('alice'), namespace })
  expect(listed.map(({ id }) => id).toSorted()).toEqual([job.id, copy.id].toSorted())
  const lines = await all(streamJobLogs({ ...as('alice'), namespace, jobId: job.id }))
  expect(lines.length).toBeGreaterThan(0)
  await cancelJob({ ...as('alice'), namespace, jobId: copy.id }).catch(() => undefined)
  expect((await getJob({ ...as('alice'), namespace, jobId: job.id })).dockerImage).toBe(
    spec.dockerImage,
  )

  const scheduled = await createScheduledJob({
    ...as('alice'),
    namespace,
    jobSpec: spec,
    schedule: '0 9 * * 1',
  })
  const one = { ...as('alice'), namespace, jobId: scheduled.id }
  await suspendScheduledJob(one)
  const [suspended] = await listScheduledJobs({ ...as('alice'), namespace })
  expect(suspended).toMatchObject({ id: scheduled.id, suspend: true, schedule: '0 9 * * 1' })
  await resumeScheduledJob(one)
  await runScheduledJob(one)
  expect(await listJobs({ ...as('alice'), namespace })).toHaveLength(3)
  await deleteScheduledJob(one)
  expect(await listScheduledJobs({ ...as('alice'), namespace })).toEqual([])
})

test('a Space is created and described', async () => {
  await createRepo({ ...as('alice'), repo: 'spaces/alice/whole-space', sdk: 'docker' })
  const info = await spaceInfo({
    ...as('alice'),
    name: 'alice/whole-space',
    additionalFields: ['runtime', 'subdomain'],
  })
  expect(info).toMatchObject({ sdk: 'docker', subdomain: 'alice-whole-space' })
  expect(info.runtime?.stage).toMatch(/^(BUILDING|RUNNING)$/)
})
