import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFolderObjects } from '../../../server/objects/folder-objects.ts'
import { LooseFiles } from '../../../server/objects/loose-files.ts'
import { packLoose } from '../../../server/objects/loose-object.ts'
import { gitObjectId } from '../../../server/objects/object-id.ts'
import type { ObjectStores, Refs, RepoUse } from '../../../server/objects/object-store.ts'
import { treeEntry } from '../../../server/objects/tree-codec.ts'
import { Unfinished } from '../../../server/objects/unfinished.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

const one = { id: '1'.repeat(24) }
const two = { id: '2'.repeat(24) }
const by = { name: 'A', email: 'a@x.example', seconds: 1, timeZone: '+0000' }
const planted = { type: 'blob', content: Buffer.from('nobody needs this') } as const
const plantedId = gitObjectId(planted.type, planted.content)

function commitTo(objects: ObjectStores, content: string, parentIds: string[] = [], repo = one) {
  const store = objects.of(repo)
  const blob = store.write('blob', Buffer.from(content))
  const treeId = store.writeTree([treeEntry('file', '100644', blob)])
  const commit = { treeId, parentIds, author: by, committer: by, headers: [], message: 'x\n' }
  return store.writeCommit(commit)
}

/** Runs that follow each other over one folder, with what the state and the snapshots say. */
function createRuns() {
  const folder = temporaryDirectory()
  let refs: Record<string, Refs> = {}
  let marks: readonly string[] = []
  const repos = () => Object.entries(refs).map(([id, each]) => ({ id, refs: each }))
  const file = () => new LooseFiles(join(folder, `${one.id}.git`), new Unfinished(folder))
  const point = (branches: Record<string, string>, repo = one) => {
    refs = { ...refs, [repo.id]: branches }
  }
  const begin = async () => {
    const objects = createFolderObjects(folder)
    const use: RepoUse = {
      isUsed: (id) => refs[id] !== undefined,
      refsOf: (id) => refs[id],
      repos,
      reposBefore: repos(),
      listMarks: async () => marks,
      listKept: async () => ({ ids: new Set([one.id, two.id]), targets: new Set() }),
      settled: async () => {},
    }
    return { objects, sweep: () => objects.removeUnused(use) }
  }
  return {
    folder,
    note: join(folder, 'nothing-unused.json'),
    point,
    delete: ({ id }: typeof one) => void delete refs[id],
    keep: (...next: readonly string[]) => void (marks = next),
    /** A run that looks for unused objects, and ends as it should unless something is thrown. */
    async run(work: (objects: ObjectStores) => unknown = () => {}) {
      const { objects, sweep } = await begin()
      await sweep()
      await work(objects)
      await objects.close()
    },
    /** One that is killed. */
    async killed(work: (objects: ObjectStores) => unknown) {
      const { objects, sweep } = await begin()
      await sweep()
      await work(objects)
      await objects.written()
    },
    /** Whether the next start looks for what is unused, by what it finds. */
    async isSwept(): Promise<boolean> {
      file().write(plantedId, packLoose(planted))
      const { sweep } = await begin()
      await sweep()
      return !file().has(plantedId)
    },
  }
}

/** After a first run, which has put a commit on a branch and ended as it should. */
async function afterFirst() {
  const runs = createRuns()
  let first = ''
  await runs.run((objects) => {
    first = commitTo(objects, 'first')
    runs.point({ main: first })
  })
  return { ...runs, first }
}

describe('a start does not look for unused objects', () => {
  test('after a run that has needed all it wrote, nor after one that wrote nothing', async () => {
    const runs = await afterFirst()
    expect(await runs.isSwept()).toBe(false)
    await runs.run()
    expect(await runs.isSwept()).toBe(false)
    await runs.killed(() => {})
    expect(await runs.isSwept()).toBe(false)
  })

  test('when branches have grown, come and were merged', async () => {
    const runs = await afterFirst()
    await runs.run((objects) => {
      const second = commitTo(objects, 'second', [runs.first])
      const side = commitTo(objects, 'side', [runs.first])
      const merge = commitTo(objects, 'merged', [commitTo(objects, 'third', [second]), side])
      runs.point({ main: merge, base: runs.first })
    })
    expect(await runs.isSwept()).toBe(false)
  })

  test('when a repo is gone that nothing kept needs, nor when something more is kept', async () => {
    const runs = await afterFirst()
    await runs.run((objects) => runs.point({ main: commitTo(objects, 'x', [], two) }, two))
    await runs.run(() => runs.delete(two))
    expect(await runs.isSwept()).toBe(false)
    runs.keep('a 1')
    expect(await runs.isSwept()).toBe(false)
  })
})

