import { createHash } from 'node:crypto'
import { commit, createRepo, deleteRepo, downloadFile, listFiles } from '@huggingface/hub'
import { beforeEach, describe, expect, test } from 'vitest'
import { callerAt, readPages } from '../helpers/cast.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'
import { commitFilesByClient, noise } from '../helpers/xet-files.ts'

/** Another one for each test: the JavaScript client keeps its Xet tokens by the name of the repo. */
let name = ''
let tests = 0
const theBucket = () => ({ type: 'bucket', name }) as const
const accessToken = 'hf_sandbox_alice'

const sandbox = sharedSandbox()
const alice = callerAt(sandbox, accessToken)
const bob = callerAt(sandbox, 'hf_sandbox_bob')
const nobody = callerAt(sandbox)
beforeEach(() => {
  tests += 1
  name = `alice/results-${tests}`
})

const read = async <T = unknown>(path: string, user = alice) => (await user.get<T>(path)).body
const make = (json: object = {}, of = name, user = alice) => user.post(`/api/buckets/${of}`, json)
const batch = (lines: readonly object[] | string, of = name, user = alice) => {
  const path = `/api/buckets/${of}/batch`
  return typeof lines === 'string'
    ? user.post<Outcome>(path, lines, { 'content-type': 'application/x-ndjson' })
    : user.postLines<Outcome>(path, lines)
}
/** Content of a file that anyone may read. */
const contentAt = async (path: string) =>
  (await fetch(`${sandbox.url}/buckets/${name}/resolve/${path}`)).text()

interface Outcome {
  error: string
  failed: { error: string }[]
}
interface Entry {
  type: 'file' | 'directory'
  path: string
  size?: number
  xetHash?: string
}
const tree = (query = '', of = name) => read<Entry[]>(`/api/buckets/${of}/tree${query}`)
const paths = async (query = '', of = name) => (await tree(query, of)).map(({ path }) => path)
const hashOf = async (path: string, of = name) =>
  (await tree('', of)).find((entry) => entry.path === path)?.xetHash ?? ''

const upload = (files: Record<string, Uint8Array | string>, of = name) =>
  commitFilesByClient(sandbox.url, { type: 'bucket', name: of }, files)

