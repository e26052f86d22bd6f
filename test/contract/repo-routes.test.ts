import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { moveRepo } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, callerWith, gitCaller } from '../helpers/cast.ts'
import { download } from '../helpers/download.ts'
import { hasGit } from '../helpers/git-client.ts'
import {
  isOperationOf,
  repoNamingRoutes,
  type RepoRoute,
  repoRoutes,
} from '../helpers/repo-routes.ts'

type Ask = Pick<RepoRoute, 'method' | 'url' | 'body' | 'type'>

const world = testApp()
const { as } = world
let repo: Repo
const alice = as('alice')
beforeEach(() => {
  world.makeRepo('alice/own')
  repo = world.makeRepo('acme/tiny')
  world.commit(repo, { 'a.txt': 'a.txt', 'folder/b.txt': 'folder/b.txt' })
  repo = now()
  world.events.length = 0
})

const here = repoRoutes.filter(({ url }) => hasGit || !url.includes('.git/'))
const isReading = (needs: RepoRoute['needs']) => needs === 'read' || needs === 'download'
const titleOf = ({ method, url, body }: Ask) => {
  const operation =
    typeof body === 'object' && 'operation' in body ? JSON.stringify(body['operation']) : ''
  return `${method} ${url} ${operation}`.trim()
}
const named = <Route extends Ask>(routes: readonly Route[]) =>
  routes.map((route) => [titleOf(route), route] as const)

const now = () => world.latest(repo)
const send = (route: Ask, user: Caller, name = 'acme/tiny', headers = {}) => {
  const { method, url, body, type = 'application/json' } = route
  const text = (typeof body === 'object' ? JSON.stringify(body) : body)?.replace('{R}', name)
  const sent = text === undefined ? headers : { 'content-type': type, ...headers }
  return user.send(method, url.replace('{R}', name), text, sent)
}
const textOf = ({ headers }: { headers: Record<string, unknown> }) => headers['x-error-message']
const lastRecord = () => world.requests.values().at(-1)

