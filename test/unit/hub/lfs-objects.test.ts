import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteLfsFiles } from '../../../server/hub/repos/lfs-history.ts'
import {
  formatLfsPointer,
  mayReferTo,
  noteLfsFile,
  parseLfsPointer,
} from '../../../server/hub/files/lfs-objects.ts'
import { createLfsTransfers } from '../../../server/hub/uploads/lfs-transfers.ts'
import { deleteRepo, duplicateRepo } from '../../../server/hub/repos/repos.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'

const oid = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393'
const pointer = { oid, size: 12345 }
const text = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`

describe('pointers (git-lfs spec v1)', () => {
  const read = (pointerText: string) => parseLfsPointer(Buffer.from(pointerText))

  test('pointers are written as by git-lfs, and read', () => {
    expect(formatLfsPointer(pointer)).toBe(text)
    expect(read(text)).toEqual(pointer)
  })

  test.each([
    ['no end of line', text.trim()],
    ['blank lines', `\n${text.replaceAll('\n', '\n\n')}`],
    ['line ends of Windows', text.replaceAll('\n', '\r\n')],
    ['an extension', text.replace('oid', `ext-0-foo sha256:${oid}\noid`)],
  ])('a pointer may have %s', (_name, given) => expect(read(given)).toEqual(pointer))

  test.each([
    ['nothing', ''],
    ['another version', text.replace('/v1', '/v2')],
    ['another order', text.split('\n').toReversed().join('\n')],
    ['no size', text.replace(/size.*\n/, '')],
    ['two sizes', `${text}size 12345\n`],
    ['a negative size', text.replace('12345', '-1')],
    ['a size beyond counting', text.replace('12345', '9'.repeat(17))],
    ['another hash', text.replace('sha256', 'sha1')],
    ['a shortened hash', text.replace(oid, oid.slice(1))],
    ['capital letters', text.replace(oid, oid.toUpperCase())],
    ['a key of its own', text.replace('oid', 'name x\noid')],
    ['too many bytes', text + '\n'.repeat(1024)],
    ['something before it', `x${text}`],
  ])('a file with %s is not a pointer', (_name, given) => expect(read(given)).toBeUndefined())
})

describe('repos that may refer to a content', () => {
  let world: HubWorld
  beforeEach(async () => {
    world = await createHubWorld()
  })

  test('the repo of the upload may refer to it with its size', () => {
    const [one, other] = [world.repo('acme/one'), world.repo('acme/other')]
    noteLfsFile(world.deps, one, pointer)
    expect(mayReferTo(world.deps, one, pointer)).toBe(true)
    expect(mayReferTo(world.deps, one, { oid, size: 1 })).toBe(false)
    expect(mayReferTo(world.deps, other, pointer)).toBe(false)
  })

  test('a duplicate may refer to it after the original is deleted', () => {
    const repo = world.repo('acme/one')
    noteLfsFile(world.deps, repo, pointer)
    const actorId = world.users.alice.id
    const copy = duplicateRepo(world.deps, { repo, toName: 'acme/copy', actorId })
    deleteRepo(world.deps, { repo })
    expect(mayReferTo(world.deps, repo, pointer)).toBe(false)
    expect(mayReferTo(world.deps, copy, pointer)).toBe(true)
  })
})

describe('a content in memory', () => {
  const bytes = Buffer.from('a content')
  const content = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }

  async function lfsWorld() {
    const world = await createHubWorld()
    const transfers = createLfsTransfers(world.deps)
    const upload = (repo: { id: string }, during: () => void = () => {}) => {
      const permission = { purpose: 'upload', repoId: repo.id, content } as const
      return transfers.take(permission, sent(during))
    }
    async function* sent(during: () => void) {
      yield bytes.subarray(0, 3)
      during()
      yield bytes.subarray(3)
    }
    return { world, upload, isThere: () => world.deps.objects.lfs.has(content.oid) }
  }

  test('a content is released with the last repo that may refer to it', async () => {
    const { world, upload, isThere } = await lfsWorld()
    const [one, other] = [world.repo('acme/one'), world.repo('acme/other')]
    await upload(one)
    await upload(other)
    deleteRepo(world.deps, { repo: one })
    expect(isThere()).toBe(true)
    deleteLfsFiles(world.deps, { repo: other, oids: [content.oid], rewriteHistory: false })
    expect(isThere()).toBe(false)
  })

  test('an upload to a deleted repo is not kept', async () => {
    const { world, upload, isThere } = await lfsWorld()
    const repo = world.repo('acme/one')
    const late = upload(repo, () => deleteRepo(world.deps, { repo }))
    await expect(late).rejects.toMatchObject({ code: 'not_found' })
    expect(isThere()).toBe(false)
  })

  test('a content that was released during its upload has to be uploaded again', async () => {
    const { world, upload, isThere } = await lfsWorld()
    const [gone, repo] = [world.repo('acme/gone'), world.repo('acme/one')]
    await upload(gone)
    const late = upload(repo, () => deleteRepo(world.deps, { repo: gone }))
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    expect(mayReferTo(world.deps, repo, content)).toBe(false)
    await upload(repo)
    expect([mayReferTo(world.deps, repo, content), isThere()]).toEqual([true, true])
  })
})