describe('the JavaScript client', () => {
  test('creates a bucket, uploads, lists, downloads, copies, deletes', async () => {
    const bucket = theBucket()
    const shared = { repo: bucket, accessToken, hubUrl: sandbox.url }
    const { repoUrl } = await createRepo(shared)
    expect(repoUrl).toBe(`${sandbox.url}/buckets/${name}`)
    const content = noise(700_000)
    await upload({ 'data/w.bin': content, 'a.txt': 'hello' })

    const found = await downloadFile({ ...shared, path: 'data/w.bin' })
    expect(found?.constructor.name).toBe('XetBlob')
    expect(Buffer.from((await found?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(content)).toBe(
      true,
    )
    expect(await downloadFile({ ...shared, path: 'none' })).toBeNull()

    const listed: string[] = []
    for await (const { type, path } of listFiles(shared)) listed.push(`${type} ${path}`)
    expect(listed).toEqual(['file a.txt', 'directory data'])

    await commit({
      ...shared,
      title: '',
      operations: [
        {
          operation: 'copy',
          path: 'copy.txt',
          sourceRepo: bucket,
          sourceXetHash: await hashOf('a.txt'),
        },
        { operation: 'delete', path: 'data/w.bin' },
      ],
    })
    expect(await paths()).toEqual(['a.txt', 'copy.txt'])
    await deleteRepo(shared)
    expect((await alice.get(`/api/buckets/${name}`)).status).toBe(404)
  })

  test('uploads again what was deleted', async () => {
    await make()
    const content = noise(300_000, 7)
    await upload({ 'a.bin': content })
    await batch([{ type: 'deleteFile', path: 'a.bin' }])
    await upload({ 'b.bin': content })
    const response = await fetch(`${sandbox.url}/buckets/${name}/resolve/b.bin`)
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  })
})

describe('a bucket', () => {
  test('is described with its size, and listed', async () => {
    expect((await make({ visibility: 'private', region: 'eu' })).body).toEqual({
      url: `${sandbox.url}/buckets/${name}`,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name,
    })
    await upload({ 'a.txt': 'hello', 'b.txt': 'hello' })
    const described = await read(`/api/buckets/${name}`)
    expect(described).toMatchObject({
      id: name,
      author: 'alice',
      private: true,
      size: 10,
      totalFiles: 2,
      region: 'eu',
      cdnRegions: [],
    })
    expect(described).not.toHaveProperty('_id')
    expect(await read('/api/buckets/me')).toEqual([described])
    expect(await read('/api/buckets/alice?search=RESU')).toEqual([described])
    expect(await read('/api/buckets/alice?search=none')).toEqual([])
    expect(await read('/api/buckets/alice', bob)).toEqual([])
    expect((await alice.get('/api/buckets/nobody')).status).toBe(404)
    expect((await nobody.get('/api/buckets/me')).status).toBe(401)
  })

  test('has a name once, ignoring case, and another repo may have it too', async () => {
    const { id } = (await make()).body as { id: string }
    const again = await make({}, name.replace('r', 'R'))
    const url = `${sandbox.url}/buckets/${name}`
    expect([again.status, again.body]).toEqual([
      409,
      { error: 'You already created this bucket', url, id },
    ])
    await createRepo({ repo: { type: 'model', name }, accessToken, hubUrl: sandbox.url })
    expect((await alice.get(`/api/buckets/${name.replace('r', 'R')}`)).headers['location']).toBe(
      `/api/buckets/${name}`,
    )
  })

  test.each([
    ['alice/a--b', 400],
    ['alice/.git', 400],
    [`alice/${'a'.repeat(97)}`, 400],
    ['bob/mine', 403],
    ['nobody/mine', 403],
    ['alice%2Fa/b', 403],
  ])('is not created as %s', async (of, status) => {
    expect((await make({}, of)).status).toBe(status)
  })

  test.each([
    { visibility: 'protected' },
    { region: 'mars' },
    { private: 'yes' },
    { resourceGroupId: 'none' },
  ])('is not created with %j', async (json) => {
    expect([400, 404]).toContain((await make(json)).status)
    expect(await read('/api/buckets/me')).toEqual([])
  })

  test('that is private is hidden from others, whatever they ask', async () => {
    await make({ private: true })
    await upload({ 'a.txt': 'hello' })
    const requests = [
      ['GET', `/api/buckets/${name}`],
      ['GET', `/api/buckets/${name}/tree`],
      ['GET', `/api/buckets/${name}/xet-read-token`],
      ['GET', `/api/buckets/${name}/xet-write-token`],
      ['GET', `/buckets/${name}/resolve/a.txt`],
      ['DELETE', `/api/buckets/${name}`],
    ] as const
    for (const [method, path] of requests) {
      const { status, headers } = await bob.send(method, path)
      expect([path, status, headers['x-error-code']]).toEqual([path, 404, 'RepoNotFound'])
      expect((await nobody.send(method, path)).status).toBe(401)
    }
    expect((await batch([{ type: 'deleteFile', path: 'a.txt' }], name, bob)).status).toBe(404)
    expect(await paths()).toEqual(['a.txt'])
  })

  test('that is public is read by all and changed by its owner alone', async () => {
    await make()
    await upload({ 'a.txt': 'hello' })
    expect((await nobody.get(`/api/buckets/${name}/tree`)).status).toBe(200)
    expect((await nobody.get(`/api/buckets/${name}/xet-read-token`)).status).toBe(200)
    const settings = `/api/buckets/${name}/settings`
    expect((await bob.put(settings, { private: true })).status).toBe(403)
    expect((await bob.get(`/api/buckets/${name}/xet-write-token`)).status).toBe(403)
    expect((await batch([{ type: 'deleteFile', path: 'a.txt' }], name, bob)).status).toBe(403)
    expect((await bob.delete(`/api/buckets/${name}`)).status).toBe(403)
  })

  test('keeps the regions of its content delivery network', async () => {
    const cdn = [{ provider: 'aws', region: 'eu' }]
    await make({ cdn })
    const path = `/api/buckets/${name}`
    expect(await read(path)).toMatchObject({ cdnRegions: cdn, private: false })
    const cdnRegions = [{ provider: 'gcp', region: 'us' }]
    const changed = await alice.put(`${path}/settings`, { cdnRegions })
    expect(changed.body).toEqual({ private: false, cdnRegions })
    expect(await read(path)).toMatchObject({ cdnRegions })
    const wrong = { cdnRegions: [{ provider: 'azure', region: 'us' }] }
    expect((await alice.put(`${path}/settings`, wrong)).status).toBe(400)
    const { repos } = await sandbox.export()
    expect(repos?.find((repo) => repo.name === name)).toMatchObject({ cdnRegions })
  })

  test('changes its visibility and moves, and its old name redirects', async () => {
    await make()
    const changed = await alice.put(`/api/buckets/${name}/settings`, { private: true })
    expect(changed.body).toEqual({ private: true, cdnRegions: [] })
    const json = { fromRepo: name, toRepo: 'acme/moved', type: 'bucket' }
    expect((await alice.post('/api/repos/move', json)).status).toBe(200)
    const old = await alice.get(`/api/buckets/${name}/tree/a%2Fb?recursive=true`)
    expect([old.status, old.headers['location']]).toEqual([
      307,
      '/api/buckets/acme/moved/tree/a%2Fb?recursive=true',
    ])
  })

  test('is no git repo', async () => {
    await make()
    expect((await alice.get(`/api/models/${name}`)).status).toBe(404)
    expect((await alice.get(`/api/buckets/${name}/commits/main`)).status).toBe(501)
    expect((await alice.get(`/buckets/${name}.git/info/refs?service=git-upload-pack`)).status).toBe(
      501,
    )
  })
})

describe('the tree of a bucket', () => {
  beforeEach(async () => {
    await make()
    await upload({
      'logs/a.txt': 'a',
      'logs/deep/b.txt': 'b',
      'logs.txt': 'c',
      'logs-old/d.txt': 'd',
    })
  })

  test.each([
    ['', ['logs-old/d.txt', 'logs.txt', 'logs/a.txt', 'logs/deep/b.txt']],
    ['?recursive=false', ['logs-old', 'logs.txt', 'logs']],
    ['/logs?recursive=false', ['logs-old', 'logs.txt', 'logs/a.txt', 'logs/deep']],
    ['/logs%2F?recursive=false', ['logs/a.txt', 'logs/deep']],
    ['/logs%2Fdeep', ['logs/deep/b.txt']],
    ['/none', []],
  ])('%s', async (query, expected) => {
    expect(await paths(query)).toEqual(expected)
  })

  test.each(['?limit=1', '?recursive=false&limit=1', '?recursive=false&limit=2'])(
    'has pages: %s',
    async (query) => {
      const whole = await paths(query.replace(/&?limit=\d/, ''))
      const pages = await readPages<Entry[]>(alice, `/api/buckets/${name}/tree${query}`)
      const seen = pages.flatMap(({ body }) => body.map(({ path }) => path))
      expect(seen).toEqual(whole)
    },
  )

  test('refuses a foreign cursor, and a limit beyond the page', async () => {
    expect((await alice.get(`/api/buckets/${name}/tree?cursor=%20`)).status).toBe(400)
    for (const cursor of ['MQ', 'IDE', 'bG9ncw']) {
      expect((await alice.get(`/api/buckets/${name}/tree?cursor=${cursor}`)).status).toBe(400)
    }
    expect((await alice.get(`/api/buckets/${name}/tree?limit=5000`)).status).toBe(200)
    expect((await alice.get(`/api/buckets/${name}/tree?limit=5001`)).status).toBe(400)
  })

  describe('in another order', () => {
    beforeEach(async () => {
      await sandbox.clock.advance('1s')
      await upload({ 'logs/deep/c.txt': 'e' })
      await sandbox.clock.advance('1s')
      await upload({ 'early.txt': 'f' })
    })

    test.each([
      [
        '?direction=desc',
        [
          'logs/deep/c.txt',
          'logs/deep/b.txt',
          'logs/a.txt',
          'logs.txt',
          'logs-old/d.txt',
          'early.txt',
        ],
      ],
      [
        '?sort=uploadedAt',
        [
          'early.txt',
          'logs/deep/c.txt',
          'logs/deep/b.txt',
          'logs/a.txt',
          'logs.txt',
          'logs-old/d.txt',
        ],
      ],
      [
        '?sort=uploadedAt&direction=asc',
        [
          'logs-old/d.txt',
          'logs.txt',
          'logs/a.txt',
          'logs/deep/b.txt',
          'logs/deep/c.txt',
          'early.txt',
        ],
      ],
      ['?sort=uploadedAt&recursive=false', ['early.txt', 'logs', 'logs.txt', 'logs-old']],
      ['/logs%2F?sort=uploadedAt&recursive=false', ['logs/deep', 'logs/a.txt']],
    ])('%s', async (query, expected) => {
      expect(await paths(query)).toEqual(expected)
      const separator = query.includes('?') ? '&' : '?'
      const pages = await readPages<Entry[]>(
        alice,
        `/api/buckets/${name}/tree${query}${separator}limit=2`,
      )
      expect(pages.flatMap(({ body }) => body.map(({ path }) => path))).toEqual(await paths(query))
    })

    test('is refused by time for a part of the paths', async () => {
      for (const query of ['/logs?sort=uploadedAt', '/lo?sort=uploadedAt&recursive=false']) {
        expect(await alice.get(`/api/buckets/${name}/tree${query}`)).toMatchObject({
          status: 400,
          body: { error: 'sort=uploadedAt is not supported for this prefix' },
        })
      }
      expect((await alice.get(`/api/buckets/${name}/tree?sort=size`)).status).toBe(400)
    })
  })

  test('looks up files by path, those that are there', async () => {
    const info = (json: object) => alice.post(`/api/buckets/${name}/paths-info`, json)
    const found = await info({ paths: ['logs.txt', 'logs', 'none', 'logs.txt'] })
    expect(found.body).toMatchObject([{ type: 'file', path: 'logs.txt', size: 1 }])
    expect((await info({ paths: 'logs.txt' })).body).toHaveLength(1)
    expect((await info({ paths: Array.from({ length: 2000 }, () => 'a') })).status).toBe(200)
    expect((await info({ paths: Array.from({ length: 2001 }, () => 'a') })).status).toBe(400)
    expect((await info({ paths: [1] })).status).toBe(400)
  })
})

describe('a batch', () => {
  beforeEach(async () => {
    await make()
    await upload({ 'a.txt': 'hello' })
  })
  test('applies what it can and names what it cannot', async () => {
    const xetHash = await hashOf('a.txt')
    const lines = [
      { type: 'addFile', path: 'b.txt', xetHash, mtime: 1_700_000_000_000, contentType: 'text/x' },
      { type: 'addFile', path: 'c.txt', xetHash: 'f'.repeat(64) },
      { type: 'deleteFile', path: 'none' },
      { type: 'copyFile', path: 'd', xetHash, sourceRepoType: 'kernel', sourceRepoId: name },
      { type: 'copyFile', path: 'd', xetHash, sourceRepoType: 'bucket', sourceRepoId: 'bob/none' },
    ]
    const answer = await batch(lines)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: false,
      processed: 5,
      succeeded: 1,
      failed: [
        { path: 'c.txt', error: expect.stringContaining('upload it') as string },
        { path: 'none', error: 'File not found in the bucket' },
        { path: 'd', error: expect.stringContaining('Unknown sourceRepoType') as string },
        { path: 'd', error: expect.stringContaining('Cannot copy from bucket bob/none') as string },
      ],
    })
    expect((await tree('/b.txt'))[0]).toMatchObject({
      xetHash,
      mtime: '2023-11-14T22:13:20.000Z',
      contentType: 'text/x',
    })
    expect(await batch(lines.slice(1))).toMatchObject({ status: 422, body: { succeeded: 0 } })
  })

  test('says in the header that clients show why nothing of it succeeded', async () => {
    const { status, headers } = await batch([{ type: 'deleteFile', path: 'nöne' }])
    expect([status, headers['x-error-message']]).toEqual([
      422,
      'n?ne: File not found in the bucket',
    ])
  })

  test('lets the last of two operations on a path win, in one event', async () => {
    const xetHash = await hashOf('a.txt')
    await batch([
      { type: 'deleteFile', path: 'a.txt' },
      { type: 'addFile', path: 'b.txt', xetHash },
      { type: 'addFile', path: 'b.txt', xetHash: '0'.repeat(64) },
      { type: 'addFile', path: 'a.txt', xetHash },
    ])
    expect((await tree()).map(({ path, size }) => [path, size])).toEqual([
      ['a.txt', 5],
      ['b.txt', 0],
    ])
    expect(await contentAt('b.txt')).toBe('')
  })

  test.each([
    '../a',
    '/a',
    'a/../b',
    'a//b',
    'a/',
    '',
    'a\\b',
    'a\u0000b',
    '.',
    '\ud800',
    'x'.repeat(4097),
  ])('refuses the path of case %#', async (path) => {
    const xetHash = await hashOf('a.txt')
    const { status, body } = await batch([{ type: 'addFile', path, xetHash }])
    expect([status, body.failed[0]?.error]).toEqual([422, expect.stringContaining('Invalid path')])
    expect(await paths()).toEqual(['a.txt'])
  })

  test('accepts names that only git forbids', async () => {
    const xetHash = await hashOf('a.txt')
    await batch([{ type: 'addFile', path: '.git/config', xetHash }])
    expect(await paths('/.git')).toEqual(['.git/config'])
  })

  test.each([
    ['', 'The batch has no operations'],
    ['\n \n', 'The batch has no operations'],
    ['{"type":"addFile"', 'Line 1 of the batch is invalid: it is not JSON'],
    ['\n[]', 'Line 2 of the batch is invalid: it is not a JSON object'],
    ['{"type":"__proto__","path":"a"}', 'unknown type'],
    ['{"type":"addFile","path":"a"}', 'xetHash must be a string'],
    ['{"type":"deleteFile","path":1}', 'path must be a string'],
    ['{"type":"addFile","path":"a","xetHash":"a","mtime":-1}', 'mtime must be'],
    ['{"type":"addFile","path":"a","xetHash":"a","mtime":1e300}', 'mtime must be'],
    ['{"type":"addFile","path":"a","xetHash":"a","contentType":"x\\r\\ny"}', 'contentType must be'],
    [`{"type":"deleteFile","path":"${'a'.repeat(70_000)}"}`, 'more than 65536 bytes'],
  ])('is refused as a whole, case %#', async (body, message) => {
    const refused = await batch(body)
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(message)])
  })

  test('refuses a body that is too large', async () => {
    expect((await batch(' '.repeat(16 * 1024 * 1024 + 1))).status).toBe(413)
  })

  test('copies from what the caller may read, and from nothing else', async () => {
    const secret = `acme/secret-${tests}`
    await make({ private: true }, secret)
    await upload({ 's.txt': 'secret' }, secret)
    const xetHash = await hashOf('s.txt', secret)
    const copy = [
      { type: 'copyFile', path: 's', xetHash, sourceRepoType: 'bucket', sourceRepoId: secret },
    ]
    expect((await batch(copy)).status).toBe(200)
    const dave = callerAt(sandbox, 'hf_sandbox_dave')
    await make({}, 'dave/own', dave)
    expect((await batch(copy, 'dave/own', dave)).status).toBe(422)
    // Knowing the hash of a content is no right to it.
    expect((await batch([{ type: 'addFile', path: 's', xetHash }], 'dave/own', dave)).status).toBe(
      422,
    )
  })

  test('duplicates files to a repo, for those who may read them', async () => {
    await make({ private: true })
    await upload({ 'a.bin': 'a' })
    const target = { type: 'model', name: `${name}-copy` }
    await alice.post('/api/repos/create', { name: target.name.split('/')[1], private: true })
    const sha256 = createHash('sha256').update('a').digest('hex')
    const xetHash = await hashOf('a.bin')
    const missing = { sha256: 'f'.repeat(64), xetHash: 'f'.repeat(64) }
    const copy = (files: object[], user = alice) =>
      user.post(`/api/buckets/${name}/lfs-files/duplicate`, { target, files })
    expect((await copy([{ sha256, xetHash }], bob)).status).toBe(404)
    const answer = await copy([{ sha256, xetHash }, missing])
    expect([answer.status, answer.body]).toMatchObject([
      207,
      { success: false, processed: 2, succeeded: 1, failed: [missing] },
    ])
    expect(await read(`/api/models/${target.name}/lfs-files`)).toMatchObject([{ oid: sha256 }])
  })

  test('keeps a content while a path has it', async () => {
    const xetHash = await hashOf('a.txt')
    await batch([{ type: 'addFile', path: 'b.txt', xetHash }])
    await batch([{ type: 'deleteFile', path: 'a.txt' }])
    expect(await contentAt('b.txt')).toBe('hello')
    await batch([{ type: 'deleteFile', path: 'b.txt' }])
    expect((await batch([{ type: 'addFile', path: 'a.txt', xetHash }])).status).toBe(422)
  })
})

