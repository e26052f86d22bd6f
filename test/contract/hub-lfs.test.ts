import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { lfsMediaType } from '../../server/contract/hub-lfs.ts'
import { partBytes } from '../../server/hub/uploads/lfs-batch.ts'
import { findLfsFile, forgetLfsFile, noteLfsFile } from '../../server/hub/files/lfs-objects.ts'
import { openPullRequest } from '../../server/hub/discussions/pull-requests.ts'
import { deleteRepo, moveRepo, updateRepoSettings } from '../../server/hub/repos/repos.ts'
import type { Repo } from '../../server/store/entities/hub-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, callerAt, gitCaller, outcomeOf } from '../helpers/cast.ts'
import { sendCut } from '../helpers/cut-request.ts'
import { download } from '../helpers/download.ts'
import {
  askTransfers,
  contentOf,
  type LfsBatch,
  lfsLine,
  uploadContent,
} from '../helpers/large-files.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const world = testApp()
let repo: Repo
const alice = world.as('alice')
const anyone = world.as()
beforeEach(() => {
  repo = world.makeRepo('acme/model')
})

// What the clients of a test upload is nobody else's: contents outlive the state.
let count = 0
const newBytes = (size = 40) => Buffer.alloc(size, `content ${++count} `)

const batch = (body: object, user = alice, page = '/acme/model.git', headers = {}) =>
  user.post<LfsBatch & { message: string }>(`${page}/info/lfs/objects/batch`, body, {
    'content-type': `${lfsMediaType}; charset=utf-8`,
    ...headers,
  })
const asked = async (operation: string, bytes: Buffer, more: object = {}) => {
  const { status, body } = await askTransfers(alice, '/acme/model', operation, [bytes], more)
  expect(status).toBe(200)
  return body.objects[0]
}
const hrefOf = async (operation: 'upload' | 'download', bytes: Buffer) =>
  (await asked(operation, bytes))?.actions?.[operation]?.href ?? ''
const put = (href: string, bytes: Buffer) => anyone.put(href, bytes)
const post = (href: string, body: object) =>
  anyone.post(href, body, { 'content-type': lfsMediaType })
const get = (href: string, headers = {}) => anyone.get(href, undefined, headers)
const isHere = (bytes: Buffer, of = repo) =>
  findLfsFile(world.deps, of, contentOf(bytes).oid) !== undefined
const upload = (bytes: Buffer) => uploadContent(alice, '/acme/model', bytes)
async function uploaded(size?: number): Promise<Buffer> {
  const bytes = newBytes(size)
  await upload(bytes)
  return bytes
}

const storageTagOf = (bytes: Buffer) => `"${contentOf(bytes).oid.slice(0, 32)}"`

