import { beforeEach, describe, expect, test } from 'vitest'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { moveRepo } from '../../server/hub/repos/repos.ts'
import type { SpaceRuntime } from '../../server/hub/repos/space-runtime.ts'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, callerAt } from '../helpers/cast.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const world = testApp()
const { as } = world
let space: Repo
const alice = as('alice')
beforeEach(() => {
  space = world.makeRepo('acme/demo', { type: 'space', sdk: 'gradio' })
  world.events.length = 0
})

const of = '/api/spaces/acme/demo'
const told = () => world.hubEvents()
const secretValue = 'geheim-0815-AKIAIOSFODNN7'

const changes = [
  ['POST', 'hardware', { flavor: 't4-small' }],
  ['POST', 'sleeptime', { seconds: 60 }],
  ['POST', 'pause', undefined],
  ['POST', 'restart', undefined],
  ['POST', 'dev-mode', { enabled: true }],
  ['POST', 'storage', { tier: 'small' }],
  ['DELETE', 'storage', undefined],
  ['PUT', 'volumes', { volumes: [{ type: 'model', source: 'a/b', mountPath: '/b' }] }],
  ['DELETE', 'volumes', undefined],
  ['GET', 'variables', undefined],
  ['POST', 'variables', { key: 'A', value: '1' }],
  ['DELETE', 'variables', { key: 'A' }],
  ['GET', 'secrets', undefined],
  ['POST', 'secrets', { key: 'A', value: secretValue }],
  ['DELETE', 'secrets', { key: 'A' }],
] as const
const onMachine = changes.slice(0, 9)

