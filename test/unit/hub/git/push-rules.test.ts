import { expect, test } from 'vitest'
import { findOffences } from '../../../../server/hub/git/push-rules.ts'
import { formatLfsPointer, noteLfsFile } from '../../../../server/hub/files/lfs-objects.ts'
import type { LooseFiles } from '../../../../server/store/objects/loose-files.ts'
import { createHubWorld } from '../hub-world.ts'

test('a push is refused that brings back a pointer whose content is gone', async () => {
  const world = await createHubWorld()
  const repo = world.repo('acme/corpus')
  const objects = world.objects(repo)
  const pointer = { oid: 'a'.repeat(64), size: 5 }
  // The repo has the object from an earlier push, so git does not send it again.
  const id = objects.write('blob', Buffer.from(formatLfsPointer(pointer)))
  const brought = { has: () => false } as unknown as LooseFiles
  const offences = () =>
    findOffences(
      { deps: world.deps, repo, brought, objects },
      newObjects({ id, path: 'model.bin' }),
    )
  expect(await offences()).toEqual([{ kind: 'pointer', id, path: 'model.bin', oid: pointer.oid }])
  noteLfsFile(world.deps, repo, pointer)
  expect(await offences()).toEqual([])
})

async function* newObjects(...objects: { id: string; path: string }[]) {
  yield* objects
}