describe('basic transfers', () => {
  test('a content is uploaded by a URL without a token, verified and downloaded', async () => {
    const bytes = newBytes()
    const before = await asked('upload', bytes)
    expect(before).toMatchObject({ ...contentOf(bytes), authenticated: true })
    const { upload: up, verify } = before?.actions ?? {}
    expect(up).toEqual({
      href: expect.stringContaining('/acme/model.git/info/lfs/objects/'),
    })
    expect((await post(verify?.href ?? '', contentOf(bytes))).status).toBe(404)
    const put1 = await put(up?.href ?? '', bytes)
    expect([put1.status, put1.body]).toEqual([200, ''])
    expect(put1.headers['etag']).toBe(storageTagOf(bytes))
    expect((await post(verify?.href ?? '', contentOf(bytes))).status).toBe(200)
    expect((await post(verify?.href ?? '', { ...contentOf(bytes), size: 1 })).status).toBe(404)

    const after = await asked('upload', bytes)
    expect(after).not.toHaveProperty('actions')
    const file = await get(await hrefOf('download', bytes))
    expect(file.bytes.equals(bytes)).toBe(true)
    expect(file.headers).toMatchObject({
      etag: storageTagOf(bytes),
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })

  test('a download supports ranges and ETags', async () => {
    const bytes = await uploaded()
    const href = await hrefOf('download', bytes)
    const part = await get(href, { range: 'bytes=2-5' })
    expect([part.status, part.headers['content-range']]).toEqual([206, 'bytes 2-5/40'])
    expect(part.bytes.equals(bytes.subarray(2, 6))).toBe(true)
    expect((await get(href, { range: 'bytes=40-' })).status).toBe(416)
    expect((await get(href, { 'if-none-match': storageTagOf(bytes) })).status).toBe(304)
    // A client that takes the hash of the repo for the entity tag of the storage starts again, as there.
    const sha256 = `"${contentOf(bytes).oid}"`
    expect((await get(href, { 'if-none-match': sha256 })).status).toBe(200)
  })

  test.each([
    ['localhost:7420', '127.0.0.1:7420'],
    ['127.0.0.1:7420', 'localhost:7420'],
    ['[::1]:7420', 'localhost:7420'],
    ['localhost:8000', '127.0.0.1:8000'],
    // It has no other name that each resolver knows.
    ['hub.localhost:7420', 'hub.localhost:7420'],
  ])(
    'a client that uses %s uploads to %s, and has it verified where it asked',
    async (host, storage) => {
      const question = { operation: 'upload', objects: [contentOf(newBytes())] }
      const answer = await batch(question, alice, undefined, { host })
      expect(answer.headers['content-type']).toContain(lfsMediaType)
      const { transfer, objects } = answer.body
      expect(transfer).toBe('basic')
      const { upload: up, verify } = objects[0]?.actions ?? {}
      expect(new URL(up?.href ?? '').host).toBe(storage)
      expect(new URL(verify?.href ?? '').host).toBe(host)
    },
  )

  test('parts go to the storage, and the report that they are all there to the Hub', async () => {
    const bytes = newBytes(partBytes + 1)
    const question = { operation: 'upload', transfers: ['multipart'], objects: [contentOf(bytes)] }
    const { objects } = (await batch(question)).body
    const { href = '', header = {} } = objects[0]?.actions?.upload ?? {}
    expect(new URL(href).hostname).toBe('localhost')
    expect(new URL(header['1'] ?? '').hostname).toBe('127.0.0.1')
  })

  test('a content is known only in the repo of its upload', async () => {
    const bytes = await uploaded()
    const other = world.makeRepo('acme/other', { type: 'dataset' })
    const question = { objects: [contentOf(bytes)] }
    const address = '/datasets/acme/other.git'
    const down = await batch({ operation: 'download', ...question }, alice, address)
    expect(down.body.objects[0]).toEqual({
      ...contentOf(bytes),
      error: { code: 404, message: 'The object is not in this repo' },
    })
    const up = await batch({ operation: 'upload', ...question }, alice, address)
    const href = up.body.objects[0]?.actions?.upload?.href ?? ''
    expect(href).toContain('/datasets/acme/other.git/')
    // Whoever knows the hash does not have the file: it has to come here, too.
    expect((await put(href, newBytes())).status).toBe(400)
    expect(isHere(bytes, other)).toBe(false)
    expect((await put(href, bytes)).status).toBe(200)
    expect(isHere(bytes, other)).toBe(true)
  })
})

describe('transfers in parts', () => {
  const large = Buffer.alloc(partBytes + 5, 'in parts ')
  const begin = async () => {
    const object = await asked('upload', large, { transfers: ['basic', 'multipart'] })
    const { href, header = {} } = object?.actions?.upload ?? { href: '' }
    return { href, header }
  }
  const parts = [large.subarray(0, partBytes), large.subarray(partBytes)] as const

  test('parts are used for large contents if the client supports them', async () => {
    const { header } = await begin()
    expect(Object.keys(header)).toEqual(['1', '2', 'chunk_size'])
    expect(header['chunk_size']).toBe(String(partBytes))
    expect((await asked('upload', large))?.actions?.upload).not.toHaveProperty('header')
    const small = await asked('upload', newBytes(), { transfers: ['multipart'] })
    expect(small?.actions?.upload).not.toHaveProperty('header')
  })

  // The program that git-lfs hands them to (`hf lfs-multipart-upload`) reads `header` of each.
  test('a batch uses parts for all contents or for none', async () => {
    const bytes = newBytes()
    const ask = async (contents: Buffer[]) => {
      const more = { transfers: ['basic', 'multipart'] }
      const { body } = await askTransfers(alice, '/acme/model', 'upload', contents, more)
      const { transfer, objects } = body
      return { transfer, upload: objects[0]?.actions?.upload }
    }
    const alone = await ask([bytes])
    expect(alone).toEqual({ transfer: 'basic', upload: { href: expect.any(String) } })
    const { transfer, upload: { href = '', header = {} } = {} } = await ask([bytes, large])
    expect(transfer).toBe('multipart')
    expect(Object.keys(header)).toEqual(['1', 'chunk_size'])
    const part = await put(header['1'] ?? '', bytes)
    const named = [{ partNumber: 1, etag: part.headers['etag'] }]
    const { oid } = contentOf(bytes)
    expect((await post(href, { oid, parts: named })).status).toBe(200)
    expect(isHere(bytes)).toBe(true)
  })

  test('a batch has few parts, whatever its objects have to hold', async () => {
    const ask = (count: number, size: number) => {
      const objects = Array.from({ length: count }, (_, nr) => ({
        oid: contentOf(Buffer.from(`${nr}`)).oid,
        size,
      }))
      return batch({ operation: 'upload', transfers: ['multipart'], objects })
    }
    // The largest batch of the Python client.
    const usual = await ask(256, 50 * 1000 ** 3)
    const { objects } = usual.body
    for (const { actions } of objects) {
      const { chunk_size: chunkSize, ...urls } = actions?.upload?.header ?? {}
      expect(Object.keys(urls)).toHaveLength(16)
      expect(Number(chunkSize) * 16).toBeGreaterThanOrEqual(50 * 1000 ** 3)
    }
    const refused = await ask(257, 5 * 1000 ** 3)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'A batch can have at most 4,096 parts, and this one has 4,112: ask for fewer objects at once',
    ])
    expect((await ask(1000, partBytes - 1)).status).toBe(200)
  })

  test('completion names each part, in any order, also one that was sent again', async () => {
    const { href, header } = await begin()
    const second = await put(header['2'] ?? '', parts[1])
    await put(header['1'] ?? '', parts[0])
    const again = await put(header['1'] ?? '', parts[0])
    const named = [
      { partNumber: 1, etag: again.headers['etag'] },
      { partNumber: 2, etag: second.headers['etag'] },
    ]
    const { oid } = contentOf(large)
    expect((await post(href, { oid, parts: named })).status).toBe(200)
    expect(isHere(large)).toBe(true)
    // A client whose connection was reset does not know that it has ended.
    expect((await post(href, { oid, parts: named })).status).toBe(200)
    const other = [{ partNumber: 1, etag: '"other"' }, ...named.slice(1)]
    expect((await post(href, { oid, parts: other })).status).toBe(400)
    expect((await put(header['1'] ?? '', parts[0])).status).toBe(409)
    const file = await get(await hrefOf('download', large))
    expect(file.bytes.equals(large)).toBe(true)
  })

  test('a part does not count while its second upload has broken off', async () => {
    const { href, header } = await begin()
    const { oid } = contentOf(large)
    const sent = [await put(header['1'] ?? '', parts[0]), await put(header['2'] ?? '', parts[1])]
    const named = sent.map(({ headers }, index) => ({
      partNumber: index + 1,
      etag: headers['etag'],
    }))
    expect((await put(header['2'] ?? '', parts[1].subarray(1))).status).toBe(400)
    expect((await post(href, { oid, parts: named })).body).toMatchObject({
      message: 'Part 2 is missing',
    })
    expect(isHere(large)).toBe(false)
  })

  test('completion is refused when a part is missing, too long or different', async () => {
    const { href, header } = await begin()
    const { oid } = contentOf(large)
    const tooLong = await put(header['2'] ?? '', parts[0])
    expect(tooLong.body).toMatchObject({ message: expect.stringContaining('5 bytes') })
    const wrong = await put(header['2'] ?? '', Buffer.from('12345'))
    const end = (etag: unknown) => post(href, { oid, parts: [{ partNumber: 2, etag }] })
    expect((await end('"x"')).body).toMatchObject({ message: 'Part 1 is missing' })
    const first = await put(header['1'] ?? '', parts[0])
    const ends = [first, wrong].map(({ headers }, index) => ({
      partNumber: index + 1,
      etag: headers['etag'],
    }))
    expect((await end(wrong.headers['etag'])).body).toMatchObject({
      message: expect.stringContaining('Part 1 has the entity tag'),
    })
    const whole = await post(href, { oid, parts: ends })
    expect(whole.body).toMatchObject({ message: expect.stringContaining(`${oid} was announced`) })
    expect(isHere(large)).toBe(false)
    const beyond = await put(`${href}&part=3`, parts[0])
    expect([beyond.status, beyond.body]).toMatchObject([
      400,
      { message: 'There are 2 parts, not 3' },
    ])
    expect((await put(href, large)).status).toBe(200)
  })
})

