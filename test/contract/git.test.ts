import { createHash, randomBytes } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { flushPacket, packetOf } from '../../server/hub/git/pkt-line.ts'
import { openPullRequest } from '../../server/hub/discussions/pull-requests.ts'
import { moveRepo } from '../../server/hub/repos/repos.ts'
import { gitObjectId } from '../../server/store/objects/object-id.ts'
import { type TestApp, testApp } from '../helpers/app.ts'
import { type Caller, callerWith, gitCaller, outcomeOf } from '../helpers/cast.ts'
import { hasGit } from '../helpers/git-client.ts'

const world = testApp()

const make = (more: Parameters<TestApp['makeRepo']>[1] = {}) => world.makeRepo('acme/model', more)

type Pack = 'git-upload-pack' | 'git-receive-pack'
const git = (name: keyof TestApp['users'], password?: string) => gitCaller(world, name, password)
const refsOf = (path: string, user = world.as(), service: Pack = 'git-upload-pack') =>
  user.get<string>(`${path}/info/refs?service=${service}`)
const post = (path: string, service: Pack, body: string | Buffer, user: Caller, headers = {}) =>
  user.post<string>(`${path}/${service}`, body, {
    'content-type': `application/x-${service}-request`,
    ...headers,
  })
const ask = (path: string, body: string | Buffer, user = world.as(), headers = {}) =>
  post(path, 'git-upload-pack', body, user, headers)
const push = (body: string | Buffer = '0000', user = git('bob')) =>
  post('/acme/model', 'git-receive-pack', body, user)
/** Line of a push that moves or creates a ref. */
const change = (from: string | undefined, to: string, ref = 'refs/heads/main') =>
  packetOf(`${from} ${to} ${ref}\0report-status`)

const challenge = 'Basic realm="Authentication required", charset="UTF-8"'

describe('git over HTTP: access to fetch', () => {
  test('asks for credentials if nobody is signed in and the repo may be hidden', async () => {
    make({ visibility: 'private' })
    for (const path of [
      '/acme/model',
      '/acme/model.git',
      '/acme/none',
      '/datasets/acme/none.git',
    ]) {
      const answer = await refsOf(path)
      expect(answer.status).toBe(401)
      expect(answer.headers).toMatchObject({
        'www-authenticate': challenge,
        'content-type': 'text/plain; charset=utf-8',
        'x-error-code': 'RepoNotFound',
      })
      expect(answer.body).toBe('Invalid username or password.\n')
    }
    expect((await ask('/acme/model', '0000')).status).toBe(401)
  })

  test('a hidden repo is not found', async () => {
    make({ visibility: 'private' })
    const answer = await refsOf('/acme/model', git('dana'))
    expect([answer.status, answer.body]).toEqual([404, 'Repository not found\n'])
    expect(answer.headers).not.toHaveProperty('www-authenticate')
    expect(world.requests.values().at(-1)).toMatchObject({
      error: 'RepoNotFound',
      detail: expect.stringContaining('dana has no part in it') as string,
    })
  })

  test.each([
    ['Basic', 'hf_unknown', 'no such token was issued'],
    ['Basic', '', 'the password is empty'],
    ['Bearer', 'hf_unknown', 'no such token was issued'],
  ])('refuses %s with %j', async (scheme, token, detail) => {
    make()
    const user = scheme === 'Basic' ? git('alice', token) : callerWith(world, token)
    const answer = await refsOf('/acme/model', user)
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(challenge)
    expect(answer.body).toBe('Invalid credentials in Authorization header\n')
    const record = world.requests.values().at(-1)
    expect(record).toMatchObject({ error: 'invalid_token' })
    expect(record?.detail).toContain(detail)
    expect(record?.clientId).toBeUndefined()
  })

  test('refuses the password of an account with the message of the hub', async () => {
    make()
    for (const answer of [
      await refsOf('/acme/model', git('alice', 'my password')),
      await refsOf('/acme/model', git('alice', 'my password'), 'git-receive-pack'),
    ]) {
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge])
      expect(answer.body).toBe(
        'Password authentication in git is no longer supported. You must use a user access token or an SSH key instead. See https://huggingface.co/blog/password-git-deprecation\n',
      )
    }
    expect(world.requests.values().at(-1)?.detail).toContain('access tokens begin with hf_')
  })

  test('checks the gate, since a clone has the files', async () => {
    const repo = make()
    world.state.repos.put({ ...repo, gated: 'manual' })
    const anonymous = await refsOf('/acme/model')
    expect(outcomeOf(anonymous)).toBe('401 GatedRepo')
    const dana = git('dana')
    for (const answer of [
      await refsOf('/acme/model', dana),
      await ask('/acme/model', '0000', dana),
    ]) {
      expect(outcomeOf(answer)).toBe('403 GatedRepo')
      expect(answer.body).toContain('you are not in the authorized list')
    }
  })

  test('redirects to the current name of a repo, in either spelling', async () => {
    const repo = world.makeRepo('acme/old', { type: 'dataset' })
    moveRepo(world.deps, { repo, toName: 'acme/new', actorId: world.users.alice.id })
    const query = '/info/refs?service=git-upload-pack'
    for (const [name, location] of [
      ['/datasets/acme/old', '/datasets/acme/new'],
      ['/datasets/acme/old.git', '/datasets/acme/new.git'],
    ]) {
      const answer = await world.as().get(`${name}${query}`)
      expect([answer.status, answer.headers.location]).toEqual([307, `${location}${query}`])
      const posted = await ask(name ?? '', '0000')
      expect([posted.status, posted.headers.location]).toEqual([307, `${location}/git-upload-pack`])
    }
  })
})

