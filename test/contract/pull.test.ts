import { downloadFile, listFiles } from '@huggingface/hub'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { openPull, type Pull, type PullInput } from '../../server/fixtures/pull/open-pull.ts'
import { fetchBytes } from '../../server/web/outgoing/fetch-bytes.ts'
import { callerAt } from '../helpers/cast.ts'
import { serve } from '../helpers/json-receiver.ts'
import { sharedSandbox, startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const token = 'hf_sandbox_owner'
const binary = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256))
const odd = 'data/ü &?#%20 [x].txt'

const hubFixtures: FixturesFile = {
  users: [
    { username: 'owner', tokens: [{ token, role: 'write' }] },
    { username: 'solo', tokens: [{ token: 'hf_sandbox_solo', role: 'write' }] },
  ],
  organizations: [{ name: 'tiny', members: [{ user: 'owner', role: 'admin' }] }],
  repos: [
    {
      type: 'model',
      name: 'tiny/bert',
      likes: 7,
      downloads: 1234,
      createdAt: '2024-05-06T07:08:09.000Z',
      tags: ['v1'],
      files: {
        'README.md': '---\nlicense: mit\ntags: [tiny]\npipeline_tag: fill-mask\n---\n# bert\n',
        'config.json': '{"hidden_size": 4}\n',
        'model.safetensors': { base64: binary.toString('base64'), lfs: true },
        'vocab.txt': 'word\n'.repeat(500),
        'small.bin': { base64: '/wD+AA==', lfs: true },
        'notes.bin': { text: 'text in Git LFS\n', lfs: true },
        'logo.png': { base64: '/wD+AAEC' },
        'empty.txt': '',
        [odd]: 'odd\r\n\u0000\uFEFFpath',
        '__proto__/constructor': 'own\n',
      },
    },
    {
      type: 'dataset',
      name: 'tiny/corpus',
      description: 'Texts',
      files: {
        'README.md': '# corpus\n',
        'data/train.csv': 'a,b\n1,2\n',
        'data/test.csv': 'a,b\n',
      },
    },
    {
      type: 'space',
      name: 'solo/demo',
      sdk: 'docker',
      files: { 'README.md': '---\nsdk: docker\n---\n', Dockerfile: 'FROM scratch\n' },
    },
    { name: 'tiny/gated', gated: 'manual', files: { 'README.md': '# gated\n', 'a.txt': 'a' } },
    { name: 'tiny/secret', private: true, files: { 'README.md': '# secret\n' } },
  ],
}

const hub = sharedSandbox({ fixtures: hubFixtures })
const owner = () => callerAt(hub, token)

let cacheFolder: string
beforeEach(() => {
  cacheFolder = temporaryDirectory()
})

/** Opens a fixtures file, with waits that end at once. */
function open(input: Partial<PullInput> = {}) {
  const said: string[] = []
  const waits: number[] = []
  const opening = openPull(
    {
      fetch: fetchBytes,
      sleep: async (ms) => void waits.push(ms),
      now: () => Date.parse('2026-01-01T00:00:00Z'),
      say: (line) => void said.push(line),
    },
    { name: 'hub.json', text: undefined, schema: './s.json', hub: hub.url, cacheFolder, ...input },
  )
  const pull: Pull = {
    add: async (...given) => (await opening).add(...given),
    check: async (names) => (await opening).check(names),
    update: async (names) => (await opening).update(names),
    release: async (done) => (await opening).release(done),
  }
  /** Names of the files that were fetched. */
  const fetched = () =>
    said.flatMap((line) => /^ {2}(.*) \([^,]*\)$/.exec(line)?.[1] ?? []).toSorted()
  return { pull, said, waits, fetched }
}

/** Pulls into a new file, or one with this text. */
async function pulled(names: string[], text?: string, more: Partial<PullInput> = {}) {
  const { pull } = open({ text, ...more })
  const result = await pull.add(names, { maxFile: '1KB' })
  await pull.release(result)
  return result.text
}

const read = (text: string) => JSON.parse(text) as FixturesFile
const repoOf = (text: string, name: string) => read(text).repos?.find((one) => one.name === name)

