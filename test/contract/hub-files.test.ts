import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { moveRefsAndTell } from '../../server/hub/commits/repo-refs.ts'
import { moveRepo } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { nextPage, outcomeOf, readPages, type Received } from '../helpers/cast.ts'
import { download } from '../helpers/download.ts'

const world = testApp()
let repo: Repo
beforeEach(() => {
  repo = world.makeRepo('acme/model')
})

const push = (title: string, files: Record<string, string | Uint8Array>) =>
  world.commit(repo, files, { title })

const numbered = (length: number, first = 0) =>
  Object.fromEntries(Array.from({ length }, (_, n) => [`f${n + first}`, `${n}`]))

const head = () => world.head(repo)

const get = <T>(url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
  world.as().send<T>(method, url, undefined, headers)
const api = (path: string) => `/api/models/acme/model/${path}`

const url = '/acme/model/resolve/main/b.txt'
const etag = '"b6862c638cdf872a1946aeff705f4b4d90f71f41"'
/** Expects 304 for each way to name the version that a client has, and another status for a different one. */
async function expectKnown(
  ask: (url: string, headers: object) => Promise<Received>,
  otherwise: number,
) {
  for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await ask(url, { 'if-none-match': value })
    expect([answer.status, answer.body]).toEqual([304, ''])
    expect(answer.headers).toMatchObject({ etag, 'x-repo-commit': head() })
  }
  expect((await ask(url, { 'if-none-match': '"x"' })).status).toBe(otherwise)
}

/** Cursor in the form of text-generation-webui. */
const cursorAfter = (file: unknown, limit = 50, commit?: string) => {
  const start = JSON.stringify({ file_name: file, commit_oid: commit })
  return Buffer.from(`${Buffer.from(start).toString('base64')}:${limit}`).toString('base64')
}

interface Entry {
  path: string
  type: string
  oid: string
  size: number
  lastCommit?: { id: string; title: string; date: string }
}

