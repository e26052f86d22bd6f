import { beforeEach, describe, expect, test } from 'vitest'
import { findForeignWant } from '../../../server/git/upload-pack.ts'
import { flushPacket, packetOf } from '../../../server/git/pkt-line.ts'
import { commitFiles } from '../../../server/hub/commits.ts'
import { deleteBranch, createBranch } from '../../../server/hub/repo-refs.ts'
import { mainRef, resolveRevision } from '../../../server/hub/revisions.ts'
import type { Repo } from '../../../server/state/entities/hub.ts'
import { createHubWorld, type HubWorld } from '../hub/hub-world.ts'

let world: HubWorld
let repo: Repo
let gone: string
beforeEach(async () => {
  world = await createHubWorld()
  const made = world.repo('acme/corpus', { files: [{ kind: 'add', path: 'a', content: 'a' }] })
  createBranch(world.deps, { repo: made, name: 'gone' })
  const { commit } = commitFiles(world.deps, {
    repo: world.now(made),
    revision: 'gone',
    title: 'Secret',
    operations: [{ kind: 'add', path: 'secret', content: 'secret' }],
  })
  gone = commit.id
  repo = deleteBranch(world.deps, { repo: world.now(made), name: 'gone' })
})

const find = (...lines: string[]) =>
  findForeignWant(world.objects(repo), repo, [...lines.map(packetOf), flushPacket])

describe('what a fetch may want (gitprotocol-v2, gitprotocol-pack)', () => {
  test('is what a ref of the repo leads to', async () => {
    const head = repo.refs[mainRef]!
    const [parent = ''] = resolveRevision(world.objects(repo), repo, 'main').commit.parentIds
    expect(await find(`want ${head} side-band-64k agent=git/2\n`)).toBeUndefined()
    expect(await find('command=fetch', 'thin-pack', `want ${head}\n`, 'done\n')).toBeUndefined()
    expect(await find('command=fetch', `want ${parent}\n`)).toBeUndefined()
    expect(await find('command=ls-refs\n', 'peel\n')).toBeUndefined()
  })

  test('is nothing that the store has besides', async () => {
    const objects = world.objects(repo)
    const { treeId } = resolveRevision(objects, repo, 'main').commit
    expect(objects.has(gone)).toBe(true)
    expect(await find('command=fetch', `want ${repo.refs[mainRef]}`, `want ${gone}\n`)).toBe(gone)
    expect(await find(`want ${treeId}`)).toBe(treeId)
    expect(await find(`want ${'0'.repeat(40)}`)).toBe('0'.repeat(40))
  })

  test('is no other command', async () => {
    await expect(find('command=object-info\n')).rejects.toMatchObject({ code: 'invalid' })
  })
})