describe('a download', () => {
  beforeEach(async () => {
    await make({ private: true })
    await upload({ 'data/é 1.html': '<b>hello</b>' })
  })
  const path = () => `/buckets/${name}/resolve/data/${encodeURIComponent('é 1.html')}`

  test('redirects to a signed URL with the headers of Xet', async () => {
    const { status, headers } = await alice.get(path())
    const xetHash = await hashOf('data/é 1.html')
    expect(status).toBe(302)
    expect(headers['x-xet-hash']).toBe(xetHash)
    expect(headers['x-linked-size']).toBe('12')
    expect(headers['etag'] ?? headers['x-linked-etag']).toBe(`"${xetHash}"`)
    expect(headers['link']).toContain(
      `<${sandbox.url}/api/buckets/${name}/xet-read-token>; rel="xet-auth"`,
    )
    const location = String(headers['location'])
    const content = await fetch(location)
    expect(await content.text()).toBe('<b>hello</b>')
    expect(content.headers.get('content-security-policy')).toContain('sandbox')
    const part = await fetch(location, { headers: { range: 'bytes=3-7' } })
    expect([part.status, await part.text()]).toEqual([206, 'hello'])
    const forged = location.replace(/secret=[^&]*/, 'secret=x')
    expect((await fetch(forged)).status).toBe(403)
  })

  test('tells of a missing file', async () => {
    const { status, headers } = await alice.get(`/buckets/${name}/resolve/none`)
    expect([status, headers['x-error-code']]).toEqual([404, 'EntryNotFound'])
    expect((await alice.get(`/buckets/${name}/resolve/%2E%2E%2Fa`)).status).toBe(404)
  })

  test('needs no new content when the client has it', async () => {
    const etag = `"${await hashOf('data/é 1.html')}"`
    expect((await alice.get(path(), undefined, { 'if-none-match': etag })).status).toBe(304)
  })
})