/** Message of a pull that fails. */
const failure = (pulling: Promise<unknown>) =>
  pulling.then(
    () => 'succeeded',
    (error: Error) => error.message,
  )

type Repo = { type: 'model' | 'dataset' | 'space'; name: string }

/** Large files, whose contents differ, and a file that names them. */
const different = ['model.safetensors', 'vocab.txt', '.gitattributes']

/** Downloads all files of a repo; those whose contents differ have their length. */
async function filesOf(hubUrl: string, repo: Repo) {
  const files: { path: string; size: number; oid?: string | undefined; bytes: string | number }[] =
    []
  for await (const { path, size, type, oid } of listFiles({ repo, hubUrl, recursive: true })) {
    if (type !== 'file') continue
    const bytes = size === 0 ? Buffer.alloc(0) : await download(hubUrl, repo, path)
    const isSame = !(repo.name === 'tiny/bert' && different.includes(path))
    files.push(
      isSame
        ? { path, size, oid, bytes: bytes.toString('base64') }
        : { path, size: path === '.gitattributes' ? 0 : size, bytes: bytes.length - size },
    )
  }
  return files
}

async function download(hubUrl: string, repo: Repo, path: string): Promise<Buffer> {
  // The client does not encode such a path.
  const url = `${hubUrl}/${repo.name}/resolve/main/${path.split('/').map(encodeURIComponent).join('/')}`
  const blob =
    path === odd ? await (await fetch(url)).blob() : await downloadFile({ repo, hubUrl, path })
  return Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer())
}

describe('a pull', () => {
  test('makes a sandbox that has the same repos, offline', async () => {
    const text = await pulled(['tiny/bert', 'datasets/tiny/corpus', 'spaces/solo/demo'])
    const copy = await startTestSandbox({ fixtures: read(text) })
    const repos = [
      { type: 'model', name: 'tiny/bert' },
      { type: 'dataset', name: 'tiny/corpus' },
      { type: 'space', name: 'solo/demo' },
    ] as const
    for (const repo of repos) {
      expect(await filesOf(copy.url, repo)).toEqual(await filesOf(hub.url, repo))
      const path = `/api/${repo.type}s/${repo.name}`
      const [original, info] = await Promise.all(
        [hub, copy].map((one) => callerAt(one).get<Record<string, unknown>>(path)),
      )
      const seen = ['id', 'author', 'tags', 'cardData', 'likes', 'downloads', 'createdAt', 'gated']
      for (const key of [...seen, 'private', 'sdk', 'pipeline_tag', 'description'])
        expect([key, info?.body[key]]).toEqual([key, original?.body[key]])
    }
    const refs = await callerAt(copy).get<{ tags: unknown }>('/api/models/tiny/bert/refs')
    expect(refs.body.tags).toMatchObject([{ name: 'v1' }])
    expect((await callerAt(copy).get('/api/users/solo/overview')).status).toBe(200)
    expect((await callerAt(copy).get('/api/organizations/tiny/overview')).status).toBe(200)
  })

  test('says what it fetches, and names the accounts that it adds', async () => {
    const { pull, said } = open()
    const { added, repos } = await pull.add(['tiny/bert'], { maxFile: '1KB' })
    expect(added).toEqual({ users: [], organizations: ['tiny'] })
    expect(repos).toMatchObject([{ repo: 'tiny/bert', revision: 'main', files: 11, standIns: 2 }])
    expect(said[0]).toBe(`Reading tiny/bert at main from ${hub.url}`)
    expect(said[1]).toMatch(
      /^tiny\/bert is at [0-9a-f]{7}: 9 files to fetch \(1.6 KB\), 2 stand-ins \(5.5 KB\)$/,
    )
    expect(said).toContain('  config.json (19 bytes)')
    expect(said).toContain('  model.safetensors (3 KB, stand-in)')
  })

  test('writes the same file each time, whether it is new or not', async () => {
    const names = ['tiny/bert', 'datasets/tiny/corpus']
    const text = await pulled(names)
    expect(await pulled(names)).toBe(text)
    expect(await pulled(names, text)).toBe(text)
    expect(readdirSync(cacheFolder)).toEqual([])
  })

  test('takes the files that fit a pattern, and the README', async () => {
    const { pull } = open()
    const { text } = await pull.add(['datasets/tiny/corpus'], {
      patterns: ['data/tr*', './data/x'],
    })
    const { files = {}, pulled: lock } = repoOf(text, 'tiny/corpus') ?? {}
    expect(Object.keys(files)).toEqual(['README.md', 'data/train.csv'])
    expect(lock).toMatchObject({ patterns: ['data/tr*', './data/x'], maxFile: 1_000_000 })
  })

  test('takes a revision, which programs find by its name', async () => {
    const before = await owner().get<{ sha: string }>('/api/models/tiny/bert')
    await owner().post('/api/models/tiny/bert/branch/dev', {})
    await commit('models/tiny/bert', 'dev', { 'config.json': '{"dev": true}' })
    const text = (await open().pull.add(['tiny/bert'], { revision: 'dev' })).text
    expect(repoOf(text, 'tiny/bert')).toMatchObject({
      tags: ['dev'],
      files: { 'config.json': '{"dev": true}' },
    })
    const url = `${hub.url}/tiny/bert/tree/${before.body.sha}`
    const pinned = (await open().pull.add([url], {})).text
    expect(repoOf(pinned, 'tiny/bert')).toMatchObject({
      tags: [before.body.sha, 'v1'].toSorted(),
      pulled: { revision: before.body.sha, commit: before.body.sha },
    })
    const copy = await startTestSandbox({ fixtures: read(pinned) })
    const path = `/tiny/bert/resolve/${before.body.sha}/config.json`
    const contents = [hub, copy].map(async (one) => (await fetch(one.url + path)).text())
    expect(new Set(await Promise.all(contents)).size).toBe(1)
  })

  test('reads private and gated repos by a token that may', async () => {
    const { pull, said } = open({ token })
    const { text } = await pull.add(['tiny/secret', 'tiny/gated'], {})
    expect(said).toEqual(
      expect.arrayContaining([
        'tiny/secret is private: to read it in the sandbox, add a member to tiny.',
        'tiny/gated is gated: to read its files in the sandbox, add a member to tiny, or a user to its "access".',
      ]),
    )
    expect(read(text).repos).toMatchObject([{ private: true }, { gated: 'manual' }])
  })
})

