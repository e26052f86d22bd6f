import { createHash } from 'node:crypto'
import type { State } from '../../server/store/state.ts'
import type { World } from './world/world.ts'

/** Checks between two that hash each content; the others look whether it is there. */
const between = 20
const counts = new WeakMap<World, { checks: number; starts: number }>()

/** Each content that a repo may refer to is there, with its hash, and each file of a bucket has such a content. */
export function problemOfLargeFiles(world: World, state: State): string | undefined {
  const { lfs } = world.sandbox.deps.objects
  const count = counts.get(world) ?? { checks: 0, starts: 0 }
  const isThorough = count.starts !== world.starts || count.checks % between === 0
  counts.set(world, { checks: count.checks + 1, starts: world.starts })
  for (const oid of new Set([...state.lfsFiles.values()].map((file) => file.oid))) {
    if (!lfs.has(oid))
      return `${oid} is missing ${world.disk.files().join(' ')} ${[...state.lfsFiles.values()].map((f) => JSON.stringify(f)).join(' ')}`
    if (!isThorough) continue
    const found = createHash('sha256').update(lfs.read(oid)).digest('hex')
    if (found !== oid) return `${oid} has the hash ${found}`
  }
  for (const { id, repoId, oid, size, xetHash } of state.bucketFiles.values()) {
    if (size === 0) continue
    if (!state.lfsFiles.has(`${repoId}/${oid}`)) return `${id} has no content ${oid}`
    if (lfs.xetFile(oid)?.hash !== xetHash) return `${id} has no chunks`
  }
  return undefined
}