describe('upload URLs', () => {
  let bytes: Buffer
  let href: string
  beforeEach(async () => {
    bytes = newBytes()
    href = await hrefOf('upload', bytes)
  })

  test.each([
    ['shorter', () => bytes.subarray(1), '40 bytes were announced, and 39 came'],
    ['longer', () => Buffer.concat([bytes, bytes]), '40 bytes were announced, and more came'],
    ['another', () => Buffer.alloc(40, 'x'), 'the content has the SHA-256'],
  ])(
    'a content that is %s is refused, and the right one is accepted after it',
    async (_name, other, told) => {
      const answer = await put(href, other())
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        message: expect.stringContaining(told),
        request_id: answer.headers['x-request-id'],
      })
      expect(isHere(bytes)).toBe(false)
      expect((await put(href, bytes)).status).toBe(200)
    },
  )

  // Clients repeat a request whose answer was lost; an address that is signed for a bucket lets them.
  test('an upload URL can be used again', async () => {
    expect((await put(href, bytes)).status).toBe(200)
    expect((await put(href, bytes)).status).toBe(200)
    expect((await put(href, Buffer.alloc(40, 'x'))).status).toBe(400)
    expect(isHere(bytes)).toBe(true)
  })

  test('concurrent uploads of the same content succeed', async () => {
    world.clock.freeze()
    const twice = { operation: 'upload', objects: [contentOf(bytes), contentOf(bytes)] }
    const { objects } = (await batch(twice)).body
    const addresses = objects.map(({ actions }) => actions?.upload?.href ?? '')
    expect(new Set([href, ...addresses]).size).toBe(3)
    const uploads = [href, href, ...addresses].map((address) => put(address, bytes))
    const answers = await Promise.all(uploads)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(isHere(bytes)).toBe(true)
  })

  test('an upload restores a content that was deleted meanwhile', async () => {
    await put(href, bytes)
    forgetLfsFile(world.deps, repo, contentOf(bytes).oid)
    expect(isHere(bytes)).toBe(false)
    expect((await put(href, bytes)).status).toBe(200)
    expect(isHere(bytes)).toBe(true)
  })

  test('an upload URL is valid for an hour', async () => {
    world.clock.advance(60 * 60 * 1000)
    expect((await put(href, bytes)).status).toBe(200)
    world.clock.advance(1)
    const answer = await put(href, bytes)
    expect(answer.body).toMatchObject({ message: expect.stringContaining('it has expired') })
    expect(answer.status).toBe(403)
  })

  test.each([
    ['another content', (url: string) => url.replace(/objects\/./, 'objects/g')],
    ['another size', (url: string) => url.replace('size=40', 'size=41')],
    ['another time', (url: string) => url.replace(/until=\d/, 'until=9')],
    ['another repo', (url: string) => url.replace(/repo=[0-9a-f]{4}/, 'repo=0000')],
    ['another secret', (url: string) => url.replace(/secret=..../, 'secret=AAAA')],
  ])('an upload URL is not valid for %s', async (_name, change) => {
    expect((await put(change(href), bytes)).status).toBe(403)
  })

  test('URLs in the log do not work', async () => {
    await put(href, bytes)
    const [secret = ''] = /secret=[^&]{20}/.exec(href) ?? []
    expect(secret).not.toBe('')
    const told = world.events.filter(({ type: kind }) => kind === 'request.completed')
    expect(told).not.toEqual([])
    expect(JSON.stringify(told)).not.toContain(secret)
  })

  test('an upload URL without its parameters is refused', async () => {
    expect((await put(href.replace(/\?.*/, ''), bytes)).status).toBe(400)
    await put(href, bytes)
    expect((await get(href)).status).toBe(403)
  })

  test('an upload URL works after a move of the repo, not after its deletion', async () => {
    moveRepo(world.deps, { repo, toName: 'acme/moved' })
    expect((await put(href, bytes)).status).toBe(200)
    const next = await batch({ operation: 'upload', objects: [contentOf(newBytes())] })
    expect(next.status).toBe(307)
    expect(next.headers['location']).toBe('/acme/moved.git/info/lfs/objects/batch')
    const moved = world.latest(repo)
    deleteRepo(world.deps, { repo: moved })
    expect(isHere(bytes)).toBe(false)
  })
})