describe('tree', () => {
  test('a tree lists the root, a folder, or everything below', async () => {
    push('files', { 'b.txt': 'bytes', 'dir/c/d': 'dir/c/d' })
    const root = (await get<Entry[]>(api('tree/main'))).body
    expect(root).toEqual([
      { type: 'directory', oid: expect.stringMatching(/^[0-9a-f]{40}$/), size: 0, path: 'dir' },
      {
        type: 'file',
        oid: expect.stringMatching(/^[0-9a-f]{40}$/),
        size: expect.any(Number),
        path: '.gitattributes',
      },
      { type: 'file', oid: 'b6862c638cdf872a1946aeff705f4b4d90f71f41', size: 5, path: 'b.txt' },
    ])
    const paths = async (path: string) => (await get<Entry[]>(api(path))).body.map((e) => e.path)
    expect(await paths('tree/main/dir')).toEqual(['dir/c'])
    expect(await paths('tree/main/dir/')).toEqual(['dir/c'])
    expect(await paths('tree/main?recursive=true')).toEqual([
      'dir',
      'dir/c',
      '.gitattributes',
      'b.txt',
      'dir/c/d',
    ])
    expect(await paths(`tree/${head()}/dir?recursive=true`)).toEqual(['dir/c', 'dir/c/d'])
    expect(await paths(`tree/${repo.refs['refs/heads/main']}`)).toEqual(['.gitattributes'])
  })

  test('expand adds the last commit of each file and folder', async () => {
    push('one', { a: 'a', 'dir/x': 'dir/x' })
    world.clock.advance(60_000)
    const id = push('two', { 'dir/y': 'dir/y' })
    const entries = (await get<Entry[]>(api('tree/main?expand=true'))).body
    const last = Object.fromEntries(entries.map(({ path, lastCommit }) => [path, lastCommit]))
    expect(last).toMatchObject({
      '.gitattributes': { title: 'initial commit' },
      a: { title: 'one' },
    })
    expect(last['dir']).toEqual({ id, title: 'two', date: '2026-01-15T12:01:00.000Z' })
  })

  test('pages of a tree stay at one commit, without gaps', async () => {
    push('many', numbered(7))
    const pages = await readPages<Entry[]>(world.as(), api('tree/main?limit=3&recursive=true'), {
      headers: { host: '127.0.0.1:7420' },
      meanwhile: (count) => push(`meanwhile ${count}`, { [`a${count}`]: 'a' }),
    })
    const links = pages.flatMap((page) => nextPage(page) ?? [])
    expect(links).toHaveLength(2)
    for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:7420\/.*recursive=true/)
    const seen = pages.flatMap(({ body }) => body.map(({ path }) => path))
    expect(seen).toEqual(['.gitattributes', ...Object.keys(numbered(7))])
  })

  test.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
  ])('recursive=%s lists everything below: %s', async (text, isAll) => {
    push('files', { 'dir/c': 'dir/c' })
    const entries = (await get<Entry[]>(api(`tree/main?recursive=${text}`))).body
    expect(entries.some(({ path }) => path === 'dir/c')).toBe(isAll)
  })

  test('a missing folder is named with the revision of the request', async () => {
    const errors = await Promise.all(
      ['tree/main/none/a%20b', 'tree/refs%2Fheads%2Fmain/.gitattributes', `tree/${head()}/x`].map(
        async (path) => (await get<{ error: string }>(api(path))).body.error,
      ),
    )
    expect(errors).toEqual([
      'none/a b does not exist on "main"',
      '.gitattributes does not exist on "refs/heads/main"',
      `x does not exist on "${head()}"`,
    ])
  })

  test('a tree takes any limit, and a page has the entries of the largest one at most', async () => {
    push('many', numbered(70))
    const all = await get<Entry[]>(api('tree/main?recursive=true&limit=5000000'))
    expect(all.status).toBe(200)
    expect(all.body.length).toBeGreaterThan(60)
    expect(nextPage(all)).toBeUndefined()
  })

  test.each([
    ['tree/none', 404, 'RevisionNotFound'],
    ['tree/main/none', 404, 'EntryNotFound'],
    ['tree/main/.gitattributes', 404, 'EntryNotFound'],
    ['tree/main/constructor', 404, 'EntryNotFound'],
    ['tree/refs/pr/1/dir', 404, 'RevisionNotFound'],
    ['tree/main?limit=0', 400, undefined],
    ['tree/main?cursor=nothing', 400, undefined],
    [
      `tree/main?cursor=${cursorAfter('.gitattributes', 50, '0'.repeat(40))}`,
      404,
      'RevisionNotFound',
    ],
    [`tree/main?cursor=${cursorAfter('.gitattributes', 50, 'main')}`, 400, undefined],
    [`tree/main?cursor=${cursorAfter('.gitattributes', 0)}`, 400, undefined],
    [`tree/main?cursor=${cursorAfter('none')}`, 400, undefined],
    [`tree/main?cursor=${cursorAfter(7)}`, 400, undefined],
    [`tree/main?cursor=${Buffer.from('bnVsbA==:50').toString('base64')}`, 400, undefined],
    ['tree/main?recursive=maybe', 400, undefined],
  ])('%s is refused with %i', async (path, status, code) => {
    const answer = await get<{ error: string }>(api(path))
    expect(answer.status).toBe(status)
    expect(answer.headers['x-error-code']).toBe(code)
    expect(answer.headers['x-error-message']).toBe(answer.body.error)
  })

  test('a cursor does not open a commit of another repo', async () => {
    const secret = world.makeRepo('acme/secret', { visibility: 'private', files: { s: 's' } })
    const id = world.head(secret)
    const cursor = cursorAfter('.gitattributes', 50, id)
    expect((await get(api(`tree/main?cursor=${cursor}`))).status).toBe(404)
  })

  test('a cursor made by the client continues after its file', async () => {
    push('many', { 'dir/x': 'x', ...numbered(60, 10) })
    const paths = async (cursor: string, query = '') =>
      (await get<Entry[]>(api(`tree/main?cursor=${encodeURIComponent(cursor)}${query}`))).body.map(
        ({ path }) => path,
      )
    // Clients that page through everything ask until nothing follows.
    const seen: string[] = []
    for (let page = await paths(cursorAfter('dir')); page.length > 0;) {
      seen.push(...page)
      page = await paths(cursorAfter(page.at(-1)))
    }
    expect(seen).toHaveLength(61)
    expect([seen[0], seen.at(-1)]).toEqual(['.gitattributes', 'f69'])
    expect(await paths(cursorAfter('dir', 2))).toEqual(['.gitattributes', 'f10'])
    expect(await paths(cursorAfter('dir', 2), '&limit=1')).toEqual(['.gitattributes'])
    expect(await paths(cursorAfter('f69'))).toEqual([])
    const refused = await get(api(`tree/main/dir?cursor=${cursorAfter('f10')}`))
    expect(refused.body).toEqual({ error: 'Invalid cursor' })
    expect(world.requests.values().at(-1)?.detail).toBe('there is no f10 in this folder')
  })

  test('cursors are readable by clients', async () => {
    push('many', numbered(4))
    const next = nextPage(await get(api('tree/main?limit=2')))
    const cursor = new URL(next ?? '').searchParams.get('cursor') ?? ''
    const [start = '', limit] = Buffer.from(cursor, 'base64').toString().split(':')
    expect(JSON.parse(Buffer.from(start, 'base64').toString())).toMatchObject({ file_name: 'f0' })
    expect(limit).toBe('2')
  })
})