describe('a Xet token of a bucket', () => {
  test('opens that bucket alone, and writes only with the right', async () => {
    await make({ private: true })
    await make({ private: true }, 'alice/other')
    await upload({ 'a.txt': 'hello' })
    const xetHash = await hashOf('a.txt')
    const tokenOf = (path: string) => read<{ casUrl: string; accessToken: string }>(path)
    const own = await tokenOf(`/api/buckets/${name}/xet-read-token`)
    const other = await tokenOf('/api/buckets/alice/other/xet-read-token')
    const storage = ({ casUrl: url, accessToken: token }: typeof own) => callerAt({ url }, token)
    const rebuild = (token: typeof own) => storage(token).get(`/v2/reconstructions/${xetHash}`)
    expect((await rebuild(own)).status).toBe(200)
    expect((await rebuild(other)).status).toBe(404)
    expect((await storage(own).post('/v1/shards', 'x')).status).toBe(403)
  })
})

describe('an event that is triggered', () => {
  const trigger = (event: object) =>
    nobody.post<{ message?: string }>('/_sandbox/api/events', event)

  test.each(['repo.content', 'repo.config', 'repo.move', 'repo.delete'])(
    '%s happens to a bucket',
    async (event) => {
      await make()
      expect(await trigger({ event, repo: `buckets/${name}` })).toMatchObject({ status: 202 })
      if (event !== 'repo.content') return
      expect(await paths()).toEqual(['activity.txt'])
      expect(await contentAt('activity.txt')).toMatch(/^Changed at /)
    },
  )

  test('creates a bucket, and previews without a change', async () => {
    const request = { event: 'repo.create', repo: `buckets/${name}` }
    expect(await trigger({ ...request, preview: true })).toMatchObject({ status: 202 })
    expect((await alice.get(`/api/buckets/${name}`)).status).toBe(404)
    await trigger(request)
    await trigger({ event: 'repo.content', repo: name, preview: true })
    expect(await paths()).toEqual([])
  })

  test.each(['discussion.create', 'repo.content.update'])(
    '%s is refused with git',
    async (event) => {
      await make()
      const kind = event === 'discussion.create' ? {} : { kind: 'push' }
      const { status, body } = await trigger({ event, ...kind, repo: name })
      expect([status, body.message]).toEqual([400, expect.stringMatching(/bucket|no kind push/)])
    },
  )
})