/** Commits files on the Hub. */
async function commit(path: string, revision: string, files: Record<string, string | null>) {
  const lines = Object.entries(files).map(([file, content]) =>
    content === null
      ? { key: 'deletedFile', value: { path: file } }
      : { key: 'file', value: { path: file, content } },
  )
  const header = { key: 'header', value: { summary: 'Change' } }
  const response = await owner().postLines(`/api/${path}/commit/${revision}`, [header, ...lines])
  expect(response.status).toBe(200)
}

describe('a fixtures file that exists', () => {
  const mine = `{
  "users": [ { "username": "tiny" } ],
  "config": { "seed": 1 }, "repos": [
    { "name": "tiny/own",   "files": { "a.txt": "]}\\"{[" } }
  ]
}
`

  test('keeps all else as the user has formatted it', async () => {
    const text = await pulled(['tiny/bert'], mine)
    expect(text.startsWith(mine.slice(0, mine.indexOf('\n  ]\n')) + ',\n    {\n')).toBe(true)
    expect(read(text).users).toEqual([{ username: 'tiny' }])
    expect(read(text).organizations).toBeUndefined()
    expect(await pulled(['tiny/bert'], text)).toBe(text)
    await commit('models/tiny/bert', 'main', { 'config.json': '{}' })
    const { pull } = open({ text })
    const updated = (await pull.update([])).text
    expect(updated.startsWith(mine.slice(0, mine.indexOf('\n  ]\n')))).toBe(true)
    expect(repoOf(updated, 'tiny/bert')?.files?.['config.json']).toBe('{}')
  })

  test.each([
    '{}',
    '{ }\n',
    '{"repos":[]}',
    '\t{\n\t"repos": [\n\t]\n}',
    '{"users":[],"users":[]}',
  ])('may be %j', async (text) => {
    const result = await pulled(['datasets/tiny/corpus'], text)
    expect(read(result)).toMatchObject({
      organizations: [{ name: 'tiny' }],
      repos: [{ name: 'tiny/corpus' }],
    })
    expect(await pulled(['datasets/tiny/corpus'], result)).toBe(result)
  })

  test('may be YAML, and keeps its comments', async () => {
    const name = 'hub.yaml'
    const text = '# mine\nusers:\n  - username: bob # me\nconfig: { seed: 1 }\n'
    const result = await pulled(['tiny/bert'], text, { name })
    expect(result).toContain('# mine\nusers:\n  - username: bob # me\nconfig: { seed: 1 }\n')
    const json = read(await pulled(['tiny/bert']))
    expect(parse(result)).toMatchObject({ repos: json.repos, organizations: [{ name: 'tiny' }] })
    expect(await pulled(['tiny/bert'], result, { name })).toBe(result)
    expect(parse(await pulled(['tiny/bert'], '# empty\n', { name }))).toMatchObject({
      repos: json.repos,
    })
    expect(await pulled(['tiny/bert'], undefined, { name })).toMatch(/^# yaml-language-server/)
  })

  test('that is YAML refuses what a start could not read', async () => {
    const content = 'x'.repeat(3_000_000)
    const files = { 'a.txt': content, 'b.txt': `${content}b`, 'c.txt': `${content}c` }
    await commit('models/tiny/bert', 'main', files)
    const { pull } = open({ name: 'hub.yaml' })
    expect(await failure(pull.add(['tiny/bert'], { maxFile: '4MB' }))).toMatch(
      /^hub.yaml has no room for it \(it has \d+ KiB, and the limit is 8192 KiB. Write it as JSON\): name a JSON file with --out\.$/,
    )
  })

  test('refuses to replace a repo that was written by hand, before anything is fetched', async () => {
    const text = JSON.stringify({ users: [{ username: 'tiny' }], repos: [{ name: 'Tiny/Bert' }] })
    const { pull, said } = open({ text })
    await expect(pull.add(['tiny/bert'], {})).rejects.toThrow(
      'tiny/bert is already in hub.json and was not pulled: remove it there, or name another file with --out.',
    )
    expect(said).toEqual([])
  })

  test.each([
    ['hub.json', '{', /^hub.json is not valid JSON: /],
    ['hub.json', '{"repos": [{}]}', /^hub.json: 1 mistake\n {2}repos\[0\].name: is missing/],
    ['hub.yaml', 'a: [', /^hub.yaml is not usable YAML: /],
    ['hub.txt', '', /^--out must end in .json/],
  ])('that is invalid is refused: %s %s', async (name, text, message) => {
    expect(await failure(open({ name, text }).pull.check([]))).toMatch(message)
  })
})

describe('a pulled repo', () => {
  test('is unchanged until its Hub has another commit', async () => {
    const text = await pulled(['tiny/bert', 'datasets/tiny/corpus'])
    const before = await open({ text }).pull.check([])
    expect(before.map(({ repo, state }) => [repo, state])).toEqual([
      ['tiny/bert', 'unchanged'],
      ['datasets/tiny/corpus', 'unchanged'],
    ])
    await commit('models/tiny/bert', 'main', {
      'config.json': '{"hidden_size": 8}\n',
      'vocab.txt': null,
      'new.txt': 'new\n',
    })
    const changes = await open({ text }).pull.check(['tiny/bert'])
    expect(changes).toMatchObject([
      {
        state: 'changed',
        added: ['new.txt'],
        changed: ['config.json'],
        removed: ['vocab.txt'],
        settings: [],
        edited: [],
      },
    ])
    const { pull, fetched } = open({ text })
    const updated = await pull.update([])
    expect(fetched()).toEqual(['config.json', 'new.txt'])
    expect(updated.repos.map(({ repo }) => repo)).toEqual(['tiny/bert'])
    expect(await open({ text: updated.text }).pull.check([])).toMatchObject([
      { state: 'unchanged' },
      { state: 'unchanged' },
    ])
    expect(updated.text).toBe(await pulled(['tiny/bert'], text))
  })

  test('has changed when it is gated, and is gone when it is private', async () => {
    const text = await pulled(['tiny/bert', 'datasets/tiny/corpus'])
    await owner().put('/api/models/tiny/bert/settings', { gated: 'auto' })
    await owner().put('/api/datasets/tiny/corpus/settings', { private: true })
    expect(await open({ text }).pull.check([])).toMatchObject([
      { state: 'changed', settings: ['gated: false → auto'] },
      { state: 'gone' },
    ])
    await expect(open({ text }).pull.update([])).rejects.toThrow('cannot be read')
    // Its files are here, so nothing of it is fetched.
    const updated = (await open({ text }).pull.update(['tiny/bert'])).text
    expect(repoOf(updated, 'tiny/bert')?.gated).toBe('auto')
  })

  test('keeps what the user has added and edited', async () => {
    const file = read(await pulled(['tiny/bert']))
    const [repo] = file.repos ?? []
    const own = {
      discussions: [{ title: 'Mine', author: 'alice' }],
      likedBy: [{ user: 'alice' }],
      files: { ...repo?.files, 'config.json': '{"mine": 1}', 'mine.txt': 'mine', 'logo.png': '' },
    }
    const text = JSON.stringify({ ...file, repos: [{ ...repo, ...own }] })
    await commit('models/tiny/bert', 'main', { 'config.json': '{}', 'new.txt': '' })
    expect(await open({ text }).pull.check([])).toMatchObject([
      { edited: ['config.json', 'logo.png', 'mine.txt'].toSorted(), changed: ['config.json'] },
    ])
    const updated = await open({ text }).pull.update([])
    expect(updated.repos[0]?.edited.toSorted()).toEqual(['config.json', 'logo.png', 'mine.txt'])
    const result = repoOf(updated.text, 'tiny/bert')
    expect(result).toMatchObject({ ...own, files: { ...own.files, 'new.txt': '' } })
  })

  test('that was renamed keeps its place, under its new name', async () => {
    const text = await pulled(['tiny/bert', 'datasets/tiny/corpus'])
    await owner().post('/api/repos/move', {
      fromRepo: 'tiny/bert',
      toRepo: 'tiny/bert-2',
      type: 'model',
    })
    expect(await open({ text }).pull.check(['tiny/bert'])).toMatchObject([
      { settings: ['name: tiny/bert → tiny/bert-2'] },
    ])
    const updated = read((await open({ text }).pull.update([])).text)
    expect(updated.repos?.map(({ name }) => name)).toEqual(['tiny/bert-2', 'tiny/corpus'])
  })

  test('is named when it is none of the file', async () => {
    const text = await pulled(['tiny/bert'])
    await expect(open({ text }).pull.check(['tiny/other'])).rejects.toThrow(
      'tiny/other is not a pulled repo of hub.json, which has tiny/bert.',
    )
    await expect(open({ text: '{}' }).pull.check([])).rejects.toThrow('hub.json has no pulled repo')
  })
})

describe('a Hub that limits requests', () => {
  test('is not asked again before the time that it names', async () => {
    await hub.faults.add({
      match: { route: '/api/models/tiny/bert/tree/*' },
      times: 2,
      status: 429,
      headers: { 'retry-after': '7' },
    })
    const { pull, waits, said } = open()
    await pull.add(['tiny/bert'], {})
    expect(waits).toEqual([7000, 7000])
    expect(said).toContain(`${hub.url} asks to wait 7s: waiting.`)
  })

  test.each([
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:30 GMT' }, 90_000],
    [{ ratelimit: '"api";r=0;t=55' }, 55_000],
    [{ 'retry-after': '0' }, 1000],
    [{ ratelimit: '' }, 30_000],
  ] as const)('is waited for: %j', async (headers, wait) => {
    const match = { route: '/api/models/tiny/bert/refs' }
    await hub.faults.add({ match, times: 1, status: 429, headers })
    const { pull, waits } = open()
    await pull.add(['tiny/bert'], {})
    expect(waits).toEqual([wait])
  })

  test('is waited for when its window is used up, before it refuses', async () => {
    const match = { route: '/api/models/tiny/bert/refs' }
    await hub.faults.add({ match, times: 1, headers: { ratelimit: '"api";r=0;t=12' } })
    const { pull, waits } = open()
    await pull.add(['tiny/bert', 'datasets/tiny/corpus'], {})
    expect(waits).toEqual([12_000])
  })

  test('is given up after a few refusals, and at once for a wait of hours', async () => {
    const match = { route: '/api/*' }
    const rule = { match, status: 429, headers: { 'retry-after': '2' } }
    await hub.faults.add(rule)
    const { pull, waits } = open()
    expect(await failure(pull.add(['tiny/bert'], {}))).toMatch(
      /refused a request 6 times .*\(429\)/,
    )
    expect(waits).toHaveLength(5)
    await hub.reset()
    await hub.faults.add({ ...rule, headers: { 'retry-after': '7200' } })
    expect(await failure(open().pull.add(['tiny/bert'], {}))).toMatch(
      /asks to wait 2h before the next request: run the command again then/,
    )
  })
})

describe('a pull that broke off', () => {
  test('fetches only the rest when it is run again', async () => {
    await hub.faults.add({ match: { route: '/tiny/bert/resolve/*' }, skip: 5, status: 503 })
    const first = open()
    expect(await failure(first.pull.add(['tiny/bert'], {}))).toMatch(
      /could not be read \(status 503\)/,
    )
    const kept = readdirSync(cacheFolder).length
    expect(kept).toBe(5)
    await hub.faults.clear()
    const second = open()
    const result = await second.pull.add(['tiny/bert'], {})
    expect(second.fetched()).toHaveLength(11 - kept)
    await second.pull.release(result)
    expect(result.text).toBe((await open().pull.add(['tiny/bert'], {})).text)
  })

  test('ignores a content of the cache that is not whole', async () => {
    const { pull } = open({ cacheFolder: join(cacheFolder, 'torn') })
    await pull.add(['datasets/tiny/corpus'], {})
    for (const name of readdirSync(join(cacheFolder, 'torn'))) {
      const file = join(cacheFolder, 'torn', name)
      writeFileSync(file, readFileSync(file).subarray(1))
    }
    const again = open({ cacheFolder: join(cacheFolder, 'torn') })
    await again.pull.add(['datasets/tiny/corpus'], {})
    expect(again.fetched()).toHaveLength(4)
  })

  test('keeps nothing where no folder can be written, and says so once', async () => {
    const { pull, said } = open({ cacheFolder: '/dev/null/pull' })
    await pull.add(['datasets/tiny/corpus'], {})
    expect(said.filter((line) => line.startsWith('Nothing is kept for another run'))).toHaveLength(
      1,
    )
  })

  test('goes on after a connection that broke', async () => {
    await hub.faults.add({ match: { route: '/api/*' }, times: 2, break: 'reset' } as never)
    const { pull, waits } = open()
    await pull.add(['tiny/bert'], {})
    expect(waits).toEqual([2000, 4000])
  })
})

const sha = 'a'.repeat(40)
const info = { id: 'tiny/bert', sha, private: false }
/** Plays a Hub that responds as a test says. */
const playHub = (respond: (request: IncomingMessage, response: ServerResponse) => void) =>
  serve((request, response) => respond(request, response))
const json = (response: ServerResponse, value: unknown, headers = {}) =>
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value))

