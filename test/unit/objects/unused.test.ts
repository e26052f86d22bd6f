import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { performance as nodePerformance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { encodeTag } from '../../../server/objects/commit-codec.ts'
import { createFolderObjects } from '../../../server/objects/folder-objects.ts'
import { createMemoryObjects } from '../../../server/objects/memory-objects.ts'
import type { ObjectStores, RepoUse } from '../../../server/objects/object-store.ts'
import { LooseFiles } from '../../../server/objects/loose-files.ts'
import { encodeTree, treeEntry } from '../../../server/objects/tree-codec.ts'
import { Unfinished } from '../../../server/objects/unfinished.ts'
import { reach, usersFirst } from '../../../server/objects/unused.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const one = { id: '1'.repeat(24) }
const two = { id: '2'.repeat(24) }
const by = { name: 'A', email: 'a@x.example', seconds: 1, timeZone: '+0000' }

interface Written {
  readonly blob: string
  readonly folder: string
  readonly treeId: string
  readonly id: string
}

const idsOf = ({ blob, folder, treeId, id }: Written) => [blob, folder, treeId, id]

function commitTo(
  objects: ObjectStores,
  content: string,
  parentIds: string[] = [],
  repo = one,
): Written {
  const store = objects.of(repo)
  const blob = store.write('blob', Buffer.from(content))
  const folder = store.writeTree([treeEntry('file', '100644', blob)])
  const treeId = store.writeTree([treeEntry('folder', '40000', folder)])
  const commit = { treeId, parentIds, author: by, committer: by, headers: [], message: 'x\n' }
  return { blob, folder, treeId, id: store.writeCommit(commit) }
}

function tagOf(objects: ObjectStores, objectId: string, objectType: 'commit' | 'tag'): string {
  const tag = { objectId, objectType, name: 'v1', tagger: by, headers: [], message: 'm\n' }
  return objects.of(one).write('tag', encodeTag(tag))
}

/** Refs of state and snapshots, by repo. */
function use(
  refs: Record<string, readonly string[]>,
  kept: { ids?: readonly string[]; targets?: readonly string[] } = {},
  more: Partial<RepoUse> = {},
): RepoUse {
  const refsOf = (id: string) =>
    refs[id] && Object.fromEntries(refs[id].map((target, at) => [`refs/heads/b${at}`, target]))
  return {
    isUsed: (id) => refs[id] !== undefined,
    refsOf,
    reposBefore: [],
    repos: () => Object.keys(refs).map((id) => ({ id, refs: refsOf(id) ?? {} })),
    listMarks: async () => [],
    listKept: async () => ({ ids: new Set(kept.ids), targets: new Set(kept.targets) }),
    settled: async () => {},
    ...more,
  }
}

/** Written by an earlier run. */
async function folderWith<T>(write: (objects: ObjectStores) => T | Promise<T>) {
  const folder = temporaryDirectory()
  const objects = createFolderObjects(folder)
  const written = await write(objects)
  await objects.close()
  const fileOf = (id: string, repo = one) =>
    join(folder, `${repo.id}.git`, 'objects', id.slice(0, 2), id.slice(2))
  const left = (...ids: string[]) => ids.map((id) => existsSync(fileOf(id)))
  return { folder, written, fileOf, left }
}

const all = (count: number, there: boolean) => Array.from({ length: count }, () => there)

function fsck(folder: string, refs: readonly string[]) {
  const repo = join(folder, `${one.id}.git`)
  const lines = refs.map((id, at) => `${id} refs/tags/t${at}\n`)
  writeFileSync(join(repo, 'packed-refs'), `# pack-refs with: sorted \n${lines.join('')}`)
  mkdirSync(join(repo, 'refs'), { recursive: true })
  const { stdout, stderr, status } = spawnSync('git', ['fsck', '--full', '--strict'], {
    cwd: repo,
    encoding: 'utf8',
  })
  // There is no branch.
  return { status, text: (stdout + stderr).replace(/^notice: .*\n/gm, '') }
}

describe('objects that nothing reaches', () => {
  test('go, and all that refs lead to stays: history, folders, tags, what two have in common', async () => {
    const { folder, written, left } = await folderWith((objects) => {
      const store = objects.of(one)
      const base = commitTo(objects, 'base')
      const head = commitTo(objects, 'head', [base.id])
      const other = commitTo(objects, 'other', [base.id])
      const merged = commitTo(objects, 'merged', [head.id, other.id])
      const tagged = commitTo(objects, 'tagged')
      const inner = tagOf(objects, tagged.id, 'commit')
      const outer = tagOf(objects, inner, 'tag')
      const pushed = commitTo(objects, 'forced away', [base.id])
      const shared = store.writeTree([
        treeEntry('a', '100644', base.blob),
        treeEntry('sub', '160000', 'f'.repeat(40)),
      ])
      const submodule = store.writeCommit({ ...store.readCommit(base.id), treeId: shared })
      const blob = store.write('blob', Buffer.from('never in a commit'))
      return { base, head, other, merged, tagged, inner, outer, pushed, submodule, shared, blob }
    })
    const { base, head, other, merged, tagged, inner, outer, pushed, submodule, shared, blob } =
      written
    const later = createFolderObjects(folder)
    const refs = [merged.id, outer, submodule]
    await later.removeUnused(use({ [one.id]: refs }))
    for (const each of [base, head, other, merged, tagged])
      expect(left(...idsOf(each))).toEqual(all(4, true))
    expect(left(inner, outer, submodule, shared)).toEqual(all(4, true))
    expect(left(...idsOf(pushed), blob)).toEqual(all(5, false))
    expect(fsck(folder, refs)).toEqual({ status: 0, text: '' })
    await later.close()
  })

  test('go only where nothing else names them: what a snapshot keeps stays whole', async () => {
    const { folder, written, left } = await folderWith((objects) => [
      commitTo(objects, 'now'),
      commitTo(objects, 'in a snapshot', [commitTo(objects, 'before').id]),
      commitTo(objects, 'unused'),
    ])
    const [now, kept, unused] = written as [Written, Written, Written]
    const later = createFolderObjects(folder)
    const before = later.of(one).readCommit(kept.id).parentIds[0] ?? ''
    // One that is another repo's, or lacks something, keeps nothing from it.
    const targets = [kept.id, 'e'.repeat(40)]
    await later.removeUnused(use({ [one.id]: [now.id] }, { ids: [one.id], targets }))
    expect(left(...idsOf(now), ...idsOf(kept), before)).toEqual(all(9, true))
    expect(left(...idsOf(unused))).toEqual(all(4, false))
  })

  test('stay when they are written again, asked for or streamed while the others go', async () => {
    const large = randomBytes(1_500_000)
    const { folder, written, left } = await folderWith(async (objects) => {
      const id = objects.of(one).write('blob', large)
      return {
        now: commitTo(objects, 'now'),
        again: commitTo(objects, 'again'),
        asked: commitTo(objects, 'asked'),
        unused: commitTo(objects, 'unused'),
        large: id,
      }
    })
    const { now, again, asked, unused } = written
    const later = createFolderObjects(folder)
    await later.removeUnused(
      use(
        { [one.id]: [now.id] },
        {},
        {
          // The last moment before any of them goes.
          async settled() {
            expect(commitTo(later, 'again')).toEqual(again)
            expect(later.of(one).has(asked.blob)).toBe(true)
            expect(later.of(one).write('blob', large)).toBe(written.large)
          },
        },
      ),
    )
    await later.close()
    expect(left(...idsOf(again), asked.blob, written.large)).toEqual(all(6, true))
    expect(left(asked.id, ...idsOf(unused))).toEqual(all(5, false))
  })

  test('stay as long as they are on their way to the disk', async () => {
    const { folder, written } = await folderWith((objects) => commitTo(objects, 'now'))
    const later = createFolderObjects(folder)
    let pending: Written | undefined
    await later.removeUnused(
      use(
        { [one.id]: [written.id] },
        {},
        {
          settled: async () => {
            pending ??= commitTo(later, 'pending', [written.id])
            await later.written()
          },
        },
      ),
    )
    await later.close()
    for (const id of idsOf(pending!)) expect(createFolderObjects(folder).of(one).has(id)).toBe(true)
  })

  test('stay where a duplicate takes them, where git looks at them, and where they were captured', async () => {
    const ids = ['3', '4', '5', '6'].map((digit) => ({ id: digit.repeat(24) }))
    const { folder } = await folderWith((objects) => {
      for (const repo of [one, two, ...ids]) commitTo(objects, 'moved away', [], repo)
    })
    const [asked, captured, adopted, unused] = ids as [
      typeof one,
      typeof one,
      typeof one,
      typeof one,
    ]
    const later = createFolderObjects(folder)
    const { id } = commitTo(createMemoryObjects(), 'moved away')
    const refsTo = (repo: typeof one) => ({ ...repo, refs: { 'refs/heads/main': id } })
    let isDone = false
    await later.removeUnused(
      use(
        Object.fromEntries([one, two, ...ids].map((repo) => [repo.id, []])),
        {},
        {
          async settled() {
            if (isDone) return
            isDone = true
            later.duplicate(one, two, [id])
            await later.folderFor({ ...asked, refs: {} })
            later.capture([refsTo(captured)])
            later.adopt(later, [refsTo(adopted)])
          },
        },
      ),
    )
    await later.close()
    const has = (repo: typeof one) =>
      existsSync(join(folder, `${repo.id}.git`, 'objects', id.slice(0, 2), id.slice(2)))
    expect([one, two, asked, captured, adopted, unused].map(has)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  test('stay as long as git looks at them, with what was pushed meanwhile, and go later in the same run', async () => {
    const { folder, written, left } = await folderWith((objects) => ({
      now: commitTo(objects, 'now'),
      used: commitTo(objects, 'used again'),
      unused: commitTo(objects, 'unused'),
      elsewhere: commitTo(objects, 'elsewhere', [], two),
    }))
    const { now, used, unused, elsewhere } = written
    const later = createFolderObjects(folder)
    const refs: Record<string, string[]> = { [one.id]: [now.id], [two.id]: [] }
    let hasEnded = () => {}
    const git = new Promise<void>((resolve) => void (hasEnded = resolve))
    let asked: Promise<string> | undefined
    const sweep = later.removeUnused(
      use(
        refs,
        {},
        { settled: async () => void (asked ??= later.folderFor({ ...one, refs: {} }, git)) },
      ),
    )
    const fileOfTwo = join(folder, `${two.id}.git`, 'objects', elsewhere.id.slice(0, 2))
    await vi.waitFor(() => expect(readdirSync(fileOfTwo)).toEqual([]))
    // One more turn of it, at least.
    await sleep(250)
    expect(left(...idsOf(unused))).toEqual(all(4, true))
    const pushed = later.of(one).writeCommit({
      ...later.of(one).readCommit(now.id),
      treeId: used.treeId,
      message: 'pushed\n',
    })
    refs[one.id] = [pushed]
    await later.written()
    hasEnded()
    await sweep
    expect(left(pushed, used.blob, used.folder, used.treeId, ...idsOf(now))).toEqual(all(8, true))
    expect(left(used.id, ...idsOf(unused))).toEqual(all(5, false))
    await later.close()
  })

  test('do not keep a run from its end where git looks at them still', async () => {
    const { folder, written, left } = await folderWith((objects) => commitTo(objects, 'unused'))
    const later = createFolderObjects(folder)
    await later.folderFor({ ...one, refs: {} }, new Promise(() => {}))
    const sweep = later.removeUnused(use({ [one.id]: [] }))
    await sleep(250)
    await later.close()
    await sweep
    expect(left(...idsOf(written))).toEqual(all(4, true))
  })

  test('stay until the disk knows that nothing leads to them', async () => {
    const { folder, written, left } = await folderWith((objects) => commitTo(objects, 'unused'))
    const later = createFolderObjects(folder)
    const full = new Error('the disk is full')
    const sweep = later.removeUnused(
      use({ [one.id]: [] }, {}, { settled: () => Promise.reject(full) }),
    )
    await expect(sweep).rejects.toBe(full)
    expect(left(...idsOf(written))).toEqual(all(4, true))
  })

  test('stay where something is damaged, and go elsewhere', async () => {
    const { folder, written, fileOf, left } = await folderWith((objects) => ({
      now: commitTo(objects, 'now'),
      unused: commitTo(objects, 'unused'),
      elsewhere: commitTo(objects, 'elsewhere', [], two),
    }))
    const { now, unused, elsewhere } = written
    writeFileSync(fileOf(now.treeId), 'what?')
    const later = createFolderObjects(folder)
    await expect(later.removeUnused(use({ [one.id]: [now.id], [two.id]: [] }))).rejects.toThrow(
      'is damaged',
    )
    expect(left(...idsOf(unused))).toEqual(all(4, true))
    expect(idsOf(elsewhere).map((id) => existsSync(fileOf(id, two)))).toEqual(all(4, false))
  })

  test('go also when they are damaged, and what is missing keeps nothing else from staying', async () => {
    const { folder, written, fileOf, left } = await folderWith((objects) => {
      const base = commitTo(objects, 'base')
      return { base, now: commitTo(objects, 'now', [base.id]), unused: commitTo(objects, 'unused') }
    })
    const { base, now, unused } = written
    writeFileSync(fileOf(unused.treeId), 'what?')
    rmSync(fileOf(now.treeId))
    await createFolderObjects(folder).removeUnused(use({ [one.id]: [now.id] }))
    expect(left(...idsOf(base), now.id)).toEqual(all(5, true))
    expect(left(...idsOf(unused))).toEqual(all(4, false))
  })

  test('are all there is to go: packs, files and folders of others stay', async () => {
    const { folder, written, left } = await folderWith((objects) => commitTo(objects, 'unused'))
    const repo = join(folder, `${one.id}.git`)
    const others = [
      'objects/pack/pack-1.pack',
      'objects/info/alternates',
      'objects/ab/tmp_obj_x',
      'hooks/x',
      'objects/zz/y',
    ]
    for (const file of others) {
      mkdirSync(join(repo, file, '..'), { recursive: true })
      writeFileSync(join(repo, file), 'mine')
    }
    await createFolderObjects(folder).removeUnused(use({ [one.id]: [] }))
    expect(left(...idsOf(written))).toEqual(all(4, false))
    for (const file of others) expect(readFileSync(join(repo, file), 'utf8')).toBe('mine')
  })

  test('take a file of refs with them that still leads there', async () => {
    const { folder, written } = await folderWith((objects) => [
      commitTo(objects, 'now'),
      commitTo(objects, 'old'),
    ])
    const [now, old] = written as [Written, Written]
    const refs = join(folder, `${one.id}.git`, 'packed-refs')
    for (const [id, stays] of [
      [now.id, true],
      [old.id, false],
    ] as const) {
      writeFileSync(refs, `# pack-refs with: sorted \n${id} refs/heads/main\n`)
      const later = createFolderObjects(folder)
      commitTo(later, 'old')
      await later.close()
      await createFolderObjects(folder).removeUnused(use({ [one.id]: [now.id] }))
      expect([id, existsSync(refs)]).toEqual([id, stays])
    }
  })

  test('go in an order that leaves nothing half done wherever it is cut off', async () => {
    const { folder, written } = await folderWith((objects) => {
      const now = commitTo(objects, 'now')
      const first = commitTo(objects, 'first', [now.id])
      const third = commitTo(objects, 'third', [commitTo(objects, 'second', [first.id]).id])
      tagOf(objects, third.id, 'commit')
      return now
    })
    const files = new LooseFiles(join(folder, `${one.id}.git`), new Unfinished(folder))
    const unused = new Set<string>()
    for await (const id of files.ids()) if (!idsOf(written).includes(id)) unused.add(id)
    const order: string[] = []
    const sorting = usersFirst((id) => files.readAside(id), unused, order)
    while ((await sorting.next()).done !== true) expect(order).toEqual([])
    expect(order.toSorted()).toEqual([...unused].toSorted())
    for (const id of order) {
      files.remove(id)
      expect(fsck(folder, [written.id])).toMatchObject({ status: 0 })
    }
  })

  test('are looked for a little at a time: others have most of it', async () => {
    const { folder, written, left } = await folderWith((objects) => {
      const ids: string[] = []
      for (let at = 0; at < 100; at++) ids.push(commitTo(objects, `c${at}`, ids.slice(-1)).id)
      return { head: ids.at(-1) ?? '', stray: commitTo(objects, 'stray') }
    })
    const later = createFolderObjects(folder)
    const before = nodePerformance.eventLoopUtilization()
    await later.removeUnused(use({ [one.id]: [written.head] }))
    expect(nodePerformance.eventLoopUtilization(before).utilization).toBeLessThan(0.7)
    expect(left(...idsOf(written.stray))).toEqual(all(4, false))
  })

  test.skipIf(process.platform === 'win32')(
    'are looked for by threads: a disk that answers late holds up nobody else',
    async () => {
      const { folder, written, fileOf, left } = await folderWith((objects) => ({
        now: commitTo(objects, 'now'),
        unused: commitTo(objects, 'unused'),
      }))
      const { now, unused } = written
      // Whoever opens one of these waits until another writes to it.
      for (const id of [now.treeId, unused.treeId]) {
        renameSync(fileOf(id), `${fileOf(id)}.whole`)
        expect(spawnSync('mkfifo', [fileOf(id)]).status).toBe(0)
      }
      const later = createFolderObjects(folder)
      const sweep = later.removeUnused(use({ [one.id]: [now.id] }))
      const disk = spawn(
        'sh',
        ['-c', 'sleep 0.5; cat "$1.whole" > "$1"; cat "$2.whole" > "$2"'].concat(
          'sh',
          fileOf(now.treeId),
          fileOf(unused.treeId),
        ),
      )
      let longestMs = 0
      for (let last = performance.now(); disk.exitCode === null;) {
        await new Promise((resolve) => void setTimeout(resolve, 5))
        longestMs = Math.max(longestMs, performance.now() - last)
        last = performance.now()
      }
      await sweep
      expect(longestMs).toBeLessThan(400)
      expect(left(...idsOf(now))).toEqual(all(4, true))
      expect(left(...idsOf(unused))).toEqual(all(4, false))
    },
  )

  test('are looked for in a large folder a part at a time', async () => {
    const entries = Array.from({ length: 100_000 }, (_, at) =>
      treeEntry(`f${at}`, '100644', at.toString(16).padStart(40, '0')),
    )
    const content = encodeTree(entries)
    const read = async () => ({ type: 'tree', content }) as const
    const reached = new Set<string>()
    let steps = 0
    for await (const _ of reach(read, ['a'.repeat(40)], reached)) steps++
    expect(reached.size).toBe(entries.length + 1)
    expect(steps).toBeGreaterThanOrEqual(100)
  })

  test('are none of those in what is a file to one and a folder to another', async () => {
    const { folder, written, left } = await folderWith((objects) => {
      const store = objects.of(one)
      const { folder: shared, blob } = commitTo(objects, 'content')
      const treeId = store.writeTree([
        treeEntry('file', '100644', shared),
        treeEntry('folder', '40000', shared),
      ])
      const commit = { treeId, parentIds: [], author: by, committer: by, headers: [], message: '' }
      return { id: store.writeCommit(commit), shared, blob }
    })
    await createFolderObjects(folder).removeUnused(use({ [one.id]: [written.id] }))
    expect(left(written.id, written.shared, written.blob)).toEqual(all(3, true))
  })

  test('wait for a later run when this one ends', async () => {
    const { folder, written, left } = await folderWith((objects) => commitTo(objects, 'unused'))
    const later = createFolderObjects(folder)
    const sweep = later.removeUnused(use({ [one.id]: [] }))
    await later.close()
    await sweep
    expect(left(...idsOf(written))).toEqual(all(4, true))
  })
})