/** Operations of the OpenAPI document by method and path. */
async function describedOperations() {
  const { body } = await as().get<{
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }>('/_sandbox/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  )
}

test('every route of a repo is in the table of these tests', async () => {
  const operations = (await describedOperations()).map(([operation]) => operation)
  const ofRepos = operations.filter(
    (operation) =>
      operation.includes('{namespace}/{name}') &&
      // Addresses that carry a permission of their own, and what concerns the machine of a Space.
      !/info\/lfs\/objects\/\{oid\}|\/api\/spaces\/|_sandbox/.test(operation) &&
      // Of buckets: test/contract/hub-buckets.test.ts.
      !/ \/(?:api\/)?buckets\//.test(operation) &&
      // The same routes under another prefix.
      !/ \/\{types\}\//.test(operation) &&
      // Models by name, which need no repo, and inference endpoints.
      !/ \/(?:hf-inference|v2|api\/inference-endpoints)\//.test(operation) &&
      // Pages, which are refused as pages.
      !/^GET (?:\/\w+)?\/\{namespace\}\/\{name\}$/.test(operation),
  )
  const missing = ofRepos.filter(
    (operation) => !repoRoutes.some((route) => isOperationOf(route, operation)),
  )
  expect(missing).toEqual([])
  expect(ofRepos.length).toBeGreaterThan(20)
})

describe('a revision in a URL', () => {
  const routes = here.filter(
    ({ method, url }) => /\/(?:main|dev)\b/.test(url) && !(method === 'POST' && /branch/.test(url)),
  )
  const isGet = ({ method }: RepoRoute) => method === 'GET'
  // Each is another name once more of it is decoded.
  const names = ['%41', '%2e%2e', 'a%2Fb', '%']
  const at = (route: RepoRoute, name: string) => ({
    ...route,
    url: route.url.replace(/\/(?:main|dev)\b/, `/${encodeURIComponent(name)}`),
  })
  const refs = () => now().refs

  beforeEach(async () => {
    const { A, ...others } = { A: refs()['refs/heads/main'] ?? '', ...refs() }
    world.state.repos.put({ ...repo, refs: { ...others, 'refs/heads/A': A, 'refs/heads/a/b': A } })
    for (const name of ['same', ...names]) {
      const url = `/api/models/acme/tiny/branch/${encodeURIComponent(name)}`
      await alice.post(url, {})
      world.commit(repo, { 'a.txt': 'changed' }, { revision: name })
    }
  })

  // Each Xet token is another one.
  const sameEachTime = ({ url }: RepoRoute) => !url.includes('/xet-')

  test.each(named(routes.filter(isGet).filter(sameEachTime)))(
    'is decoded once: %s',
    async (_, route) => {
      const read = (name: string) =>
        download(alice, at(route, name).url.replace('{R}', 'acme/tiny'))
      const same = await read('same')
      for (const name of names) {
        const answer = await read(name)
        expect([name, answer.status, answer.body]).toEqual([name, 200, same.body])
      }
    },
  )

  test.each(named(routes.filter((route) => !isGet(route))))(
    'is decoded once: %s',
    async (_, route) => {
      for (const name of names) {
        const [before, branch] = [refs(), `refs/heads/${name}`]
        const answer = await send(at(route, name), alice)
        expect([name, answer.status]).toEqual([name, 200])
        const { 'refs/tags/v1': tag = before[branch], ...after } = refs()
        const others = ({ [branch]: _branch, ...rest }: Readonly<Record<string, string>>) => rest
        expect([name, tag, others(after)]).toEqual([name, before[branch], others(before)])
        await alice.delete('/api/models/acme/tiny/tag/v1')
      }
    },
  )

  test('is used unchanged in a body', async () => {
    for (const name of names) {
      const url = `/api/models/acme/tiny/branch/from-${encodeURIComponent(name)}`
      const body = { startingPoint: name }
      expect((await alice.post(url, body)).status).toBe(200)
      expect(refs()[`refs/heads/from-${name}`]).toBe(refs()['refs/heads/same'])
    }
  })
})

describe('a slash at the end of a URL', () => {
  const ofRevision =
    /\/(?:revision|tree|treesize|commits|commit|preupload|paths-info|branch|tag|super-squash|resolve-cache|xet-read-token|xet-write-token)\//
  const routes: Ask[] = [
    ...here,
    ...repoNamingRoutes,
    { method: 'GET', url: '/api/models' },
    { method: 'GET', url: '/api/whoami-v2' },
  ]
  const ended = routes
    .filter(({ url }) => /^\/api\/|\/info\/lfs\//.test(url) && !ofRevision.test(url))
    .map((route) => ({ ...route, url: `${route.url}/` }))

  test.each(named(ended))(
    'is reported as the cause, not as a missing feature: %s',
    async (_, route) => {
      const before = now()
      const answer = await send(route, alice)
      const url = route.url.replace('{R}', 'acme/tiny')
      const text = `Nothing is at ${route.method} ${url}, with a slash at its end. Ask for ${url.slice(0, -1)}`
      expect([answer.status, textOf(answer)]).toEqual([404, text])
      expect(Object.values(answer.body as object)).toContain(text)
      expect(now()).toBe(before)
    },
  )

  test('is ignored behind a revision or a path', async () => {
    for (const path of ['revision/main', 'tree/main', 'tree/main/folder', 'commits/main']) {
      const url = `/api/models/acme/tiny/${path}`
      const [without, withSlash] = await Promise.all(
        [url, `${url}/`].map((each) => alice.get(each)),
      )
      expect([withSlash?.status, withSlash?.body]).toEqual([200, without?.body])
    }
  })
})

describe('two consecutive slashes', () => {
  test.each(named([...here, ...repoNamingRoutes]))(
    'are explained by an endpoint with a trailing slash: %s',
    async (_, route) => {
      const before = now()
      const answer = await send({ ...route, url: `/${route.url}` }, alice)
      const url = route.url.replace('{R}', 'acme/tiny')
      const [path = ''] = url.split('?')
      const text = `Nothing is at ${route.method} /${path}, with two slashes in a row. Ask for ${path}: an endpoint has no slash at its end`
      expect([answer.status, textOf(answer)]).toEqual([404, text])
      expect(answer.body).toEqual({ error: text })
      expect(now()).toBe(before)
    },
  )

  test('are also distinguished from missing features inside a URL', async () => {
    for (const path of ['/api//models', '/api/models//acme/tiny', '//api//whoami-v2']) {
      const answer = await as().get(path)
      expect(answer.status).toBe(404)
      expect(textOf(answer)).toContain('with two slashes in a row')
    }
  })
})

describe('a compressed body', () => {
  // Git itself packs what it sends, and is understood.
  const withBody = [...repoRoutes, ...repoNamingRoutes].filter(
    ({ url, body }) => body !== undefined && !/git-(?:upload|receive)-pack$/.test(url),
  )
  const sendPacked = (
    { method, url, body = '', type = 'application/json' }: Ask,
    encoding: string,
  ) => {
    const whole = typeof body === 'object' ? JSON.stringify(body) : body
    const text = whole.replace('{R}', 'acme/tiny')
    const payload = encoding === 'identity' ? text : gzipSync(text)
    const headers = { 'content-type': type, 'content-encoding': encoding }
    return alice.send(method, url.replace('{R}', 'acme/tiny'), payload, headers)
  }

  test.each(named(withBody))('is refused with its encoding: %s', async (_, route) => {
    const before = now()
    const answer = await sendPacked(route, 'gzip')
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'identity'])
    expect(textOf(answer)).toContain('Unsupported content encoding gzip: send the body unencoded')
    expect(now()).toBe(before)
    expect([world.state.repos.size, world.hubEvents()]).toEqual([2, []])
    expect(lastRecord()).toMatchObject({ error: 'http_415' })
    expect((await sendPacked(route, 'br, gzip')).status).toBe(415)
    expect((await sendPacked(route, 'identity')).status).not.toBe(415)
  })

  test('may be empty', async () => {
    const url = '/api/models/acme/tiny/branch/dev'
    const answer = await alice.delete(url, undefined, { 'content-encoding': 'gzip' })
    expect(answer.status).toBe(404)
  })

  test('is refused as a large file, as a form and by the control API', async () => {
    const packed = gzipSync('x')
    const put = (headers: Record<string, string>) =>
      as().put(`/acme/tiny.git/info/lfs/objects/${'a'.repeat(64)}`, packed, headers)
    expect((await put({ 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await put({})).status).not.toBe(415)
    const post = (url: string, type: string) =>
      as().post(url, packed, { 'content-type': type, 'content-encoding': 'deflate' })
    const token = await post('/oauth/token', 'application/x-www-form-urlencoded')
    expect([token.status, token.body]).toEqual([
      415,
      { error: 'invalid_request', error_description: expect.stringContaining('encoding deflate') },
    ])
    const control = await post('/_sandbox/api/clock', 'application/json')
    expect([control.status, control.body]).toEqual([
      415,
      { error: 'invalid_request', message: expect.stringContaining('encoding deflate') },
    ])
  })
})

describe('an unauthenticated caller', () => {
  const changing: Ask[] = [
    ...here.filter(({ needs, url }) => !isReading(needs) || url.endsWith('duplicate')),
    ...repoNamingRoutes,
  ]

  test.each(named(changing))('gets 401 for any body: %s', async (_, route) => {
    const whole = await send(route, as())
    expect(whole.status).toBe(401)
    if (route.method === 'GET' || route.body === undefined) return
    // What the body of a batch asks for decides whether it takes a user.
    if (route.url.endsWith('/objects/batch')) return
    for (const broken of ['{', '[]', '{"files":1,"name":2}']) {
      const answer = await send({ ...route, body: broken }, as())
      expect([broken, answer.status, textOf(answer)]).toEqual([broken, 401, textOf(whole)])
    }
    const other = await send({ ...route, type: 'text/csv' }, as())
    expect([other.status, textOf(other)]).toEqual([401, textOf(whole)])
    const packed = await send(route, as(), undefined, { 'content-encoding': 'zstd' })
    expect([packed.status, textOf(packed)]).toEqual([401, textOf(whole)])
    expect(lastRecord()?.detail).toMatch(/no token|access token/)
    expect(world.hubEvents()).toEqual([])
  })

  test('gets the refusal of an invalid token before the body is read', async () => {
    for (const route of changing.filter(({ body }) => body !== undefined)) {
      const answer = await send({ ...route, body: '{' }, callerWith(world, 'hf_none'))
      expect([titleOf(route), answer.status]).toEqual([titleOf(route), 401])
      expect(answer.headers['x-error-message']).toBe('Invalid credentials in Authorization header')
    }
  })

  test('does not learn whether a repo without a namespace exists', async () => {
    const git = 'text/plain; charset=utf-8'
    const json = 'application/json; charset=utf-8'
    for (const [method, url, type] of [
      ['GET', '/api/models/gpt2', json],
      ['GET', '/api/models/gpt2/tree/main/a', json],
      ['POST', '/api/datasets/squad/commit/main', json],
      ['GET', '/api/spaces/demo', json],
      ['DELETE', '/api/models/gpt2/like', json],
      ['GET', '/gpt2/resolve/main/config.json', json],
      ['GET', '/gpt2/info/refs?service=git-upload-pack', git],
      ['POST', '/gpt2.git/info/lfs/objects/batch', 'application/vnd.git-lfs+json; charset=utf-8'],
    ] as const) {
      const nobody = await as().send(method, url)
      expect([url, nobody.status]).toEqual([url, 401])
      expect(nobody.headers).toMatchObject({ 'x-error-code': 'RepoNotFound', 'content-type': type })
      expect(nobody.headers['www-authenticate']).toMatch(type === json ? /^Bearer / : /^Basic /)
      expect(lastRecord()).toMatchObject({ error: 'RepoNotFound', detail: expect.any(String) })
      expect((await as('carol').send(method, url)).status).toBe(404)
      const bad = await callerWith(world, 'hf_none').send(method, url)
      expect(bad.status).toBe(401)
      expect(bad.headers['x-error-message']).toBe('Invalid credentials in Authorization header')
      expect(bad.headers['x-error-code']).toBeUndefined()
      expect(bad.headers['www-authenticate']).toMatch(
        type === json ? /^Bearer .*error="invalid_token"$/ : /^Basic /,
      )
    }
  })
})

describe('a token as the password of HTTP Basic', () => {
  test.each(named(here))('works like a bearer token: %s', async (_, route) => {
    world.state.repos.put({ ...repo, visibility: 'private' })
    const answer = await send(route, gitCaller(world, 'alice'))
    expect([401, 403]).not.toContain(answer.status)
    expect(lastRecord()?.userId).toBe(world.users.alice.id)
  })

  test.each(named(here))('is refused if invalid, even for a public repo: %s', async (_, route) => {
    for (const password of ['hf_none', '']) {
      const answer = await send(route, gitCaller(world, 'alice', password))
      expect([answer.status, world.hubEvents()]).toEqual([401, []])
    }
  })

  test('works outside repos, too', async () => {
    const me = await gitCaller(world, 'alice').get('/api/whoami-v2')
    expect(me.body).toMatchObject({ name: 'alice' })
    const wrong = await gitCaller(world, 'alice', 'hf_none').get('/api/models')
    expect(wrong.status).toBe(401)
    expect(lastRecord()).toMatchObject({ detail: 'no such token was issued by this sandbox' })
  })
})

describe('an encoded slash in the name of a repo', () => {
  const text = (part: string) =>
    `Invalid repo name: ${part} - repo name includes an url-encoded slash`

  test.each(named(here))('is refused for every caller: %s', async (_, route) => {
    for (const user of [as(), alice]) {
      const answer = await send(route, user, 'acme%2Ftiny')
      expect(answer.status).toBe(400)
      expect(textOf(answer)).toMatch(/^Invalid repo name: acme%2Ftiny(?:\.git)? - /)
      expect(answer.bytes.toString()).toContain(textOf(answer))
      expect(lastRecord()?.detail).toContain('a plain slash between them')
    }
  })

  test.each([
    ['/api/models/acme%2ftiny/refs', 'acme%2Ftiny'],
    ['/datasets/acme%2Ftiny/resolve/main/a.txt', 'acme%2Ftiny'],
    ['/api/spaces/acme%2Ftiny/runtime', 'acme%2Ftiny'],
    ['/api/models/acme/ti%2Fny', 'ti%2Fny'],
    ['/api/models/acme/ti%2Fny/tree/main', 'ti%2Fny'],
  ])('is named in the refusal: %s', async (url, part) => {
    const answer = await as().get(url)
    expect([answer.status, answer.body]).toEqual([400, { error: text(part) }])
  })

  test('is allowed in revisions and paths', async () => {
    const url = '/api/models/acme/tiny/tree/refs%2Fheads%2Fmain/folder%2Fb.txt'
    expect((await as().get(url)).headers['x-error-code']).toBe('EntryNotFound')
    expect((await as().get('/nothing%2Fhere')).status).toBe(404)
  })
})

describe('a name in another letter case', () => {
  // Clients of git would send their requests twice; whether the hub redirects them is unknown.
  const [ofGit, others] = [true, false].map((isGit) =>
    here.filter(({ url }) => url.includes('.git/') === isGit),
  )

  test.each(named(others!))('redirects to the right one: %s', async (_, route) => {
    const before = now()
    const url = `${route.url}${route.url.includes('?') ? '&' : '?'}a=%2F&b=ACME/Tiny`
    const answer = await send({ ...route, url }, alice, 'ACME/Tiny')
    const location = url.replace('{R}', 'acme/tiny')
    expect([answer.status, answer.headers['location']]).toEqual([307, location])
    expect(answer.body).toBe(`Temporary Redirect. Redirecting to ${location}`)
    expect([now(), world.hubEvents()]).toEqual([before, []])
  })

  test.each(named(ofGit!))('is accepted by git: %s', async (_, route) => {
    const answer = await send(route, alice, 'ACME/Tiny')
    const created = route.method === 'POST' && route.url.endsWith('/locks')
    const expected = route.url.endsWith('/unlock') ? 404 : created ? 201 : 200
    expect(answer.status).toBe(expected)
  })

  test('does not reveal a private repo', async () => {
    world.makeRepo('alice/secret', { visibility: 'private' })
    for (const url of ['/api/models/Alice/Secret', '/Alice/Secret/resolve/main/a']) {
      expect((await as().get(url)).status).toBe(401)
      expect((await as('carol').get(url)).status).toBe(404)
    }
  })

  test.each([
    ['model', '/'],
    ['dataset', '/datasets/'],
  ] as const)('redirects browsers, too: a %s', async (type, prefix) => {
    world.makeRepo('acme/page', { type })
    const answer = await as().get(`${prefix}Acme/PAGE?x=1`, undefined, { accept: 'text/html' })
    expect([answer.status, answer.headers['location']]).toEqual([307, `${prefix}acme/page?x=1`])
  })
})

describe('a moved repo', () => {
  test.each(named(here))('redirects from its old name: %s', async (_, route) => {
    moveRepo(world.deps, { repo, toName: 'alice/moved', actorId: world.users.alice.id })
    const url = `${route.url}${route.url.includes('?') ? '&' : '?'}a=%2F&b=acme/tiny`
    world.events.length = 0
    const answer = await send({ ...route, url }, alice, 'ACME/tiny')
    const location = url.replace('{R}', 'alice/moved')
    expect([answer.status, answer.headers['location']]).toEqual([307, location])
    expect(answer.body).toBe(`Temporary Redirect. Redirecting to ${location}`)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(world.hubEvents()).toEqual([])
  })

  test('has its redirects in the OpenAPI document', async () => {
    const ofRepos = (await describedOperations()).filter(
      ([operation]) =>
        // An address that carries a permission of its own names the repo by its id, too.
        !operation.endsWith('/{oid}') &&
        repoRoutes.some((route) => isOperationOf(route, operation)),
    )
    const silent = ofRepos.filter(([, { responses }]) => !('307' in responses))
    expect(silent.map(([operation]) => operation)).toEqual([])
    expect(ofRepos.length).toBeGreaterThan(20)
  })

  test.each([
    ['model', '/'],
    ['dataset', '/datasets/'],
    ['space', '/spaces/'],
  ] as const)('redirects browsers, too: a %s', async (type, prefix) => {
    const other = world.makeRepo('acme/old', { type, sdk: 'static' })
    moveRepo(world.deps, { repo: other, toName: 'alice/moved' })
    const answer = await as().get(`${prefix}acme/old?a=%2F`, undefined, { accept: 'text/html' })
    const location = `${prefix}alice/moved?a=%2F`
    expect([answer.status, answer.headers['location']]).toEqual([307, location])
  })
})