describe('git over HTTP: access to push', () => {
  const asked = (user: Caller) => refsOf('/acme/model.git', user, 'git-receive-pack')

  test('asks for credentials, even for a public repo', async () => {
    make()
    for (const answer of [await asked(world.as()), await push('0000', world.as())]) {
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge])
    }
  })

  test('explains a refusal', async () => {
    make()
    for (const [user, text] of [
      [world.as('mallory'), 'needs the write right'],
      [world.as('alice', { role: 'read' }), 'needs a write token'],
    ] as const) {
      for (const answer of [await asked(user), await push('0000', user)]) {
        expect(answer.status).toBe(403)
        expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
        expect(answer.body).toContain(text)
      }
    }
  })

  test('tells the author of a pull request with a read token that write access is needed', async () => {
    const repo = make()
    for (const author of ['mallory', 'alice'] as const) {
      openPullRequest(world.deps, { repo, title: 'Offer', actorId: world.users[author].id })
    }
    for (const [author, text] of [
      ['mallory', 'Committing, branching and tagging needs the write right'],
      ['alice', 'Committing, branching and tagging needs a write token'],
    ] as const) {
      const readOnly = world.as(author, { role: 'read' })
      for (const answer of [await asked(readOnly), await push('0000', readOnly)]) {
        expect([answer.status, answer.body]).toEqual([403, `${text}\n`])
      }
    }
    expect((await asked(git('mallory'))).status).toBe(200)
  })

  test.skipIf(!hasGit)('lists the refs, and lets a client check its access', async () => {
    const repo = make()
    const refs = await asked(world.as('bob'))
    expect(refs.status).toBe(200)
    expect(refs.headers).toMatchObject({
      'content-type': 'application/x-git-receive-pack-advertisement',
      'cache-control': 'no-cache, max-age=0, must-revalidate',
    })
    expect(refs.body).toContain(`${repo.refs['refs/heads/main']} refs/heads/main\0`)
    const probe = await push('0000', world.as('bob'))
    expect([probe.status, probe.body]).toEqual([200, ''])
    expect(probe.headers['content-type']).toBe('application/x-git-receive-pack-result')
  })

  test.each([
    ['what', 400, 'is no length of a line'],
    ['0008abcd0000', 400, 'invalid command: "abcd"'],
    ['', 400, 'ends before its commands do'],
  ])('refuses %j', async (payload, status, text) => {
    make()
    const answer = await push(payload)
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(text) as string])
  })

  test('refuses a name that is too long for a file or not UTF-8, with the reason', async () => {
    const repo = make()
    const none = '0'.repeat(40)
    const names = [Buffer.alloc(251, 'n'), Buffer.of(0x62, 0xff), Buffer.of(0x62, 0xfe)]
    const refs = names.map((name) => Buffer.concat([Buffer.from('refs/heads/'), name]))
    const lines = refs.map((ref, index) =>
      packetOf(
        Buffer.concat([
          Buffer.from(`${none} ${repo.refs['refs/heads/main']} `),
          ref,
          Buffer.from(index === 0 ? '\0report-status' : ''),
        ]),
      ),
    )
    const answer = await push(Buffer.concat([...lines, flushPacket]))
    for (const ref of refs) {
      const told = [Buffer.from('ng '), ref, Buffer.from(' this name is not possible\n')]
      expect(answer.bytes.includes(Buffer.concat(told))).toBe(true)
    }
    expect(world.state.repos.get(repo.id)).toBe(repo)
  })

  test.skipIf(!hasGit)('changes no ref if the pack is invalid', async () => {
    const repo = make()
    world.events.length = 0
    const line = change(world.head(repo), '1'.repeat(40))
    const answer = await push(Buffer.concat([line, flushPacket, Buffer.from('PACK and no more')]))
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('ng refs/heads/main unpacker error\n')
    expect(world.state.repos.get(repo.id)).toBe(repo)
    expect(world.hubEvents()).toEqual([])
    expect(world.requests.values().at(-1)).toMatchObject({
      error: 'push_declined',
      detail: expect.stringContaining('refs/heads/main: unpacker error') as string,
    })
    await world.deps.objects.close()
  })
})