describe('paths-info', () => {
  const branch = 'refs/heads/a/branch'
  const look = (body: string | object, headers = {}) =>
    world.as().post<Entry[]>(api('paths-info/main'), body, headers)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test('paths-info accepts a form and JSON, and leaves out missing paths', async () => {
    push('files', { 'dir/a': 'dir/a', b: 'b' })
    const paths = ['dir', 'b', 'none', 'dir/', '', 'b/c']
    const asJson = await look({ paths })
    expect(asJson.status).toBe(200)
    expect(asJson.body.map(({ path }) => path)).toEqual(['dir', 'b', 'dir'])
    const text = new URLSearchParams(paths.map((path) => ['paths', path])).toString()
    expect((await look(text, form)).body).toEqual(asJson.body)
    expect((await look({ paths: 'b' })).body).toHaveLength(1)
    const expanded = (await look('paths=dir&expand=True', form)).body
    expect(expanded).toMatchObject([{ path: 'dir', lastCommit: { title: 'files' } }])
    expect((await look({ paths: ['dir'], expand: true })).body).toEqual(expanded)
  })

  test('an invalid list and too many paths are refused', async () => {
    for (const body of [{}, { paths: 7 }, { paths: [7] }, { paths: null }, '[]', 'null']) {
      expect((await look(body)).status).toBe(400)
    }
  })

  test('paths-info takes 2,000 paths as JSON and 1,000 as a form', async () => {
    push('file', { '999': '999' })
    const many = Array.from({ length: 2001 }, (_, n) => `${n}`)
    const asForm = (paths: string[]) => paths.map((path) => `paths=${path}`).join('&')
    for (const most of [many.slice(1), asForm(many.slice(0, 1000))]) {
      const found = await look(
        typeof most === 'string' ? most : { paths: most },
        typeof most === 'string' ? form : {},
      )
      expect([found.status, found.body.length]).toEqual([200, 1])
    }
    expect((await look({ paths: many })).status).toBe(413)
    expect((await look(asForm(many.slice(0, 1001)), form)).status).toBe(413)
    expect(world.requests.values().at(-1)?.detail).toContain('JSON may have 2000, a form 1000')
  })

  test.each(['refs%2Fheads%2Fmain', 'a%2Fbranch', 'a%2Fbranch/'])(
    'the revision %s is found',
    async (revision) => {
      const id = push('files', { b: 'b' })
      moveRefsAndTell(world.deps, world.latest(repo), { [branch]: id }, 'x')
      const url = api(`paths-info/${revision}`)
      const answer = await world.as().post<Entry[]>(url, { paths: ['b'] })
      expect(answer.body.map(({ path }) => path)).toEqual(['b'])
      expect((await get(api(`revision/${revision}`))).body).toMatchObject({ sha: id })
    },
  )

  test.each(['none', 'refs/pr/7', 'main/none'])(
    'the revision %s is not found',
    async (revision) => {
      const url = api(`paths-info/${revision}`)
      const answer = await world.as().post(url, { paths: [] })
      expect(answer.headers['x-error-code']).toBe('RevisionNotFound')
      const info = await get(api(`revision/${revision}`))
      expect(info.headers['x-error-code']).toBe('RevisionNotFound')
    },
  )
})