describe('URLs of a deleted repo', () => {
  const gone = { status: 404, body: { message: expect.stringContaining('Repository not found') } }

  test.each([
    ['a deletion', () => deleteRepo(world.deps, { repo })],
    [
      'a deletion and a new repo of the name',
      () => {
        deleteRepo(world.deps, { repo })
        world.makeRepo('acme/model')
      },
    ],
  ])('work no more after %s', async (_what, change) => {
    const [bytes, more, large] = [newBytes(), newBytes(), newBytes(partBytes + 5)]
    await upload(bytes)
    const committed = await alice.postLines('/api/models/acme/model/commit/main', [
      { key: 'header', value: { summary: 'Add' } },
      lfsLine('w.bin', contentOf(bytes)),
    ])
    expect(committed.status).toBe(200)
    const resolved = (await alice.get('/acme/model/resolve/main/w.bin')).headers['location']
    const down = await hrefOf('download', bytes)
    const { upload: up, verify } = (await asked('upload', more))?.actions ?? {}
    const transfers = { transfers: ['basic', 'multipart'] }
    const inParts = (await asked('upload', large, transfers))?.actions?.upload
    const part = inParts?.header?.['1'] ?? ''
    expect((await put(part, large.subarray(0, partBytes))).status).toBe(200)

    change()

    expect(await get(down)).toMatchObject(gone)
    expect(await get(down, { range: 'bytes=0-3' })).toMatchObject(gone)
    expect(await get(String(resolved))).toMatchObject(gone)
    expect(await put(up?.href ?? '', more)).toMatchObject(gone)
    expect(await post(verify?.href ?? '', contentOf(more))).toMatchObject(gone)
    expect(await put(part, large.subarray(0, partBytes))).toMatchObject(gone)
    expect(await post(inParts?.href ?? '', { oid: contentOf(large).oid, parts: [] })).toMatchObject(
      gone,
    )
  })

  test('and of a deleted object work no more', async () => {
    const bytes = await uploaded()
    const down = await hrefOf('download', bytes)
    forgetLfsFile(world.deps, repo, contentOf(bytes).oid)
    expect(await get(down)).toMatchObject({
      status: 404,
      body: { message: 'The object was deleted from the repo' },
    })
  })
})