describe('one sentence says what is wrong', () => {
  test.each([
    ['tiny/none', /^tiny\/none cannot be read on http:\S+ \(status 401\): check its name, or, if/],
    ['tiny/secret', /^tiny\/secret cannot be read/],
    [
      'tiny/gated',
      /^tiny\/gated is gated on http:\S+: request access on its page, and pull with a --token/,
    ],
    ['bert', /^"bert" is not a repo: write org\/name for a model, datasets\/org\/name or/],
    ['datasets/tiny', /^"datasets\/tiny" is not a repo/],
    ['buckets/tiny/b', /^"buckets\/tiny\/b" is not a repo/],
    ['tiny/../x', /is not a repo/],
    [
      'https://huggingface.co/tiny/bert',
      /^https:\S+ is not on http:\S+, which is read: add --from https:/,
    ],
    ['https://', /is not a URL/],
  ])('about %s', async (name, message) => {
    expect(await failure(open().pull.add([name], {}))).toMatch(message)
  })

  test.each([
    [{ revision: 'gone' }, /^tiny\/bert on http:\S+ has not the revision gone: check the name/],
    [{ patterns: ['*.gguf'] }, /^No file of tiny\/bert fits --files \*.gguf/],
    [{ patterns: ['gone/*'] }, /has not the folder gone/],
    [{ maxFile: 'large' }, /^--max-file must be a size such as 500KB or 5MB, not large\.$/],
  ])('about the options %j', async (options, message) => {
    expect(await failure(open().pull.add(['tiny/bert'], options))).toMatch(message)
  })

  test('about a web page, and a response that is no JSON', async () => {
    const page = await playHub((_, response) => response.end('<!doctype html><h1>Hello</h1>'))
    expect(await failure(open({ hub: page }).pull.add(['tiny/bert'], {}))).toMatch(
      /^http:\S+ responds with a web page \(status 200\): check that --from or HF_ENDPOINT is the URL of a Hub\.$/,
    )
    const other = await playHub((_, response) => response.writeHead(404).end('Not found'))
    expect(await failure(open({ hub: other }).pull.add(['tiny/bert'], {}))).toMatch(
      /responds with no JSON \(status 404\)/,
    )
    const empty = await playHub((_, response) => json(response, {}))
    expect(await failure(open({ hub: empty }).pull.add(['tiny/bert'], {}))).toMatch(
      /does not describe a repo/,
    )
  })

  test('about a Hub that never responds, and one that is not there', async () => {
    const silent = await playHub(() => undefined)
    const { pull } = open({ hub: silent, deadlineMs: 300 })
    expect(await failure(pull.add(['tiny/bert'], {}))).toMatch(
      /^http:\S+ could not be read \(no response within 300ms\): check the network and HF_ENDPOINT or --from/,
    )
    expect(await failure(open({ hub: 'http://127.0.0.1:1' }).pull.add(['tiny/bert'], {}))).toMatch(
      /could not be read \(connect ECONNREFUSED/,
    )
  })

  test('about a repo with 200,000 files', async () => {
    const url = await playHub((request, response) => {
      if (!request.url?.includes('/tree/')) return json(response, info)
      const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 0)
      const entries = Array.from({ length: 1000 }, (_, index) => ({
        type: 'file',
        path: `data/${page}-${index}.txt`,
        size: 1,
        oid: sha,
      }))
      const next = `<http://${request.headers.host}${request.url.split('?')[0]}?page=${page + 1}>`
      return json(response, entries, { link: `${next}; rel="next"` })
    })
    expect(await failure(open({ hub: url }).pull.add(['tiny/bert'], {}))).toBe(
      "tiny/bert has more than 50000 files: select a folder of it with --files 'FOLDER/*'.",
    )
  })

  test('about more bytes than a fixtures file has room for, before it fetches them', async () => {
    const entries = ['a', 'b'].map((path) => ({ type: 'file', path, size: 40_000_000, oid: sha }))
    const url = await playHub((request, response) =>
      json(response, request.url?.includes('/tree/') ? entries : info),
    )
    const pulling = open({ hub: url }).pull.add(['tiny/bert'], { maxFile: '50MB' })
    expect(await failure(pulling)).toBe(
      'The small files of tiny/bert have 80 MB, and a fixtures file at most 67.1 MB: select fewer with --files, or a smaller --max-file.',
    )
  })

  test('about other bytes than the list of files says, and more of them', async () => {
    const entry = { type: 'file', path: 'a.txt', size: 3, oid: sha }
    for (const [body, message] of [
      ['abc', /sent other bytes for a.txt of tiny\/bert/],
      ['a'.repeat(100_000), /the response is larger than 65536 bytes/],
    ] as const) {
      const url = await playHub((request, response) =>
        request.url?.includes('/resolve/')
          ? response.end(body)
          : json(response, request.url?.includes('/tree/') ? [entry] : info),
      )
      expect(await failure(open({ hub: url }).pull.add(['tiny/bert'], {}))).toMatch(message)
    }
  })

  test('about a path that leads out of the repo', async () => {
    const entry = { type: 'file', path: '../../etc/passwd', size: 3, oid: sha }
    const url = await playHub((request, response) =>
      json(response, request.url?.includes('/tree/') ? [entry] : info),
    )
    expect(await failure(open({ hub: url }).pull.add(['tiny/bert'], {}))).toMatch(
      /has a file that fixtures cannot have/,
    )
  })
})