describe('the runtime', () => {
  test('the runtime is readable with the Space and equals repo info', async () => {
    const answer = await as().get(`${of}/runtime`)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        stage: 'RUNNING',
        hardware: { current: 'cpu-basic', requested: 'cpu-basic' },
        storage: null,
        gcTimeout: 172_800,
        replicas: { requested: 1, current: 1 },
        devMode: false,
        domains: [{ domain: 'acme-demo.hf.space', stage: 'READY' }],
      },
    })
    await alice.post(`${of}/pause`)
    const { body } = await as().get<{ runtime: SpaceRuntime }>(of)
    expect(body.runtime).toEqual((await alice.get(`${of}/runtime`)).body)
    expect(body.runtime).toMatchObject({ stage: 'PAUSED', hardware: { current: null } })
  })

  test('each request changes the runtime and returns it', async () => {
    const post = (path: string, body?: object) => alice.post<SpaceRuntime>(`${of}/${path}`, body)
    const hardware = { flavor: 't4-small', sleepTimeSeconds: 3600 }
    expect(await post('hardware', hardware)).toMatchObject({
      status: 200,
      body: { hardware: { current: 't4-small', requested: 't4-small' }, gcTimeout: 3600 },
    })
    expect((await post('sleeptime', { seconds: -1 })).body.gcTimeout).toBeNull()
    expect((await post('dev-mode', { enabled: true })).body.devMode).toBe(true)
    expect((await post('storage', { tier: 'small' })).body.storage).toBe('small')
    expect((await post('pause')).body.stage).toBe('PAUSED')
    expect((await post('restart?factory=true')).body.stage).toBe('BUILDING')
    expect((await alice.get(`${of}/runtime`)).body).toMatchObject({
      stage: 'RUNNING',
      hardware: { current: 't4-small' },
      gcTimeout: null,
      storage: 'small',
      devMode: true,
    })
    expect((await alice.delete(`${of}/storage`)).body).toMatchObject({ storage: null })
    expect(told()).toEqual([])
  })

  test('free hardware sleeps after 48 hours without activity, and wakes', async () => {
    const stage = async () => (await alice.get<SpaceRuntime>(`${of}/runtime`)).body.stage
    const hour = 3_600_000
    const sleep = () => world.clock.advance(48 * hour)
    world.clock.advance(47 * hour)
    await alice.post(`${of}/restart`)
    world.clock.advance(47 * hour)
    expect(await stage()).toBe('RUNNING')
    world.clock.advance(hour)
    const { body } = await as().get<{ runtime: SpaceRuntime }>(of)
    expect(body.runtime).toMatchObject({
      stage: 'SLEEPING',
      hardware: { current: null, requested: 'cpu-basic' },
      gcTimeout: 172_800,
    })
    await as().get('/spaces/acme/demo', undefined, { accept: 'text/html' })
    expect(await stage()).toBe('RUNNING')
    sleep()
    expect((await alice.post(`${of}/restart`)).body).toMatchObject({ stage: 'BUILDING' })
    expect(await stage()).toBe('RUNNING')
    await alice.post(`${of}/hardware`, { flavor: 't4-small' })
    sleep()
    expect(await stage()).toBe('RUNNING')
    await alice.post(`${of}/sleeptime`, { seconds: 3600 })
    expect(await stage()).toBe('SLEEPING')
    await alice.post(`${of}/pause`)
    expect(await stage()).toBe('PAUSED')
  })

  test('volumes are returned, those of repos read-only', async () => {
    const bucket = { type: 'bucket', source: 'alice/data', mountPath: '/data', path: 'deep' }
    const repo = { type: 'dataset', source: 'acme/corpus', mountPath: '/corpus', revision: 'v1' }
    const put = (volumes: object[]) => alice.put<SpaceRuntime>(`${of}/volumes`, { volumes })
    const set = [bucket, { ...repo, readOnly: true }]
    expect((await put([bucket, { ...repo, readOnly: false }])).body).toMatchObject({ volumes: set })
    expect((await alice.get(`${of}/runtime`)).body).toMatchObject({ volumes: set })
    expect((await put([bucket])).body.volumes).toEqual([bucket])
    expect((await alice.delete(`${of}/volumes`)).body).not.toHaveProperty('volumes')
    expect((await put([])).body).not.toHaveProperty('volumes')
    expect(told()).toEqual([])
  })

  test('is found by its subdomain and names its host, to those who see it', async () => {
    const { body } = await as().get<{ id: string; runtime: SpaceRuntime }>(
      '/api/spaces/by-subdomain/ACME-demo',
    )
    expect([body.id, body.runtime.stage]).toEqual(['acme/demo', 'RUNNING'])
    const host = await as().get(`${of}/host`)
    expect(host.body).toEqual({ subdomain: 'acme-demo', host: 'https://acme-demo.hf.space' })
    await alice.post('/api/repos/create', {
      type: 'space',
      sdk: 'static',
      name: 'own',
      private: true,
    })
    const paths = ['/api/spaces/by-subdomain/alice-own', '/api/spaces/alice/own/host']
    const statuses = async (user: Caller) =>
      Promise.all(paths.map(async (path) => (await user.get(path)).status))
    expect(await statuses(alice)).toEqual([200, 200])
    expect(await statuses(as('carol'))).toEqual([404, 404])
    expect(await statuses(as())).toEqual([401, 401])
    expect((await alice.get(paths[1] ?? '')).body).toMatchObject({
      host: 'https://alice-own.static.hf.space',
    })
    const unknown = await alice.get('/api/spaces/by-subdomain/none')
    expect([unknown.status, unknown.headers['x-error-code']]).toEqual([404, 'RepoNotFound'])
  })

  test('words of the hub are nobody’s Space', async () => {
    const words = ['zero-gpu/other', 'semantic-search/other', 'trending', 'templates/x']
    for (const word of words) {
      const { status, headers, body } = await alice.get(`/api/spaces/${word}`)
      expect([status, headers['x-error-code']]).toEqual([501, undefined])
      expect(body).toMatchObject({ error: expect.stringContaining(`/api/spaces/${word} is not`) })
      expect((await alice.head(`/api/spaces/${word}`)).status).toBe(501)
    }
    expect((await alice.get('/api/models/trending/x/tree/main')).status).toBe(501)
    expect((await alice.get('/api/spaces/nobody/other')).status).toBe(404)
  })

  test('the runtime begins with the options of the Space', async () => {
    const volumes = [{ type: 'bucket', source: 'alice/data', mountPath: '/data' }]
    const make = (body: object) =>
      alice.post<{ error: string }>('/api/repos/create', { type: 'space', sdk: 'gradio', ...body })
    expect((await make({ name: 'made', volumes, region: 'eu' })).status).toBe(200)
    const made = await alice.get<{ tags: string[] }>(
      '/api/spaces/alice/made?expand=region&expand=runtime&expand=tags',
    )
    expect(made.body).toMatchObject({ region: 'eu', runtime: { volumes } })
    expect(made.body.tags).toContain('region:eu')
    const copied = await alice.post('/api/spaces/alice/made/duplicate', {
      repository: 'alice/copied',
    })
    expect(copied.status).toBe(200)
    const copy = await alice.get<{ runtime: SpaceRuntime }>(
      '/api/spaces/alice/copied?expand=region&expand=runtime',
    )
    // Where it is kept goes along, the machine does not.
    expect(copy.body).toMatchObject({ region: 'eu' })
    expect(copy.body.runtime).not.toHaveProperty('volumes')

    const card = { short_description: 'Says: "hi"', sdkVersion: '5.0.1', devModeEnabled: true }
    const license = { license: 'other', license_name: 'my-own', license_link: 'LICENSE' }
    expect((await make({ name: 'card', ...card, ...license })).status).toBe(200)
    const path = '/api/spaces/alice/card?expand=cardData&expand=runtime'
    expect((await alice.get(path)).body).toMatchObject({
      cardData: {
        short_description: 'Says: "hi"',
        sdk_version: '5.0.1',
        license: 'other',
        license_name: 'my-own',
        license_link: 'LICENSE',
      },
      runtime: { devMode: true },
    })
    for (const wrong of [
      { short_description: 'x'.repeat(61) },
      { license_name: 'My own' },
      { sdk: 'streamlit' },
    ]) {
      expect((await make({ name: 'more', ...wrong })).status).toBe(400)
    }

    const refused = await make({ name: 'more', template: 'streamlit/template' })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'Unknown template: streamlit/template' },
    })
    expect((await make({ name: 'more', sdk: 'static', volumes })).body.error).toMatch(
      /static Space/,
    )
    expect((await make({ name: 'more', region: 'mars' })).status).toBe(400)
    expect(world.state.repos.find('name', 'space alice/more')).toBeUndefined()
  })

  test.each([
    ['POST', 'hardware', { flavor: 'abacus' }, /Unknown hardware: abacus/],
    ['POST', 'hardware', {}, /flavor/],
    ['POST', 'hardware', { flavor: 't4-small', sleepTimeSeconds: '60' }, /sleepTimeSeconds/],
    ['POST', 'sleeptime', { seconds: 0 }, /sleep time/],
    ['POST', 'sleeptime', { seconds: 1.5 }, /seconds/],
    ['POST', 'dev-mode', { enabled: 'yes' }, /enabled/],
    ['POST', 'storage', { tier: 'huge' }, /Unknown storage: huge/],
    ['DELETE', 'storage', undefined, /no persistent storage/],
    ['DELETE', 'volumes', undefined, /no volumes/],
    ['PUT', 'volumes', {}, /volumes/],
    [
      'PUT',
      'volumes',
      { volumes: [{ type: 'model', source: 'b', mountPath: '/b' }] },
      /namespace\/name, not b/,
    ],
    [
      'PUT',
      'volumes',
      { volumes: [{ type: 'model', source: 'a/b', mountPath: 'b' }] },
      /begins with a slash: b/,
    ],
    [
      'PUT',
      'volumes',
      {
        volumes: ['a/b', 'a/c'].map((source) => ({ type: 'model', source, mountPath: '/b' })),
      },
      /mount path \/b/,
    ],
  ] as const)('invalid changes are refused: %s %s %o', async (method, path, body, text) => {
    const answer = await alice.send(method, `${of}/${path}`, body)
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(text) } })
    expect(world.state.repos.get(space.id)).toEqual(space)
  })

  test.each(onMachine)(
    'the runtime of a static Space cannot be changed: %s %s',
    async (method, path, body) => {
      const content = '---\nsdk: static\n---\n'
      const operations = [{ kind: 'add' as const, path: 'README.md', content }]
      commitFiles(world.deps, { repo: space, revision: 'main', operations, title: 'Static' })
      const answer = await alice.send(method, `${of}/${path}`, body)
      expect(answer).toMatchObject({ status: 400, body: { error: /static Space/ } })
      const { body: runtime } = await alice.get(`${of}/runtime`)
      expect(runtime).toMatchObject({
        stage: 'RUNNING',
        hardware: { current: null, requested: null },
      })
      expect(runtime).not.toHaveProperty('gcTimeout')
    },
  )
})