describe('batch', () => {
  const objects = [contentOf(Buffer.from('some'))]
  const basic = (user: 'alice' | 'carol') => gitCaller(world, user)

  test('a batch accepts a token as a password, too', async () => {
    expect((await batch({ operation: 'upload', objects }, basic('alice'))).status).toBe(200)
    expect((await batch({ operation: 'upload', objects }, anyone, '/acme/model')).status).toBe(401)
  })

  test('a batch tells git-lfs how to sign in', async () => {
    const answer = await batch({ operation: 'upload', objects }, anyone)
    expect(answer.status).toBe(401)
    expect(answer.headers['lfs-authenticate']).toMatch(/^Basic realm=/)
    expect(answer.headers['content-type']).toContain(lfsMediaType)
  })

  test('the password of an account is refused with the message of the hub', async () => {
    const user = gitCaller(world, 'alice', 'my password')
    const answer = await batch({ operation: 'upload', objects }, user)
    expect([answer.status, answer.body.message]).toEqual([
      401,
      expect.stringMatching(
        /^Password authentication in git is no longer supported\. You must use/,
      ),
    ])
  })

  test('a batch for downloads needs read access, also to a gated repo', async () => {
    noteLfsFile(world.deps, repo, objects[0]!)
    const question = { operation: 'download', objects }
    expect((await batch(question, anyone)).status).toBe(200)
    updateRepoSettings(world.deps, { repo, settings: { gated: 'manual' } })
    const gated = await batch(question, basic('carol'))
    expect(outcomeOf(gated)).toBe('403 GatedRepo')
    const settings = { visibility: 'private' as const }
    updateRepoSettings(world.deps, { repo: world.latest(repo), settings })
    expect((await batch(question, basic('carol'))).status).toBe(404)
    expect((await batch(question, anyone)).status).toBe(401)
  })

  test('a batch for uploads needs the right to commit, at least to a pull request', async () => {
    const question = { operation: 'upload', objects }
    expect((await batch(question, basic('carol'))).status).toBe(200)
    const reading = world.as('alice', { role: 'read' })
    expect((await batch(question, reading)).status).toBe(403)
  })

  describe('uploads to a ref', () => {
    const askFor = (name: string, user: Caller) =>
      batch({ operation: 'upload', objects, ref: { name } }, user)
    beforeEach(() => {
      for (const author of [world.users.carol, world.users.alice]) {
        openPullRequest(world.deps, { repo, title: 'Offer', actorId: author.id })
        repo = world.latest(repo)
      }
    })

    test.each(['refs/heads/main', 'main', 'refs/heads/new', 'new', 'refs/pr/2', 'refs/pr/9'])(
      'a reader is refused at %s',
      async (name) => {
        const refused = await askFor(name, basic('carol'))
        expect([refused.status, refused.body.message]).toEqual([
          403,
          'Committing, branching and tagging needs the write right',
        ])
        expect((await askFor(name, basic('alice'))).status).toBe(200)
      },
    )

    test('the author of a pull request may upload to it', async () => {
      expect((await askFor('refs/pr/1', basic('carol'))).status).toBe(200)
      const nameless = { operation: 'upload', objects, ref: null }
      expect((await batch(nameless, basic('carol'))).status).toBe(200)
    })
  })

  test('an upload above 5 GB needs multipart, as on the Hub', async () => {
    const [small] = objects
    const large = { oid: 'b'.repeat(64), size: 5 * 1000 ** 3 + 1 }
    const ask = (object: object, transfers: string[], operation = 'upload') =>
      batch({ operation, objects: [small, object], transfers })
    for (const transfers of [['basic'], ['lfs-standalone-file', 'basic', 'ssh']]) {
      const refused = await ask(large, transfers)
      expect([refused.status, refused.body.message]).toEqual([
        400,
        '\nYou need to configure your repository to enable upload of files > 5GB.\nRun "hf lfs-enable-largefiles ./path/to/your/repo" and try again.\n',
      ])
      expect(world.requests.values().at(-1)?.detail).toContain('does not offer the transfer')
    }
    expect((await ask(large, ['basic', 'multipart'])).body.transfer).toBe('multipart')
    expect((await ask({ ...large, size: large.size - 1 }, ['basic'])).status).toBe(200)
    expect((await ask(large, ['basic'], 'download')).status).toBe(200)
    noteLfsFile(world.deps, repo, large)
    expect((await ask(large, ['basic'])).status).toBe(400)
  })

  test('each object of a batch has its own error', async () => {
    const [known] = objects
    noteLfsFile(world.deps, repo, known!)
    const answer = await batch({
      operation: 'upload',
      objects: [
        { oid: 'A'.repeat(64), size: 1 },
        { oid: known?.oid, size: 5 },
        { oid: known?.oid, size: -1 },
        { oid: known?.oid, size: 2 ** 50 },
      ],
    })
    expect(answer.body.objects.map(({ error }) => error)).toEqual([
      { code: 422, message: expect.stringContaining('not a SHA-256') },
      { code: 422, message: 'The content has 4 bytes, not 5' },
      { code: 422, message: 'The size is negative' },
      { code: 422, message: expect.stringContaining('50000000000 bytes') },
    ])
  })

  test.each([
    ['another hash', { operation: 'upload', hash_algo: 'sha1', objects }, 409],
    ['another operation', { operation: 'move', objects }, 400],
    ['no objects', { operation: 'upload' }, 400],
    [
      'too many objects',
      { operation: 'upload', objects: Array.from({ length: 1001 }, () => objects[0]) },
      413,
    ],
  ])('a batch with %s is refused', async (_name, body, status) => {
    const answer = await batch(body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ message: expect.any(String) })
  })

  test('a batch that is not JSON is refused', async () => {
    const url = '/acme/model.git/info/lfs/objects/batch'
    const answer = await alice.post(url, '{', { 'content-type': lfsMediaType })
    expect(answer.status).toBe(400)
    const text = await alice.post(url, 'x', { 'content-type': 'text/plain' })
    expect(text.status).toBe(415)
  })
})