describe.skipIf(!hasGit)('git over HTTP: an invalid pack', () => {
  const header = (version: number, count: number) => {
    const bytes = Buffer.alloc(12, 'PACK')
    bytes.writeUInt32BE(version, 4)
    bytes.writeUInt32BE(count, 8)
    return bytes
  }
  const ended = (bytes: Buffer) => Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])

  test.each<[string, Buffer]>([
    ['nothing', Buffer.of()],
    ['a few bytes', Buffer.from('PA')],
    ['no pack', Buffer.alloc(3_000_000, 'x')],
    ['an unknown version', ended(header(9, 0))],
    ['an unknown version, and much behind it', Buffer.concat([header(9, 1), randomBytes(3e6)])],
    ['no objects', ended(header(2, 0))],
    ['more objects than it holds', ended(header(2, 4_000_000_000))],
    ['an unknown kind of object', ended(Buffer.concat([header(2, 1), Buffer.of(0x51)]))],
    ['an object that is not compressed', Buffer.concat([header(2, 1), randomBytes(3e6)])],
    ['another checksum', Buffer.concat([header(2, 0), Buffer.alloc(20)])],
  ])('with %s is an error that git shows, and changes no ref', async (_what, pack) => {
    const repo = make()
    const line = change(world.head(repo), '1'.repeat(40))
    const answer = await push(Buffer.concat([line, flushPacket, pack]))
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.stringMatching(/ng refs\/heads\/main (unpacker error|missing necessary objects)\n/),
    ])
    expect(world.state.repos.get(repo.id)).toBe(repo)
    await world.deps.objects.close()
  })
})

describe.skipIf(!hasGit)('git over HTTP: a branch that does not point to a commit', () => {
  test.each(['tag', 'tree', 'blob'] as const)(
    'is refused for a %s, new or existing, and nothing of the push is kept',
    async (type) => {
      const repo = make()
      const objects = world.deps.objects.of(repo)
      const main = repo.refs['refs/heads/main'] ?? ''
      const content =
        type === 'tag'
          ? Buffer.from(`object ${main}\ntype commit\ntag v9\ntagger a <a@b.c> 1 +0000\n\nt\n`)
          : Buffer.from(type === 'blob' ? 'x' : '')
      const kinds = { tree: 2, blob: 3, tag: 4 }
      const size = content.length
      const start = (kinds[type] << 4) | (size & 15) | (size > 15 ? 0x80 : 0)
      const object = [Buffer.of(start), ...(size > 15 ? [Buffer.of(size >> 4)] : [])]
      const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1')
      const bytes = Buffer.concat([head, ...object, deflateSync(content)])
      const pack = Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])
      const id = gitObjectId(type, content)
      const line = change('0'.repeat(40), id, 'refs/heads/rel')
      for (const isNew of [true, false]) {
        if (!isNew) objects.write(type, content)
        const answer = await push(Buffer.concat([line, flushPacket, pack]))
        expect([answer.status, answer.body]).toEqual([
          200,
          expect.stringContaining(
            `ng refs/heads/rel it leads to a ${type}, not to a commit\n`,
          ) as string,
        ])
        expect(world.state.repos.get(repo.id)).toBe(repo)
      }
      await world.deps.objects.close()
    },
  )
})