describe('variables', () => {
  test('each change returns all variables and emits an event', async () => {
    const path = `${of}/variables`
    const made = await alice.post(path, { key: 'A', value: '1', description: 'One' })
    const updatedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const all = { A: { key: 'A', value: '1', description: 'One', updatedAt } }
    expect(made).toMatchObject({ status: 200, body: all })
    const more = await alice.post(path, { key: 'B' })
    expect(more.body).toEqual({ ...all, B: { key: 'B', value: '', updatedAt } })
    expect((await alice.get(path)).body).toEqual(more.body)
    expect((await alice.delete(path, { key: 'B' })).body).toEqual(all)
    expect(await alice.delete(path, { key: 'B' })).toMatchObject({
      status: 200,
      body: all,
    })
    const config = { scope: 'repo.config', action: 'update', updatedConfig: {} }
    expect(told()).toMatchObject([config, config, config])
  })
})

describe('secrets', () => {
  test('secrets are listed by name, and changes emit an event', async () => {
    const path = `${of}/secrets`
    const body = { key: 'TOKEN', value: secretValue, description: 'Of whom' }
    expect(await alice.post(path, body)).toMatchObject({ status: 200, body: {} })
    const { body: all } = await alice.get(path)
    const updatedAt = expect.any(String)
    expect(all).toEqual({ TOKEN: { key: 'TOKEN', description: 'Of whom', updatedAt } })
    expect(await alice.delete(path, { key: 'TOKEN' })).toMatchObject({ status: 200 })
    expect(await alice.delete(path, { key: 'TOKEN' })).toMatchObject({
      status: 200,
      body: {},
    })
    expect((await alice.get(path)).body).toEqual({})
    const config = { scope: 'repo.config', action: 'update', updatedConfig: {} }
    expect(told()).toMatchObject([config, config])
  })

  test('values of secrets appear in no response, record, event or state', async () => {
    const secret = { key: 'TOKEN', value: secretValue }
    const made = { name: 'made', type: 'space', sdk: 'gradio', secrets: [secret] }
    const bodies: [string, object | string][] = [
      [`${of}/secrets`, secret],
      [`${of}/secrets`, { key: 'no name', value: secretValue }],
      [`${of}/secrets`, { name: 'TOKEN', data: secretValue }],
      [`${of}/secrets`, { key: 'TOKEN', value: [secretValue] }],
      [`${of}/secrets`, { key: 'TOKEN', value: { of: secretValue } }],
      [`${of}/secrets`, [secretValue]],
      [`${of}/secrets`, JSON.stringify(secretValue)],
      [`${of}/secrets`, `{"key":"TOKEN","value":"${secretValue}`],
      ['/api/spaces/acme/none/secrets', secret],
      ['/api/repos/create', made],
      ['/api/repos/create', made],
      ['/api/repos/create', { ...made, name: 'other', secrets: { TOKEN: secretValue } }],
      ['/api/repos/create', { ...made, name: 'other', secrets: [secretValue] }],
      ['/api/repos/create', { ...made, name: 'other', secrets: secretValue }],
      [`${of}/duplicate`, { repository: 'alice/copy', secrets: [secret] }],
    ]
    const answers = []
    for (const [path, body] of bodies) {
      answers.push(await alice.post<{ error?: string }>(path, body))
      answers.push(await as().post<{ error?: string }>(path, body))
    }
    for (const path of ['acme/demo', 'alice/made', 'alice/copy']) {
      const { body } = await alice.get(`/api/spaces/${path}/secrets`)
      expect(body).toEqual({ TOKEN: { key: 'TOKEN', updatedAt: expect.any(String) } })
      answers.push(await alice.get<{ error?: string }>(`/api/spaces/${path}`))
    }
    const records = world.requests.values()
    const repos = [...world.state.repos.values()]
    const all = JSON.stringify([answers, records, world.events, repos])
    expect(records.length).toBe(bodies.length * 2 + 6)
    expect(all.includes(secretValue)).toBe(false)
    const noted = records.find(({ url, status }) => url === `${of}/secrets` && status === 200)
    expect(noted?.request.body).toEqual({ key: 'TOKEN', value: '…' })
    expect(answers.find(({ body }) => /not a string/.test(body.error ?? ''))).toBeDefined()
  })
})