describe('a download', () => {
  const get = (url: string, headers = {}, method?: 'GET' | 'HEAD') =>
    download(world.as(), url, headers, method)
  beforeEach(() => void push('file', { 'b.txt': 'bytes' }))

  test('a file has the headers that clients need', async () => {
    const answer = await get(url)
    expect(answer.status).toBe(200)
    expect(answer.body).toBe('bytes')
    expect(answer.headers).toMatchObject({
      etag,
      'x-repo-commit': head(),
      'content-length': '5',
      'accept-ranges': 'bytes',
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename*=UTF-8''b.txt; filename="b.txt"`,
    })
    expect(answer.headers).not.toHaveProperty('x-xet-hash')
    const probed = await get(url, {}, 'HEAD')
    expect(probed.body).toBe('')
    for (const name of [
      'etag',
      'x-repo-commit',
      'content-length',
      'accept-ranges',
      'content-type',
    ]) {
      expect(probed.headers[name]).toBe(answer.headers[name])
    }
  })

  test.each([
    ['bytes=0-0', 'b', 'bytes 0-0/5'],
    ['bytes=1-', 'ytes', 'bytes 1-4/5'],
    ['bytes=-2', 'es', 'bytes 3-4/5'],
    ['bytes=0-100000', 'bytes', 'bytes 0-4/5'],
  ])('the range %s is returned', async (range, body, contentRange) => {
    const answer = await get(url, { range })
    expect(answer.status).toBe(206)
    expect(answer.body).toBe(body)
    expect(answer.headers['content-range']).toBe(contentRange)
    expect(answer.headers['content-length']).toBe(String(body.length))
    expect(answer.headers['etag']).toBe(etag)
    const probed = await get(url, { range }, 'HEAD')
    expect([probed.status, probed.headers['content-range']]).toEqual([206, contentRange])
  })

  test.each(['bytes=2-1', 'bytes=0-1,3-4', 'bytes=x', 'lines=0-1'])(
    '%s returns the whole file',
    async (range) => {
      const answer = await get(url, { range })
      expect([answer.status, answer.body]).toEqual([200, 'bytes'])
      expect(answer.headers).not.toHaveProperty('content-range')
    },
  )

  test('a range beyond the end is refused', async () => {
    for (const range of ['bytes=5-', 'bytes=100-200', 'bytes=-0']) {
      const answer = await get(url, { range })
      expect(answer.status).toBe(416)
      expect(answer.headers['content-range']).toBe('bytes */5')
      expect(answer.headers['content-type']).toMatch(/json/)
    }
  })

  test('a range of another version is ignored', async () => {
    const range = 'bytes=0-0'
    expect((await get(url, { range, 'if-range': '"other"' })).status).toBe(200)
    expect((await get(url, { range, 'if-range': etag })).status).toBe(206)
  })

  test('a client that has the file gets 304', () => expectKnown(get, 200))

  test('an empty file has no range', async () => {
    push('empty', { empty: '' })
    const path = '/acme/model/resolve/main/empty'
    const whole = await get(path)
    expect([whole.status, whole.body, whole.headers['content-length']]).toEqual([200, '', '0'])
    for (const range of ['bytes=0-0', 'bytes=0-', 'bytes=-1']) {
      const { status, headers } = await get(path, { range })
      expect([status, headers['content-range']]).toEqual([416, 'bytes */0'])
    }
  })

  test('bytes are returned unchanged', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
    push('bytes', { 'a.bin': bytes })
    const answer = await get('/acme/model/resolve/main/a.bin')
    expect(answer.bytes.equals(bytes)).toBe(true)
    expect(answer.headers['content-type']).toBe('application/octet-stream')
    const part = await get('/acme/model/resolve/main/a.bin', { range: 'bytes=128-129' })
    expect([...part.bytes]).toEqual([128, 129])
  })

  test('names with special characters are found under any revision', async () => {
    push('names', { 'to?/awful?name%you:should,never.give': 'x', '\u00e9 "q".txt': 'y' })
    const strange = await get(
      '/acme/model/resolve/main/to%3F/awful%3Fname%25you%3Ashould%2Cnever.give',
    )
    expect(strange.body).toBe('x')
    const quoted = await get('/acme/model/resolve/main/%C3%A9%20%22q%22.txt?download=true')
    expect(quoted.headers['content-disposition']).toBe(
      `attachment; filename*=UTF-8''%C3%A9%20%22q%22.txt; filename="_ _q_.txt"`,
    )
    for (const revision of ['HEAD', 'refs%2Fheads%2Fmain', head(), head().slice(0, 7)]) {
      expect((await get(`/acme/model/resolve/${revision}/b.txt`)).body).toBe('bytes')
    }
  })

  test.each([
    'page.html',
    'image.svg',
    'page.xhtml',
    'feed.xml',
    'code.js',
    'PAGE.HTML',
    'a.pdf',
    'x',
  ])('%s is never served as an active document', async (name) => {
    push('active', { [name]: '<html><script>alert(1)</script></html>' })
    for (const way of ['resolve', 'raw']) {
      const { headers } = await get(`/acme/model/${way}/main/${name}`)
      expect(headers['content-type']).toMatch(
        /^(text\/plain; charset=utf-8|application\/octet-stream)$/,
      )
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    }
  })

  test('raw returns the file as text', async () => {
    const answer = await get('/acme/model/raw/main/b.txt')
    expect([answer.status, answer.body]).toEqual([200, 'bytes'])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect((await get('/acme/model/raw/main/none', {}, 'HEAD')).status).toBe(404)
  })

  test('datasets and Spaces have their own URLs', async () => {
    world.makeRepo('acme/corpus', { type: 'dataset', files: { 'd.csv': 'data' } })
    world.makeRepo('acme/demo', { type: 'space', sdk: 'static', files: { 's.txt': 'space' } })
    expect((await get('/datasets/acme/corpus/resolve/main/d.csv')).body).toBe('data')
    expect((await get('/spaces/acme/demo/raw/main/s.txt')).body).toBe('space')
    expect((await get('/acme/corpus/resolve/main/d.csv')).headers['x-error-code']).toBe(
      'RepoNotFound',
    )
  })

  test('a missing file is reported with its commit', async () => {
    const missing = await get('/acme/model/resolve/main/none')
    expect(missing.status).toBe(404)
    expect(missing.headers).toMatchObject({
      'x-error-code': 'EntryNotFound',
      'x-repo-commit': head(),
    })
    expect(missing.headers).not.toHaveProperty('etag')
    const revision = await get('/acme/model/resolve/none/b.txt')
    expect(revision.headers['x-error-code']).toBe('RevisionNotFound')
    expect(revision.headers).not.toHaveProperty('x-repo-commit')
    const folder = await get('/acme/model/resolve/main')
    expect(folder.headers['x-error-code']).toBe('EntryNotFound')
  })
})

describe('resolve', () => {
  const cached = () => `/api/resolve-cache/models/acme/model/${head()}/b.txt`
  beforeEach(() => void push('file', { 'b.txt': 'bytes' }))

  test.each(['GET', 'HEAD'] as const)('%s redirects to the file at its commit', async (method) => {
    const answer = await get(url, { range: 'bytes=0-0' }, method)
    const location = `${cached()}?${encodeURIComponent(url)}=&etag=${encodeURIComponent(etag)}`
    expect(answer.status).toBe(307)
    expect(answer.headers).toMatchObject({
      location,
      etag,
      'x-repo-commit': head(),
      'content-type': 'text/plain; charset=utf-8',
    })
    // Of the redirect, as on the hub: a client that takes it for the size of the file fails there, too.
    const text = `Temporary Redirect. Redirecting to ${location}`
    expect(answer.headers['content-length']).toBe(String(text.length))
    expect(answer.body).toBe(method === 'GET' ? text : '')
    for (const name of ['x-linked-size', 'x-linked-etag', 'x-xet-hash', 'accept-ranges']) {
      expect(answer.headers).not.toHaveProperty(name)
    }
  })

  test('the redirect keeps the query', async () => {
    const { headers } = await get(`${url}?download=true`)
    expect(headers['location']).toMatch(/b\.txt\?download=true&%2Facme%2Fmodel%2Fresolve/)
    const file = await get(String(headers['location']))
    expect(file.headers['content-disposition']).toMatch(/^attachment;/)
  })

  test('the redirect has the canonical type, name and path', async () => {
    world.makeRepo('acme/corpus', { type: 'dataset', files: { 'a b/\u00e9?.csv': 'data' } })
    const answer = await get('/datasets/acme/corpus/resolve/main/a%20b/%C3%A9%3F.csv')
    expect(answer.headers['location']).toMatch(
      /^\/api\/resolve-cache\/datasets\/acme\/corpus\/[0-9a-f]{40}\/a%20b\/%C3%A9%3F\.csv\?/,
    )
    expect((await get(String(answer.headers['location']))).body).toBe('data')
  })

  test('resolve returns 304 to a client that has the file', () => expectKnown(get, 307))

  test('pages of other origins can read redirect and file', async () => {
    const origin = 'http://localhost:5173'
    for (const address of [url, cached()]) {
      const { headers } = await get(address, { origin })
      expect(headers['access-control-allow-origin']).toBe(origin)
    }
    const preflight = await world.server.inject({
      method: 'OPTIONS',
      url: cached(),
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,range',
      },
    })
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,range')
  })

  test('an earlier name redirects with the whole URL', async () => {
    moveRepo(world.deps, { repo: world.latest(repo), toName: 'alice/other' })
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await get(`${url}?download=true`, {}, method)
      expect(answer.status).toBe(307)
      expect(answer.headers['location']).toBe('/alice/other/resolve/main/b.txt?download=true')
    }
    expect((await get(api('tree/main/dir'))).headers['location']).toBe(
      '/api/models/alice/other/tree/main/dir',
    )
  })
})

describe('a text that the client takes packed', () => {
  const text = 'a line of a text\n'.repeat(100)
  const packed = (path: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
    world.as().send(method, path, undefined, { 'accept-encoding': 'gzip, br', ...headers })
  const pathOf = (name: string) => `/api/resolve-cache/models/acme/model/${head()}/${name}`
  const tagOf = (content: string) =>
    createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex')
  beforeEach(() => {
    push('texts', { 'long.txt': text, 'short.txt': 'short', 'long.bin': text })
  })

  test('comes without a length, and with a tag of its own', async () => {
    for (const path of [pathOf('long.txt'), '/acme/model/raw/main/long.txt']) {
      const answer = await packed(path)
      expect(answer.headers).toMatchObject({
        'content-encoding': 'gzip',
        etag: `"${tagOf(text)}-gzip"`,
        vary: expect.stringContaining('Accept-Encoding'),
      })
      expect(answer.headers).not.toHaveProperty('content-length')
      expect(answer.headers).not.toHaveProperty('accept-ranges')
      expect(gunzipSync(answer.bytes).toString()).toBe(text)
      const known = { 'if-none-match': String(answer.headers['etag']) }
      expect((await packed(path, known)).status).toBe(304)
    }
  })

  test('ignores a range', async () => {
    const answer = await packed(pathOf('long.txt'), { range: 'bytes=0-9' })
    expect(answer.status).toBe(200)
    expect(gunzipSync(answer.bytes).toString()).toBe(text)
  })

  test('has the same headers without its content', async () => {
    const answer = await packed(pathOf('long.txt'), {}, 'HEAD')
    expect(answer.headers).toMatchObject({
      'content-encoding': 'gzip',
      etag: `"${tagOf(text)}-gzip"`,
    })
    expect(answer.headers).not.toHaveProperty('content-length')
  })

  test.each([
    ['short.txt', 'gzip'],
    ['long.bin', 'gzip'],
    ['long.txt', 'identity'],
    ['long.txt', 'br'],
    ['long.txt', 'gzip;q=0'],
    ['long.txt', 'gzip; q=0.0, br'],
  ])('%s does not come packed for Accept-Encoding: %s', async (name, accepted) => {
    const answer = await packed(pathOf(name), { 'accept-encoding': accepted, range: 'bytes=0-1' })
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect([answer.status, answer.headers['content-length']]).toEqual([206, '2'])
    expect(answer.headers['etag']).not.toContain('gzip')
  })

  test.each(['gzip;q=0.5', 'deflate, gzip;q=1.0', '*', 'br;q=1, GZIP'])(
    'comes packed for Accept-Encoding: %s',
    async (accepted) => {
      const answer = await packed(pathOf('long.txt'), { 'accept-encoding': accepted })
      expect(answer.headers['content-encoding']).toBe('gzip')
    },
  )
})

describe('a file that not everyone may read', () => {
  test.each([
    ['private', { visibility: 'private' }],
    ['gated', { gated: 'auto' }],
  ] as const)('comes without a redirect to the cache: %s', async (name, options) => {
    const made = world.makeRepo(`alice/${name}`, { ...options, files: { 'a.txt': 'text' } })
    const alice = world.as('alice')
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await alice.send(method, `/alice/${name}/resolve/main/a.txt`)
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'x-repo-commit': world.head(made),
        'content-length': '4',
        'content-disposition': expect.stringContaining('a.txt'),
      })
      expect(answer.body).toBe(method === 'GET' ? 'text' : '')
      const known = { 'if-none-match': String(answer.headers['etag']) }
      const again = await alice.send(method, `/alice/${name}/resolve/main/a.txt`, undefined, known)
      expect(again.status).toBe(304)
    }
  })
})

describe('a file at its commit', () => {
  const cached = (rest: string, name = 'models/acme/model') => `/api/resolve-cache/${name}/${rest}`
  beforeEach(() => void push('file', { 'b.txt': 'bytes' }))

  test('the file is found without the query, which Python drops', async () => {
    const answer = await get(cached(`${head()}/b.txt`), {}, 'HEAD')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'x-repo-commit': head(), 'content-length': '5' })
  })

  test('the file stays the same when its branch moves on', async () => {
    const before = head()
    push('again', { 'b.txt': 'other' })
    expect((await get(cached(`${before}/b.txt`))).body).toBe('bytes')
    expect((await get(cached(`${head()}/b.txt`))).body).toBe('other')
  })

  test('the URL has a full commit id', async () => {
    for (const revision of ['main', head().slice(0, 7), 'refs%2Fheads%2Fmain']) {
      const answer = await get(cached(`${revision}/b.txt`))
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: `Invalid commit id: ${revision}` })
      expect(world.requests.values().at(-1)?.detail).toContain('40 hex digits')
    }
    const none = await get(cached(`${'a'.repeat(40)}/b.txt`))
    expect(none.headers['x-error-code']).toBe('RevisionNotFound')
    expect((await get(cached(`${head()}/none`))).headers['x-error-code']).toBe('EntryNotFound')
  })

  test('the URL has the current name of the repo', async () => {
    const rest = `${head()}/b.txt`
    moveRepo(world.deps, { repo: world.latest(repo), toName: 'alice/other' })
    const answer = await get(cached(`${rest}?a=1`))
    expect([answer.status, answer.headers['location']]).toEqual([
      307,
      cached(`${rest}?a=1`, 'models/alice/other'),
    ])
  })
})

describe('who may read', () => {
  const names = ['tree/main', 'refs']

  test('a private repo is hidden from other users', async () => {
    const { refs } = world.makeRepo('alice/private', { visibility: 'private', files: { a: 'a' } })
    const addresses = [
      ...[...names, 'commits/main'].map((path) => `/api/models/alice/private/${path}`),
      `/api/resolve-cache/models/alice/private/${refs['refs/heads/main']}/a`,
      '/alice/private/resolve/main/a',
      '/alice/private/raw/main/a',
    ]
    for (const address of addresses) {
      const anonymous = await get(address)
      expect(outcomeOf(anonymous)).toBe('401 RepoNotFound')
      const other = await world.as('carol').get(address)
      expect(outcomeOf(other)).toBe('404 RepoNotFound')
      expect((await download(world.as('alice'), address)).status).toBe(200)
    }
  })

  test('a gated repo shows the names of its files only', async () => {
    const { refs } = world.makeRepo('alice/gated', { gated: 'auto', files: { a: 'a' } })
    const carol = world.as('carol')
    for (const path of ['', ...names.map((name) => `/${name}`)]) {
      expect((await get(`/api/models/alice/gated${path}`)).status).toBe(200)
      expect((await carol.get(`/api/models/alice/gated${path}`)).status).toBe(200)
    }
    const cached = `/api/resolve-cache/models/alice/gated/${refs['refs/heads/main']}/a`
    const commits = '/api/models/alice/gated/commits/main'
    const files = ['/alice/gated/resolve/main/a', '/alice/gated/raw/main/a']
    for (const address of [...files, cached, commits, `${commits}?limit=1`]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await carol.send(method, address)
        expect(outcomeOf(answer)).toBe('403 GatedRepo')
        const nobody = await get(address, {}, method)
        expect(outcomeOf(nobody)).toBe('401 GatedRepo')
      }
    }
    expect((await world.as('alice').get(commits)).status).toBe(200)
  })

  test('a commit of another repo is not found', async () => {
    const secret = world.makeRepo('alice/secret', { visibility: 'private', files: { s: 's' } })
    const id = world.head(secret)
    for (const address of [
      `/acme/model/resolve/${id}/s`,
      `/api/resolve-cache/models/acme/model/${id}/s`,
      api(`tree/${id}`),
      api(`commits/${id}`),
    ]) {
      expect((await get(address)).headers['x-error-code']).toBe('RevisionNotFound')
    }
  })
})