describe('git over HTTP: requests that git never sends', () => {
  test.each(['', '?service=git-upload-archive'])(
    'other protocols are refused: %s',
    async (query) => {
      make()
      const answer = await world.as().get(`/acme/model/info/refs${query}`)
      expect(answer.status).toBe(403)
      expect(answer.body).toBe('Only the smart HTTP protocol of git is supported\n')
    },
  )

  test.each([
    ['zzzz', {}, 400, 'is no length of a line'],
    ['0010command=what', {}, 400, 'Unknown command: what'],
    ['no gzip', { 'content-encoding': 'gzip' }, 400, 'damaged, or ended early'],
    [gzipSync('0000').subarray(0, 12), { 'content-encoding': 'gzip' }, 400, 'ended early'],
    ['0000', { 'content-encoding': 'br' }, 415, 'Unsupported content encoding: br'],
    ['0000', { 'content-type': 'text/plain' }, 415, 'Unsupported Media Type'],
    [gzipSync(Buffer.alloc(17 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 413, 'too large'],
  ])('refuses %#', async (payload, headers, status, text) => {
    make()
    const answer = await ask('/acme/model', payload, world.as(), headers)
    expect(answer.status).toBe(status)
    expect(answer.body).toContain(text)
  })

  const want = (id: string, more = '') => `0032want ${id}\n${more}`
  test.skipIf(!hasGit).each<[version: number, question: (head: string) => string]>([
    [0, () => ''],
    [0, () => '000bwant x\n0000'],
    [0, (head) => want(head)],
    [0, (head) => want(head, '000ddeepen 0\n0000')],
    [0, (head) => want(head, '000eshallow x\n0000')],
    [0, (head) => want(head, '0000000bhave x\n0009done\n')],
    [2, () => '0012command=fetch\n0001'],
    [2, () => '0012command=fetch\n00010006x\n0000'],
    [2, () => '0014command=ls-refs\n00010006x\n0000'],
    [2, () => '0001'],
    [2, () => '0002'],
  ])('reports what git itself cannot read: protocol %i, %#', async (version, question) => {
    const { refs } = make()
    const answer = await ask('/acme/model', question(refs['refs/heads/main'] ?? ''), world.as(), {
      'git-protocol': `version=${version}`,
    })
    expect(answer.body).toMatch(/^Invalid git request: ./)
    expect(answer.status).toBe(400)
  })

  const line = (text: string) => packetOf(`${text}\n`).toString()
  const questions = {
    0: (head: string, how: string) => `${line(`want ${head}`)}${line(how)}0000${line('done')}`,
    2: (head: string, how: string) =>
      `${line('command=fetch')}0001${line(`want ${head}`)}${line(how)}${line('done')}0000`,
  }
  const nothingLeft = 'no commits selected for shallow requests'
  test.skipIf(!hasGit).each<[version: 0 | 2, how: string, reason: RegExp]>([
    [0, 'deepen-not main', RegExp(nothingLeft)],
    [2, 'deepen-not main', RegExp(nothingLeft)],
    [0, 'deepen-since 2500000000', RegExp(nothingLeft)],
    [2, 'deepen-since 2500000000', RegExp(nothingLeft)],
    [0, 'deepen-not none', /deepen-not.*none/],
    [2, 'deepen-not none', /deepen-not.*none/],
    [0, 'filter sparse:oid=main', /filter 'sparse:oid=main' not supported/],
    [2, `want ${'1'.repeat(40)}`, /not our ref 1{40}/],
  ])(
    'reports in a line of git what cannot be fetched: protocol %i, %s',
    async (version, how, reason) => {
      const { refs } = make()
      const question = questions[version](refs['refs/heads/main'] ?? '', how)
      const answer = await ask('/acme/model', question, world.as(), {
        'git-protocol': `version=${version}`,
      })
      expect(answer.status).toBe(200)
      expect(answer.body.match(/[0-9a-f]{4}ERR upload-pack: (.*)$/s)?.[1]).toMatch(reason)
      expect(world.requests.values().at(-1)).toMatchObject({
        error: 'fetch_declined',
        detail: expect.stringMatching(reason) as string,
      })
      await world.deps.objects.close()
    },
  )
})