describe('commits', () => {
  const commit = (lines: object[], path = '/api/models/acme/model') =>
    alice.postLines<{ error: string }>(`${path}/commit/main`, [
      { key: 'header', value: { summary: 'Upload' } },
      ...lines,
    ])
  const read = (path: string, headers?: Record<string, string>) =>
    download(alice, `/acme/model/${path}`, headers)
  const json = async <T>(path: string) => (await alice.get<T>(`/api/models/acme/model${path}`)).body
  const pointerOf = (bytes: Buffer) => {
    const { oid, size } = contentOf(bytes)
    return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
  }
  const attributes = async () => String((await read('raw/main/.gitattributes')).body)

  test('commits name contents, which are then read at their paths', async () => {
    const bytes = newBytes(5000)
    const { oid } = contentOf(bytes)
    await upload(bytes)
    world.events.length = 0
    const answer = await commit([lfsLine('w.bin', contentOf(bytes))])
    expect(answer.status).toBe(200)
    expect(world.hubEvents()).toMatchObject([{ scope: 'repo.content', action: 'update' }])

    const file = await read('resolve/main/w.bin')
    expect(file.bytes.equals(bytes)).toBe(true)
    expect(file.headers).toMatchObject({ etag: storageTagOf(bytes), 'content-length': '5000' })
    const head = await download(anyone, '/acme/model/resolve/main/w.bin', {}, 'HEAD')
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers).toMatchObject({ etag: storageTagOf(bytes), 'content-length': '5000' })
    const part = await read('resolve/main/w.bin', { range: 'bytes=-3' })
    expect(part.bytes.equals(bytes.subarray(-3))).toBe(true)
    const pointer = await read('raw/main/w.bin')
    expect(pointer.body).toBe(pointerOf(bytes))

    const pointerSize = Buffer.byteLength(pointerOf(bytes))
    const id = createHash('sha1')
      .update(`blob ${pointerSize}\0${pointerOf(bytes)}`)
      .digest('hex')
    const entry = { type: 'file', oid: id, path: 'w.bin', lfs: { oid, size: 5000, pointerSize } }
    expect(await json('/tree/main')).toContainEqual({ ...entry, size: 5000 })
    const api = '/api/models/acme/model'
    const paths = await alice.post(`${api}/paths-info/main`, { paths: ['w.bin'] })
    expect(paths.body).toEqual([{ ...entry, size: 5000 }])
    const info = await json<{ siblings: object[]; usedStorage: number }>('?blobs=true')
    const lfs = { sha256: oid, size: 5000, pointerSize }
    expect(info.siblings).toContainEqual({ rfilename: 'w.bin', blobId: id, size: 5000, lfs })
    expect(info.usedStorage).toBe(5000 + Buffer.byteLength(await attributes()))
    const files = [{ path: 'w.bin', size: 1 }]
    const plan = await alice.post(`${api}/preupload/main`, { files })
    expect(plan.body).toMatchObject({ files: [{ uploadMode: 'lfs', oid }] })
  })

  test.each(['GET', 'HEAD'] as const)(
    '%s redirects to the storage, whose URL needs no token',
    async (method) => {
      const bytes = newBytes(5000)
      const { oid } = contentOf(bytes)
      await upload(bytes)
      await commit([lfsLine('dir/w.png', contentOf(bytes))])
      const ask = (url: string, headers = {}) =>
        anyone.send(method, url, undefined, { host: '127.0.0.1:7420', ...headers })
      const url = '/acme/model/resolve/main/dir/w.png'
      const answer = await ask(`${url}?download=true`, { range: 'bytes=0-0' })
      const location = String(answer.headers['location'])
      expect(answer.status).toBe(302)
      expect(answer.headers).toMatchObject({
        'x-repo-commit': expect.stringMatching(/^[0-9a-f]{40}$/),
        'x-linked-size': '5000',
        'x-linked-etag': `"${oid}"`,
        'accept-ranges': 'bytes',
      })
      expect(answer.headers).not.toHaveProperty('etag')
      expect(answer.body).toBe(method === 'GET' ? `Found. Redirecting to ${location}` : '')
      expect(location).toMatch(/^http:\/\/localhost:7420\/acme\/model\.git\/info\/lfs\/objects\//)

      const { pathname, search } = new URL(location)
      const file = await ask(pathname + search)
      expect([file.status, file.headers['content-length']]).toEqual([200, '5000'])
      expect(file.headers).toMatchObject({
        etag: storageTagOf(bytes),
        'content-type': 'image/png',
        'content-disposition': `attachment; filename*=UTF-8''w.png; filename="w.png"`,
        'content-security-policy': "default-src 'none'; sandbox",
      })
      expect(
        Object.keys(file.headers).filter((name) => /^x-(?:repo|linked|xet)|^link$/.test(name)),
      ).toEqual([])
      expect((await ask(url, { 'if-none-match': `"${oid}"` })).status).toBe(304)

      // Of a commit, too, and until the permission expires.
      const commitId = String(answer.headers['x-repo-commit'])
      const cached = `/api/resolve-cache/models/acme/model/${commitId}/dir/w.png`
      expect((await ask(cached)).status).toBe(302)
      world.clock.advance(2 * 60 * 60 * 1000)
      expect((await ask(pathname + search)).status).toBe(403)
    },
  )

  test('a commit copies a large file by its hash', async () => {
    const bytes = await uploaded()
    await commit([lfsLine('a.bin', contentOf(bytes))])
    const { oid } = contentOf(bytes)
    expect((await commit([lfsLine('b/c.bin', { oid })])).status).toBe(200)
    expect((await read('resolve/main/b/c.bin')).bytes.equals(bytes)).toBe(true)
  })

  test('a commit adds one attribute line for an uncovered path', async () => {
    const bytes = await uploaded()
    const before = await attributes()
    const paths = ['x.bin', 'dir/my file [1]', '#odd*']
    await commit(paths.map((path) => lfsLine(path, contentOf(bytes))))
    const after = await attributes()
    const rest = ' filter=lfs diff=lfs merge=lfs -text\n'
    const lines = `dir/my[[:space:]]file[[:space:]]\\[1]${rest}\\#odd\\*${rest}`
    expect(after).toBe(before + lines)
    await commit([lfsLine('dir/my file [1]', contentOf(bytes))])
    expect(await attributes()).toBe(after)
    await commit([
      { key: 'file', value: { path: '.gitattributes', content: '*.md text' } },
      lfsLine('new', contentOf(bytes)),
    ])
    expect(await attributes()).toBe(`*.md text\nnew${rest}`)
    await commit([
      { key: 'deletedFile', value: { path: '.gitattributes' } },
      lfsLine('new', contentOf(bytes)),
    ])
    expect(await attributes()).toBe(`new${rest}`)
    // The pointer alone tells.
    await commit([{ key: 'deletedFile', value: { path: '.gitattributes' } }])
    expect((await read('resolve/main/new')).bytes.equals(bytes)).toBe(true)
  })

  test('a commit adds no line for a covered path', async () => {
    const bytes = await uploaded()
    const file = (path: string, content: string, encoding = 'utf-8') => ({
      key: 'file',
      value: { path, content, encoding },
    })
    await commit([file('dir/.gitattributes', 'w filter=lfs\n')])
    const before = await attributes()
    await commit([lfsLine('dir/w', contentOf(bytes))])
    await commit([file('new/.gitattributes', '* filter=lfs\n'), lfsLine('new/w', contentOf(bytes))])
    expect(await attributes()).toBe(before)
    await commit([
      { key: 'file', value: { path: 'moved', oldPath: 'dir/.gitattributes', content: '' } },
      lfsLine('dir/w', contentOf(bytes)),
    ])
    expect(await attributes()).toBe(`${before}dir/w filter=lfs diff=lfs merge=lfs -text\n`)
  })

  test('a commit moves a large file or replaces it at its new path', async () => {
    const [bytes, other] = [newBytes(), newBytes()]
    for (const each of [bytes, other]) await upload(each)
    await commit([lfsLine('a.bin', contentOf(bytes)), lfsLine('b.bin', contentOf(bytes))])
    const before = await attributes()
    const moved = await commit([
      { key: 'lfsFile', value: { path: 'new', oldPath: 'a.bin' } },
      { key: 'lfsFile', value: { path: 'c.bin', oldPath: 'b.bin', ...contentOf(other) } },
    ])
    expect(moved.status).toBe(200)
    expect((await read('resolve/main/new')).bytes.equals(bytes)).toBe(true)
    expect((await read('resolve/main/c.bin')).bytes.equals(other)).toBe(true)
    for (const gone of ['a.bin', 'b.bin']) {
      expect((await read(`resolve/main/${gone}`)).status).toBe(404)
    }
    // Git would take the pointer for the file, where no pattern covers it.
    expect(await attributes()).toBe(`${before}new filter=lfs diff=lfs merge=lfs -text\n`)
    await commit([{ key: 'file', value: { path: 'rules', oldPath: '.gitattributes' } }])
    expect((await read('raw/main/rules')).body).toContain('new filter=lfs')
    expect((await read('raw/main/.gitattributes')).status).toBe(404)
    const missing = await commit([{ key: 'lfsFile', value: { path: 'x', oldPath: 'none' } }])
    expect(outcomeOf(missing)).toBe('404 EntryNotFound')
  })

  test('attributes that are not UTF-8 stay unchanged', async () => {
    const bytes = await uploaded()
    const latin = Buffer.from('caf\u00e9.txt text', 'latin1')
    const content = latin.toString('base64')
    const rules = { key: 'file', value: { path: '.gitattributes', content, encoding: 'base64' } }
    await commit([rules, lfsLine('new', contentOf(bytes))])
    const line = '\nnew filter=lfs diff=lfs merge=lfs -text\n'
    expect((await read('raw/main/.gitattributes')).bytes).toEqual(
      Buffer.concat([latin, Buffer.from(line)]),
    )
  })

  test('rules and paths that take very long are refused', async () => {
    const bytes = await uploaded()
    const content = `/${'**/a*'.repeat(400)}[b] filter=lfs\n`
    const rules = { key: 'file', value: { path: '.gitattributes', content } }
    const paths = Array.from({ length: 100 }, (_, number) => `${'a/'.repeat(1900)}${number}`)
    const answer = await commit([rules, ...paths.map((path) => lfsLine(path, contentOf(bytes)))])
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringMatching(/takes more than \d+ steps/),
    ])
    expect((await read(`resolve/main/${paths[0]}`)).status).toBe(404)
  })

  test('a commit adds no line that git would not read', async () => {
    const bytes = await uploaded()
    const before = await attributes()
    const path = `${'ddddddddd/'.repeat(200)}${'f'.repeat(11)}`
    await commit([lfsLine(`${path}f`, contentOf(bytes))])
    expect(await attributes()).toBe(before)
    expect((await read(`resolve/main/${path}f`)).bytes.equals(bytes)).toBe(true)
    await commit([lfsLine(path, contentOf(bytes))])
    const line = (await attributes()).slice(before.length).trimEnd()
    expect([line === `${path} filter=lfs diff=lfs merge=lfs -text`, line.length]).toEqual([
      true,
      2047,
    ])
  })

  test.each([
    ['what was not uploaded', { oid: 'a'.repeat(64), size: 1 }, 422, 'w.bin was not uploaded'],
    ['another hash', { oid: 'abc' }, 400, 'Line 2 of the commit: oid is not a SHA-256'],
    ['no size', { oid: 'a'.repeat(64), size: -1 }, 400, 'size is not a number of bytes'],
    ['no hash', { algo: 'sha1', oid: 'a'.repeat(64) }, 400, 'unknown algo "sha1"'],
  ])('a commit with %s is refused', async (_name, value, status, told) => {
    const answer = await commit([lfsLine('w.bin', value)])
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error: expect.stringContaining(told) })
    expect((await read('resolve/main/w.bin')).status).toBe(404)
  })

  test('a commit with another size or a content of another repo is refused', async () => {
    const bytes = await uploaded()
    const other = await commit([lfsLine('w.bin', { ...contentOf(bytes), size: 1 })])
    expect([other.status, other.body]).toEqual([422, { error: 'w.bin has 40 bytes, not 1' }])
    world.makeRepo('acme/other', { type: 'dataset' })
    const line = lfsLine('w.bin', contentOf(bytes))
    expect((await commit([line], '/api/datasets/acme/other')).status).toBe(422)
  })

  // In the words of the hub, to whose API people send what they have cloned without Git LFS.
  test('a pointer is refused unless its content was uploaded', async () => {
    const [here, lost] = [newBytes(), newBytes()]
    await upload(here)
    const pointer = (path: string, to: Buffer) => ({
      key: 'file',
      value: { path, content: pointerOf(to) },
    })
    const answer = await commit([pointer('w.bin', lost), pointer('dir/v.bin', lost)])
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error:
          'Your push was rejected because an LFS pointer pointed to a file that does not exist. For instance, this can happen if you used git push --no-verify to push your changes. Offending files: - w.bin - dir/v.bin',
      },
    ])
    expect((await read('raw/main/w.bin')).status).toBe(404)
    expect((await commit([pointer('w.bin', here)])).status).toBe(200)
    expect((await read('resolve/main/w.bin')).body).toBe(here.toString())
  })
})

test('an upload that ends early is not kept', async () => {
  const sandbox = await startTestSandbox()
  const bytes = newBytes()
  const user = callerAt(sandbox, 'hf_sandbox_alice')
  const ask = async () => {
    const { body } = await askTransfers(user, '/alice/tiny-sentiment', 'upload', [bytes])
    return body.objects[0]?.actions?.upload?.href
  }
  const { pathname, search } = new URL((await ask()) ?? '')
  const head = [`PUT ${pathname}${search} HTTP/1.1`, 'Content-Length: 40']
  await sendCut(sandbox.url, head, bytes.subarray(1).toString())
  expect(await ask()).toBeDefined()
})