describe('the control API', () => {
  test('creates, shows, changes and deletes a bucket', async () => {
    const files = { 'a.txt': 'hello', 'big.txt': 'x'.repeat(200_000) }
    const made = await nobody.post('/_sandbox/api/repos', { type: 'bucket', name, files })
    expect(made.body).toMatchObject({
      type: 'bucket',
      storage: { files: 2, bytes: 200_005 },
      files: [{ path: 'a.txt' }, { path: 'big.txt', size: 200_000 }],
      branches: [],
    })
    const shared = { repo: theBucket(), accessToken, hubUrl: sandbox.url }
    const big = await downloadFile({ ...shared, path: 'big.txt' })
    expect(await big?.text()).toBe(files['big.txt'])
    await nobody.patch(`/_sandbox/api/repos/buckets/${name}`, {
      files: { 'a.txt': 'again' },
      private: true,
    })
    expect(await (await downloadFile({ ...shared, path: 'a.txt' }))?.text()).toBe('again')
    expect(
      (await nobody.patch(`/_sandbox/api/repos/buckets/${name}`, { gated: 'auto' })).status,
    ).toBe(400)
    expect((await nobody.delete(`/_sandbox/api/repos/buckets/${name}`)).status).toBe(200)
    expect(await read('/api/buckets/me')).toEqual([])
  })

  test('creates nothing with an invalid path', async () => {
    const refused = await nobody.post('/_sandbox/api/repos', {
      type: 'bucket',
      name,
      files: { '../a': '' },
    })
    expect(refused.status).toBe(422)
    expect(await read('/api/buckets/me')).toEqual([])
  })
})