test.each([
  ['application/x-www-form-urlencoded', `key=TOKEN&value=${secretValue}`],
  ['text/plain', secretValue],
  ['application/json', `{"key":"TOKEN","value":"${secretValue.repeat(1000)}"}`],
])('a secret in a malformed body is not recorded: %s', async (type, payload) => {
  for (const url of [`${of}/secrets`, '/api/repos/create']) {
    const answer = await alice.post(url, payload, { 'content-type': type })
    const kept = JSON.stringify([answer.body, world.requests.values().at(-1), world.events])
    expect(kept.includes(secretValue)).toBe(false)
  }
})

describe('variables and secrets', () => {
  test.each(['variables', 'secrets'])(
    'names are those of environment variables: %s',
    async (path) => {
      for (const key of ['', 'A B', '1A', 'A-B', '__proto__']) {
        const body = `{"key":${JSON.stringify(key)},"value":"1"}`
        const answer = await alice.post(`${of}/${path}`, body)
        expect([key, answer.status]).toEqual([key, 400])
      }
      for (const body of [{ value: '1' }, { key: 'A', value: 1 }]) {
        expect((await alice.post(`${of}/${path}`, body)).status).toBe(400)
      }
      expect((await alice.delete(`${of}/${path}`, {})).status).toBe(400)
      expect((await alice.get(`${of}/${path}`)).body).toEqual({})
    },
  )

  test('one without a value is empty', async () => {
    for (const path of ['variables', 'secrets']) {
      expect((await alice.post(`${of}/${path}`, { key: 'A' })).status).toBe(200)
    }
    const { body } = await alice.get<Record<string, { value: string }>>(`${of}/variables`)
    expect(body['A']?.value).toBe('')
    const made = { name: 'second', type: 'space', sdk: 'docker', variables: [{ key: 'A' }] }
    expect((await alice.post('/api/repos/create', made)).status).toBe(400)
  })

  test('a static Space has them, too', async () => {
    world.makeRepo('alice/page', { type: 'space', sdk: 'static' })
    const body = { key: 'A', value: '1' }
    for (const path of ['variables', 'secrets']) {
      const answer = await alice.post(`/api/spaces/alice/page/${path}`, body)
      expect(answer.status).toBe(200)
    }
  })
})