describe('a start looks for unused objects', () => {
  test('once, after which a run ends well', async () => {
    const runs = await afterFirst()
    await runs.run((objects) => void commitTo(objects, 'never on a branch', [runs.first]))
    expect(await runs.isSwept()).toBe(true)
    await runs.run()
    expect(await runs.isSwept()).toBe(false)
  })

  test('when a branch was moved away', async () => {
    const runs = await afterFirst()
    await runs.run((objects) => runs.point({ main: commitTo(objects, 'other') }))
    expect(await runs.isSwept()).toBe(true)
  })

  test('when a branch was deleted, also by a run that wrote nothing or was killed', async () => {
    for (const end of ['run', 'killed'] as const) {
      const runs = await afterFirst()
      await runs.run((objects) => {
        runs.point({ main: runs.first, side: commitTo(objects, 'side', [runs.first]) })
      })
      await runs[end](() => runs.point({ main: runs.first }))
      expect([end, await runs.isSwept()]).toEqual([end, true])
    }
  })

  test('after a run that was killed when it had written, whatever refs say', async () => {
    const runs = await afterFirst()
    await runs.killed((objects) => void commitTo(objects, 'cut off', [runs.first]))
    expect(await runs.isSwept()).toBe(true)
  })

  test('when a content was taken as it arrived, or all of a folder, and is on no branch', async () => {
    const large = Buffer.alloc(1_500_000, 'x')
    const runs = await afterFirst()
    await runs.run(async (objects) => void objects.of(one).write('blob', large))
    expect(await runs.isSwept()).toBe(true)
    await runs.run()
    await runs.run(async (objects) => {
      const brought = temporaryDirectory()
      LooseFiles.within(brought).write(plantedId, packLoose(planted))
      await objects.of(one).takeLoose(brought)
    })
    expect(await runs.isSwept()).toBe(true)
  })

  test('when a repo is gone of which something kept needs a part, and when what was kept is gone', async () => {
    const runs = await afterFirst()
    runs.keep('a 1')
    await runs.run((objects) => runs.point({ main: commitTo(objects, 'x', [], two) }, two))
    expect(await runs.isSwept()).toBe(false)
    await runs.run(() => runs.delete(two))
    expect(await runs.isSwept()).toBe(true)
    await runs.run()
    expect(await runs.isSwept()).toBe(false)
    runs.keep('a 2')
    expect(await runs.isSwept()).toBe(true)
    await runs.run()
    await runs.run(() => runs.keep())
    expect(await runs.isSwept()).toBe(true)
  })

  test('when unused ones were asked for while they were looked for', async () => {
    const runs = await afterFirst()
    let unused = ''
    await runs.run((objects) => void (unused = commitTo(objects, 'unused', [runs.first])))
    const objects = createFolderObjects(runs.folder)
    const refs = { main: runs.first }
    await objects.removeUnused({
      isUsed: () => true,
      refsOf: () => refs,
      repos: () => [{ ...one, refs }],
      reposBefore: [{ ...one, refs }],
      listMarks: async () => [],
      listKept: async () => ({ ids: new Set(), targets: new Set() }),
      settled: async () => void objects.of(one).has(unused),
    })
    await objects.close()
    expect(await runs.isSwept()).toBe(true)
  })

  test('when more was written than an end of a run looks at', { timeout: 30_000 }, async () => {
    const runs = await afterFirst()
    await runs.run((objects) => {
      const store = objects.of(one)
      const entries = Array.from({ length: 5000 }, (_, at) =>
        treeEntry(`${at + 10_000}`, '100644', store.write('blob', Buffer.from(`${at}`))),
      )
      const treeId = store.writeTree(entries)
      const parentIds = [runs.first]
      const commit = { ...store.readCommit(runs.first), treeId, parentIds }
      runs.point({ main: store.writeCommit(commit) })
    })
    expect(await runs.isSwept()).toBe(true)
  })

  test('when the note of it was cut off', async () => {
    const runs = await afterFirst()
    writeFileSync(runs.note, readFileSync(runs.note, 'utf8').slice(0, 20))
    expect(await runs.isSwept()).toBe(true)
  })
})

test('the note that nothing is unused is gone before the first object has its name', async () => {
  const runs = await afterFirst()
  const objects = createFolderObjects(runs.folder)
  // No object gets a name where a file is in the way of its folder.
  const id = gitObjectId('blob', Buffer.from('next'))
  const inTheWay = join(runs.folder, `${one.id}.git`, 'objects', id.slice(0, 2))
  rmSync(inTheWay, { recursive: true, force: true })
  writeFileSync(inTheWay, '')
  objects.of(one).write('blob', Buffer.from('next'))
  expect(existsSync(runs.note)).toBe(true)
  await expect(Promise.resolve(objects.written())).rejects.toThrow('cannot write')
  expect(existsSync(runs.note)).toBe(false)
})