describe('webhooks', () => {
  test('a change of files names the files, and no refs', async () => {
    await make()
    await upload({ 'old.txt': 'old' })
    const xetHash = await hashOf('old.txt')
    const watched = [{ type: 'bucket', name }]
    const webhook = { owner: 'alice', url: 'http://localhost:1/hook', watched }
    const made = await nobody.post('/_sandbox/api/webhooks', webhook)
    expect(made.status).toBe(201)
    await batch([
      { type: 'addFile', path: 'new.txt', xetHash },
      { type: 'deleteFile', path: 'old.txt' },
    ])
    await alice.put(`/api/buckets/${name}/settings`, { private: true })
    await alice.delete(`/api/buckets/${name}`)
    const { items } = await read<{ items: { payload: Record<string, unknown> }[] }>(
      '/_sandbox/api/deliveries',
      nobody,
    )
    const payloads = items.map(({ payload }) => payload).toReversed()
    expect(payloads).toMatchObject([
      {
        event: { action: 'update', scope: 'repo.content' },
        repo: {
          type: 'bucket',
          name,
          url: {
            web: `${sandbox.url}/buckets/${name}`,
            api: `${sandbox.url}/api/buckets/${name}`,
          },
        },
        updatedFiles: [
          { path: 'new.txt', action: 'add', xetHash, size: 3 },
          { path: 'old.txt', action: 'delete' },
        ],
      },
      { event: { action: 'update', scope: 'repo.config' }, updatedConfig: { private: true } },
      { event: { action: 'delete', scope: 'repo' } },
    ])
    const [content] = payloads
    expect(content).not.toHaveProperty('updatedRefs')
    expect(content).not.toHaveProperty('updatedFilesTruncated')
    expect(content?.['repo']).not.toHaveProperty('headSha')
  })
})