describe('each change', () => {
  test.each(changes)('write access is required: %s %s', async (method, path, body) => {
    const url = `${of}/${path}`
    const status = async (user: Caller, at = url) => (await user.send(method, at, body)).status
    const nobody = await as().send(method, url, body)
    expect(nobody).toMatchObject({ status: 401, body: { error: 'Invalid username or password.' } })
    expect(await status(as('mallory'))).toBe(403)
    expect(await status(as('carol'))).toBe(403)
    expect(await status(as('alice', { role: 'read' }))).toBe(403)
    const organizationIds = [world.organizations.acme.id]
    const app = (scopes: string[]) =>
      as('alice', { kind: 'oauth', clientId: 'any', scopes, organizationIds })
    const narrow = await app(['openid', 'write-repos']).send(method, url, body)
    expect(narrow.status).toBe(403)
    expect(narrow.headers['www-authenticate']).toContain('scope="manage-repos"')
    expect(world.state.repos.get(space.id)).toEqual(space)
    const lacksIt = method === 'DELETE' && (path === 'storage' || path === 'volumes')
    const done = lacksIt ? 400 : 200
    expect(await status(app(['openid', 'manage-repos']))).toBe(done)
    expect(await status(as('bob'))).toBe(done)

    for (const [at, code] of [
      ['/api/spaces/acme/none', 404],
      ['/api/models/acme/demo', 404],
    ] as const) {
      expect(await status(as('alice'), `${at}/${path}`)).toBe(at.includes('models') ? 501 : code)
    }
  })

  test.each([...changes, ['GET', 'runtime', undefined] as const])(
    'a hidden or moved Space is not changed: %s %s',
    async (method, path, body) => {
      world.makeRepo('acme/own', { type: 'space', sdk: 'gradio', visibility: 'private' })
      const hidden = await as('carol').send(method, `/api/spaces/acme/own/${path}`, body)
      expect(hidden).toMatchObject({
        status: 404,
        headers: { 'x-error-code': 'RepoNotFound' },
      })
      moveRepo(world.deps, { repo: space, toName: 'alice/moved' })
      const moved = await alice.send(method, `${of}/${path}`, body)
      expect([moved.status, moved.headers['location']]).toEqual([
        307,
        `/api/spaces/alice/moved/${path}`,
      ])
    },
  )
})

