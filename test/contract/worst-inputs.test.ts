import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { callerAt } from '../helpers/cast.ts'
import {
  alice,
  bodyOf,
  json,
  many,
  type MeasuredSandbox,
  ndjson,
  startMeasured,
  type WorstInput,
} from '../helpers/measure-pauses.ts'

// Each route that parses, matches, lists or renders gets the worst input of the size that it permits. The event loop must
// never be busy for more than 1.5 seconds in one piece, since every other client waits meanwhile; larger inputs are refused.
// What reads or makes a whole state that is as large as it can be may take 10 seconds: only the control API does.

const repo = '/api/models/acme/model'
const control = '/_sandbox/api'

const object = (value: unknown) => () => JSON.stringify(value)
const lines = (...values: (object | string)[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')
const header = { key: 'header', value: { summary: 'Worst' } }
const file = (path: string, content: string, encoding = 'utf-8') => ({
  key: 'file',
  value: { path, content, encoding },
})
const card = (yaml: string) => `---\n${yaml}\n---\n`
const deepPath = 'a/'.repeat(2000)
const benchmarks = `model-index:\n- results:\n${many(1500, (n) => `  - task: {type: sts}\n    dataset: {type: mteb/a, name: A}\n    metrics:\n    - type: accuracy\n      value: ${n}.79104477611939`).join('\n')}`

const commits = (
  name: string,
  body: () => string | Buffer,
  more: Partial<WorstInput> = {},
): WorstInput => ({
  name,
  path: `${repo}/commit/main?create_pr=1`,
  headers: ndjson,
  body,
  ...more,
})
const posts = (
  name: string,
  path: string,
  value: () => unknown,
  more: Partial<WorstInput> = {},
): WorstInput => ({
  name,
  path,
  headers: json,
  body: () => JSON.stringify(value()),
  ...more,
})

const rows: readonly WorstInput[] = [
  posts(
    'preupload: deep path, rule of many stars',
    `${repo}/preupload/main`,
    () => ({
      files: [{ path: `${deepPath}b`, size: 1 }],
      gitIgnore: `/${'**/a*'.repeat(800)}[b]`,
    }),
    { status: 400, error: /takes more than \d+ steps/ },
  ),
  posts(
    'preupload: 1,000 paths, 256 KiB of rules',
    `${repo}/preupload/main`,
    () => ({
      files: many(1000, (n) => ({ path: `dir/${n}/${'a'.repeat(60)}`, size: 1 })),
      gitIgnore: '*b*[c]\n'.repeat(37_000),
      gitAttributes: '*b*[c] filter=lfs\n'.repeat(14_000),
    }),
    { status: 400, error: /takes more than \d+ steps/ },
  ),
  posts('preupload: 1,000 usual paths', `${repo}/preupload/main`, () => ({
    files: many(1000, (n) => ({ path: `dir/deep/${n}/${'a'.repeat(60)}.bin`, size: 1 })),
    gitIgnore: many(300, (n) => `*.py[cod]${n}\n/build${n}/\n`).join(''),
  })),
  posts(
    'preupload: 8 MB of empty objects',
    `${repo}/preupload/main`,
    () => ({
      files: many(2_600_000, () => ({})),
    }),
    { status: 400, error: /more than 50000 values/ },
  ),

  commits(
    'commit: many strings in a line',
    () => lines(header, `{"key":"file","value":{"${'N'.repeat(200_000)}":${'"" '.repeat(200_000)}`),
    { status: 400, error: /outside its strings/ },
  ),
  commits('commit: a file of 10 MiB', () =>
    lines(header, file('large.txt', 'eHh4'.repeat(3_495_253), 'base64')),
  ),
  commits('commit: a line of 20 MiB', () =>
    lines(
      header,
      `{"key":"file","value":{"path":"a","content":"${'\\n'.repeat(10 * 1024 * 1024)}"}}`,
    ),
  ),
  commits('commit: a line without end', () => lines(header, `"${'x'.repeat(30_000_000)}`), {
    status: 400,
    error: /larger than 10 MiB/,
  }),
  commits('commit: 10,000 files', () =>
    lines(header, ...many(10_000, (n) => file(`many/${n % 100}/${n}`, String(n)))),
  ),
  commits('commit: metadata of 256 KiB', () => lines(header, file('README.md', card(benchmarks)))),
  commits(
    'commit: metadata of 2 MB',
    () => lines(header, file('README.md', card(`a: [${'a,'.repeat(1_000_000)}]`))),
    { status: 400, error: /the limit is 1024 KiB/ },
  ),
  commits(
    'commit: 20 MB as one JSON object',
    () =>
      JSON.stringify({
        summary: 'x',
        files: [{ path: 'a', content: 'eHh4'.repeat(3_495_253), encoding: 'base64' }],
      }),
    { headers: json },
  ),

  posts('validate-yaml: 128 KiB of a list', '/api/validate-yaml', () => ({
    content: card(`a: [${'a,'.repeat(48_000)}]`),
  })),
  posts(
    'validate-yaml: 256 KiB of brackets',
    '/api/validate-yaml',
    () => ({ content: card(`a: [${'}'.repeat(140_000)}`) }),
    { status: 400 },
  ),
  posts(
    'validate-yaml: anchors without end',
    '/api/validate-yaml',
    () => ({ content: card('&a '.repeat(70_000)) }),
    { status: 400 },
  ),
  posts('validate-yaml: 256 KiB of benchmarks', '/api/validate-yaml', () => ({
    content: card(benchmarks),
  })),
  posts(
    'validate-yaml: 7 MB of lines',
    '/api/validate-yaml',
    () => ({ content: `---\n${'\n'.repeat(3_500_000)}` }),
    { status: 413 },
  ),
  posts('validate-yaml: 990 KB of a text', '/api/validate-yaml', () => ({
    content: card(`a: ${'b c '.repeat(247_000)}`),
  })),
  commits('commit: metadata of 1 MB', () =>
    lines(header, file('README.md', card(`a: |\n${'  b c\n'.repeat(170_000)}`))),
  ),

  posts('paths-info: 1,000 deep paths', `${repo}/paths-info/main`, () => ({
    paths: many(1000, (n) => `${deepPath}${n}`),
  })),
  {
    name: 'list of 40 repos with cards of 60 KiB',
    path: '/api/models?full=true&cardData=true&limit=1000',
    headers: alice,
  },
  { name: 'list of repos by tag', path: '/api/models?filter=none', headers: alice },
  { name: 'tags by type', path: '/api/models-tags-by-type', headers: alice },
  { name: 'tree of a large repo', path: `${repo}/tree/main?recursive=true`, headers: alice },
  { name: 'commits', path: `${repo}/commits/main`, headers: alice },

  {
    name: 'git: 44 KB of compressed wants',
    path: '/acme/model.git/git-upload-pack',
    headers: {
      ...alice,
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
    },
    body: () => gzipSync(`0032want ${'1'.repeat(40)}\n`.repeat(300_000) + '0000'),
    status: 413,
    error: /at most 4194304 bytes/,
  },
  {
    name: 'LFS batch: 1 MB',
    path: '/acme/model.git/info/lfs/objects/batch',
    headers: { ...alice, 'content-type': 'application/vnd.git-lfs+json' },
    body: object({
      operation: 'download',
      objects: many(1000, () => ({ oid: 'a'.repeat(64), size: 1 })),
    }),
  },

  {
    name: 'register: 64 KB of redirect URIs',
    path: '/oauth/register',
    headers: { 'content-type': 'application/json' },
    body: object({ redirect_uris: many(2000, (n) => `http://localhost:${n + 1024}/cb`) }),
    status: 201,
  },
  {
    name: 'token: 60 KB of parameters',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: () => 'a=&'.repeat(20_000),
    status: 400,
  },
  posts('webhooks: 500 watched', '/api/settings/webhooks', () => ({
    url: 'http://localhost:9/',
    watched: many(500, (n) => ({ type: 'user', name: `nobody-${n}` })),
    domains: ['repo'],
  })),
  posts(
    'webhooks: 24,000 watched',
    '/api/settings/webhooks',
    () => ({
      url: 'http://localhost:9/',
      watched: many(24_000, (n) => ({ type: 'user', name: `nobody-${n}` })),
      domains: ['repo'],
    }),
    { status: 400, error: /at most 500/ },
  ),
  posts('faults/preview: many stars', `${control}/faults/preview`, () => ({
    match: { route: '*a'.repeat(500) },
  })),
  posts(
    'faults: a long route',
    `${control}/faults/preview`,
    () => ({ match: { route: '*'.repeat(500_000) } }),
    { status: 400, error: /at most 1000/ },
  ),
  posts(
    'events: 49,000 overrides',
    `${control}/events`,
    () => ({
      event: 'repo.content',
      repo: 'acme/model',
      overrides: Object.fromEntries(many(49_000, (n) => [`a${n}`, 1])),
    }),
    { status: 400, error: /limit is 100/ },
  ),
  posts(
    'events: a deep override',
    `${control}/events`,
    () => ({
      event: 'repo.content',
      repo: 'acme/model',
      overrides: { [`a${'.a'.repeat(20_000)}`]: 1 },
    }),
    { status: 400, error: /limit is 500/ },
  ),
  {
    name: 'requests by text',
    path: `${control}/requests?text=${'a'.repeat(1000)}`,
    headers: alice,
  },
  {
    name: 'requests by route',
    path: `${control}/requests?route=${'*a'.repeat(500)}`,
    headers: alice,
  },
  { name: 'requests', path: `${control}/requests?limit=1000`, headers: alice },
  { name: 'requests.har', path: `${control}/requests.har`, headers: alice },
  posts('search', `${control}/search`, () => ({ q: 'a'.repeat(5000) })),
  { name: 'export', path: `${control}/export`, headers: alice, ofWholeState: true },
  {
    name: 'export with the log',
    path: `${control}/export?log=1`,
    headers: alice,
    ofWholeState: true,
  },
  posts('snapshot import: 2,000 repos', `${control}/snapshots`, () => ({ fixtures: largeFile() }), {
    status: 201,
  }),
  {
    name: 'snapshot as fixtures',
    path: `${control}/snapshots/snapshot-1`,
    headers: alice,
    ofWholeState: true,
  },
  {
    name: 'snapshot comparison',
    path: `${control}/snapshots/snapshot-1/comparison`,
    headers: alice,
    ofWholeState: true,
  },
  {
    name: 'reset comparison',
    path: `${control}/reset/comparison`,
    headers: alice,
    ofWholeState: true,
  },
  posts('fixtures/compare: 2,000 repos', `${control}/fixtures/compare`, () => ({
    fixtures: largeFile(),
  })),
  posts(
    'jobs: 7,000 variables',
    `${control}/jobs`,
    () => ({
      user: 'alice',
      dockerImage: 'python',
      environment: Object.fromEntries(many(7_000, (n) => [`V${n}`, 'x'.repeat(20)])),
    }),
    { status: 201 },
  ),
  { name: 'jobs', path: `${control}/jobs?limit=1000`, headers: alice },
  { name: 'jobs of the hub', path: '/api/jobs/alice?limit=1000', headers: alice },
  { name: 'log of a job', path: () => `${control}/jobs/${talkative}`, headers: alice },
  {
    name: 'log of a job by the hub',
    path: () => `/api/jobs/alice/${talkative}/logs`,
    headers: alice,
  },
  { name: 'webhooks', path: `${control}/webhooks?limit=1000`, headers: alice },
  { name: 'webhooks of the hub', path: '/api/settings/webhooks', headers: alice },
  { name: 'discussions of a repo', path: `${control}/repos/models/acme/model`, headers: alice },
  {
    name: 'a full discussion',
    path: `${control}/repos/model/acme/model/discussions/1`,
    headers: alice,
  },
  {
    name: 'a full discussion by the hub',
    path: '/api/models/acme/model/discussions/1?diff=1',
    headers: alice,
  },
  {
    name: 'a full discussion of short comments by the hub',
    path: '/api/models/acme/card-0/discussions/1',
    headers: alice,
  },
  posts('fork', `${control}/forks`, () => ({}), { status: 201 }),
  { name: 'forks', path: `${control}/forks`, headers: alice },
  posts(
    'snapshot import: a file of 8 MiB',
    `${control}/snapshots`,
    () => ({ fixtures: fileOf({ 'a.txt': '\n'.repeat(8 * 1024 * 1024 - 1000) }) }),
    { status: 201, ofWholeState: true },
  ),
  posts(
    'snapshot import: 50,000 files',
    `${control}/snapshots`,
    () => ({
      fixtures: fileOf(Object.fromEntries(many(50_000, (n) => [`folder-${n % 50}/${n}`, 'x']))),
    }),
    { status: 201, ofWholeState: true },
  ),
  posts(
    'snapshot import: 55,000 users',
    `${control}/snapshots`,
    () => ({ fixtures: { users: many(55_000, (n) => ({ username: `u${n}` })) } }),
    { status: 201, ofWholeState: true },
  ),
  posts(
    'snapshot import: 15,000 webhooks',
    `${control}/snapshots`,
    () => ({
      fixtures: {
        users: [{ username: 'alice' }],
        webhooks: many(15_000, (n) => ({
          owner: 'alice',
          name: `${n}`,
          url: 'http://localhost/',
          watched: [{ type: 'user', name: 'alice' }],
        })),
      },
    }),
    { status: 201, ofWholeState: true },
  ),
  posts(
    'fixtures/compare: 110,000 mistakes',
    `${control}/fixtures/compare`,
    () => ({ fixtures: { users: many(110_000, () => ({})) } }),
    { status: 400, ofWholeState: true, error: /109000 more mistakes/ },
  ),
  posts(
    'fixtures/compare: 5 million values',
    `${control}/fixtures/compare`,
    () => ({ fixtures: { users: many(5_000_000, () => 0) } }),
    { status: 400, error: /more than 120000 values/ },
  ),
  posts(
    'snapshot import: 40 MB',
    `${control}/snapshots`,
    () => ({ fixtures: 'x'.repeat(40_000_000) }),
    { status: 413, error: /larger than 16777216 bytes/ },
  ),
  posts(
    'discussion of 65,536 characters',
    `${control}/repos/model/acme/model/discussions`,
    () => ({ user: 'alice', title: 'Long', description: 'x'.repeat(65_536) }),
    { status: 201 },
  ),
  ...['repos', 'requests', 'facts', 'audit-log', 'deliveries', 'flows', 'tokens', 'overview'].map(
    (list) => ({
      name: `dashboard: ${list}`,
      path: `${control}/${list}${list === 'overview' ? '' : '?limit=1000'}`,
      headers: alice,
    }),
  ),
  { name: 'openapi.json', path: '/_sandbox/openapi.json', headers: alice },
]

let sandbox: MeasuredSandbox
/** Id of a job with the longest log. */
let talkative: string

/** Program of a job that prints more lines than are kept. */
const talk = `"${process.execPath}" -e "console.log('\\n'.repeat(5000))"`

function fileOf(files: Record<string, string>): FixturesFile {
  return {
    users: [{ username: 'alice' }],
    repos: [{ type: 'model', name: 'alice/model', files }],
  }
}

const create = <T>(path: string, value: object) =>
  bodyOf(callerAt(sandbox, 'hf_sandbox_alice').post<T>(path, value))

/** A file of many repos. */
function largeFile(): FixturesFile {
  return {
    users: [{ username: 'alice' }],
    repos: many(2000, (n) => ({
      type: 'model' as const,
      name: `alice/model-${n}`,
      files: { 'README.md': `# ${n}`, 'config.json': '{}' },
    })),
  }
}

/** As many entries as a discussion takes. */
const fullDiscussion = {
  title: 'Short',
  author: 'alice',
  comments: many(999, () => ({ author: 'alice', content: `[a](b) ${'*c* '.repeat(200)}` })),
}

function fixtures(): FixturesFile {
  const readme = card(`license: mit\ntags: [${many(8000, (n) => `t${n}`).join(',')}]`)
  const largeRepo = Object.fromEntries(many(3000, (n) => [`data/${n % 50}/${n}.txt`, `${n}`]))
  return {
    users: [{ username: 'alice', tokens: [{ token: 'hf_sandbox_alice' }] }],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
    repos: [
      { type: 'model', name: 'acme/model', files: largeRepo },
      ...many(40, (n) => ({
        type: 'model' as const,
        name: `acme/card-${n}`,
        files: { 'README.md': `${readme}${n}` },
        ...(n === 0 && { discussions: [fullDiscussion] }),
      })),
    ],
    config: {},
  }
}

beforeAll(async () => {
  sandbox = await startMeasured(fixtures(), { runJobs: { talk } })
  const job = { user: 'alice', dockerImage: 'talk' }
  talkative = (await create<{ id: string }>(`${control}/jobs`, job)).id
  for (let count = 0; count < 40; count++) {
    const environment = Object.fromEntries(many(20, (n) => [`V${n}`, '\n'.repeat(6000)]))
    await create(`${control}/jobs`, { user: 'alice', dockerImage: 'other', environment })
  }
  const watched = many(500, (n) => ({ type: 'user', name: `nobody-${n}` }))
  for (let count = 0; count < 150; count++) {
    await create('/api/settings/webhooks', { url: 'http://localhost:9/', watched })
  }
  const discussions = `${control}/repos/model/acme/model/discussions`
  const content = `x${'\n'.repeat(65_535)}`
  await create(discussions, { user: 'alice', title: 'Long', description: content })
  for (let count = 0; count < 100; count++) {
    await create(discussions, { user: 'alice', title: 'Long', description: content })
  }
  // Full: 8 Mi characters.
  for (let count = 1; count < 127; count++) {
    await create(`${discussions}/1/comments`, { user: 'alice', content })
  }
  // Requests that a page of a stranger leaves in the log: more than a new reader of the live feed gets.
  for (let count = 0; count < 510; count++) {
    const path = `/x.png${'?D=-'.repeat(3800)}`
    await (await fetch(sandbox.url + path, { headers: alice })).arrayBuffer()
  }
}, 120_000)

afterAll(() => sandbox.close())

test('live feed, replay of the log: no long pause', async () => {
  const { pauseMs, allowedMs } = await sandbox.measureTask('live feed', async () => {
    const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/_sandbox/live`)
    const [message] = (await once(socket, 'message')) as [Buffer]
    expect((JSON.parse(message.toString()) as { entries: unknown[] }).entries.length).toBe(500)
    socket.terminate()
  })
  expect(pauseMs).toBeLessThan(allowedMs)
})

test.each(rows)(
  '$name: no long pause',
  async (row) => {
    const { pauseMs, allowedMs } = await sandbox.measure(row)
    expect(pauseMs).toBeLessThan(allowedMs)
  },
  120_000,
)