describe('a token', () => {
  /** Plays a Hub whose files are at another site, and notes which requests had a token. */
  async function playHubWithStorage(location?: (storage: string) => string) {
    const seen: { site: string; url: string; token: string | undefined }[] = []
    const note = (site: string, { url = '', headers }: IncomingMessage) =>
      void seen.push({ site, url, token: headers.authorization })
    const content = 'hello\n'
    const oid = 'ce013625030ba8dba906f756967f9e9ca394464a'
    const storage = await playHub((request, response) => {
      note('storage', request)
      response.end(content)
    })
    const url = await playHub((request, response) => {
      note('hub', request)
      if (request.url?.includes('/tree/'))
        return json(response, [{ type: 'file', path: 'a.txt', size: content.length, oid }])
      if (!request.url?.includes('/resolve/')) return json(response, info)
      const target = location?.(storage) ?? `${storage}/a?signature=1`
      return response.writeHead(302, { location: target }).end()
    })
    return { url, seen }
  }

  test('goes to the Hub alone, never to the site that it redirects to', async () => {
    const { url, seen } = await playHubWithStorage()
    await open({ hub: url, token }).pull.add(['tiny/bert'], {})
    expect(seen.filter(({ site }) => site === 'storage')).toMatchObject([{ token: undefined }])
    const ofHub = seen.filter(({ site }) => site === 'hub')
    expect(new Set(ofHub.map((one) => one.token))).toEqual(new Set([`Bearer ${token}`]))
  })

  test('is not sent unless it is given', async () => {
    const { url, seen } = await playHubWithStorage()
    await open({ hub: url }).pull.add(['tiny/bert'], {})
    expect(new Set(seen.map((one) => one.token))).toEqual(new Set([undefined]))
  })

  test('is not sent to a Hub that only the fixtures file names', async () => {
    const { url, seen } = await playHubWithStorage()
    const { text } = await open({ hub: url }).pull.add(['tiny/bert'], {})
    seen.length = 0
    await open({ text, token }).pull.check([])
    expect(seen.map((one) => one.token)).toEqual([undefined])
    await open({ text, token, hub: url }).pull.check([])
    expect(seen.at(-1)?.token).toBe(`Bearer ${token}`)
  })

  test.each([
    ['ftp://example.com/a', /redirects to ftp:\/\/example.com\/a, which is not followed/],
    ['http://', /is not followed/],
  ])('and a redirect to %s is not followed', async (location, message) => {
    const { url } = await playHubWithStorage(() => location)
    expect(await failure(open({ hub: url }).pull.add(['tiny/bert'], {}))).toMatch(message)
  })

  test('and a next page of another site is not read', async () => {
    const other = await playHub((_, response) => json(response, []))
    const url = await playHub((request, response) =>
      request.url?.includes('/tree/')
        ? json(response, [], { link: `<${other}/next>; rel="next"` })
        : json(response, info),
    )
    expect(await failure(open({ hub: url, token }).pull.add(['tiny/bert'], {}))).toMatch(
      /names a page at http:\S+, which is another site/,
    )
  })
})