describe('a Space created with options', () => {
  const options = {
    hardware: 't4-small',
    storageTier: 'medium',
    sleepTimeSeconds: 60,
    secrets: [{ key: 'TOKEN', value: secretValue }],
    variables: [{ key: 'MODE', value: 'fast', description: 'How' }],
  }
  const runtime = {
    hardware: { current: 't4-small', requested: 't4-small' },
    storage: 'medium',
    gcTimeout: 60,
  }

  test.each([
    ['made', '/api/repos/create', { name: 'new', type: 'space', sdk: 'docker', ...options }],
    ['copied', `${of}/duplicate`, { repository: 'alice/new', ...options }],
  ])('the Space has its options: %s', async (_, url, body) => {
    expect((await alice.post(url, body)).status).toBe(200)
    const read = async (path: string) => (await alice.get(`/api/spaces/alice/new${path}`)).body
    expect(await read('/runtime')).toMatchObject(runtime)
    expect(await read('')).toMatchObject({ runtime })
    expect(await read('/variables')).toMatchObject({ MODE: { value: 'fast', description: 'How' } })
    expect(await read('/secrets')).toMatchObject({ TOKEN: { key: 'TOKEN' } })
    expect(told()).toMatchObject([{ scope: 'repo', action: 'create' }])
  })

  test.each([{ hardware: 'abacus' }, { storageTier: 'huge' }, { sleepTimeSeconds: 0 }])(
    'the options %o are refused',
    async (wrong) => {
      const made = { name: 'new', type: 'space', sdk: 'docker', ...wrong }
      expect((await alice.post('/api/repos/create', made)).status).toBe(400)
      const copied = { repository: 'alice/new', ...wrong }
      expect((await alice.post(`${of}/duplicate`, copied)).status).toBe(400)
      expect((await alice.get('/api/spaces/alice/new')).status).toBe(404)
    },
  )
})

test('hardware and templates are listed without a token', async () => {
  const hardware = await as().get<object[]>('/api/spaces/hardware')
  expect(hardware.status).toBe(200)
  expect(hardware.body[0]).toMatchObject({ name: 'cpu-basic', prettyName: 'CPU Basic' })
  const templates = await as().get('/api/spaces/templates')
  expect(templates).toMatchObject({ status: 200, body: { templates: [] } })
})

test('settings of a Space survive a restart', async () => {
  const data = temporaryDirectory()
  const demo = '/api/spaces/alice/sentiment-demo'
  const first = await startSandbox({ data })
  const user = callerAt(first, 'hf_sandbox_alice')
  await user.post(`${demo}/hardware`, { flavor: 't4-small', sleepTimeSeconds: 60 })
  await user.post(`${demo}/secrets`, { key: 'TOKEN', value: secretValue })
  await user.post(`${demo}/variables`, { key: 'MODE', value: 'fast' })
  await user.post(`${demo}/pause`)
  const settingsOf = (sandbox: Sandbox) =>
    Promise.all(
      ['runtime', 'secrets', 'variables'].map(async (path) => {
        const reader = callerAt(sandbox, 'hf_sandbox_alice')
        return (await reader.get(`${demo}/${path}`)).body
      }),
    )
  const before = await settingsOf(first)
  const exported = await first.control('GET', 'export?log=1')
  expect(JSON.stringify(exported)).not.toContain(secretValue)
  await first.close()
  const second = await startSandbox({ data })
  const after = await settingsOf(second)
  await second.close()
  expect(after).toEqual(before)
  expect(after[0]).toMatchObject({ stage: 'PAUSED', hardware: { requested: 't4-small' } })
})

describe('the event streams of a Space', () => {
  test('tell its present runtime, and that nothing is measured', async () => {
    const events = await as('carol').get<string>(`${of}/events`)
    expect(events.headers['content-type']).toContain('text/event-stream')
    const { data = '' } = /^retry: 5000\ndata: (?<data>.*)\n\n$/.exec(events.body)?.groups ?? {}
    expect(JSON.parse(data)).toEqual((await alice.get(`${of}/runtime`)).body)
    expect((await alice.get<string>(`${of}/metrics`)).body).not.toContain('data:')
    expect((await as('carol').get(`${of}/metrics`)).status).toBe(403)
  })
})
