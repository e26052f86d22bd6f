import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DiskCall, diskCalls } from './disk-calls.ts'
import { firstDescriptor, type SimulatedDisk, systemError } from './simulated-disk.ts'

export { type Events, type FaultCode, ProcessDied, SimulatedDisk } from './simulated-disk.ts'

/** Functions of node:fs with two paths. */
const hasTwoPaths = /^(?:rename|link|symlink|copyFile|cp)(?:Sync)?$/

/** Functions that fail between two disks. */
const crosses = /^(?:rename|link)(?:Sync)?$/

/**
 * Replaces the functions of node:fs and node:fs/promises in this process, so that the paths below a root are on a simulated
 * disk. A function that is not simulated throws there.
 * @param root absolute path, the root of the disks
 * @param current returns the disk of the process that calls: a promise of a dead process must not go on with the files of the
 * next one
 * @returns function that puts the real ones back
 */
export function installDisk(root: string, current: () => SimulatedDisk): () => void {
  const inRoot = (given: unknown): string | undefined => {
    const text = textOf(given)
    if (text === undefined) return undefined
    const path = resolve(text)
    return path === root || path.startsWith(`${root}/`) ? path : undefined
  }
  const target = { inRoot, current }
  const calls = diskCalls()
  const undo = [
    replaceAll(fs, 'fs', calls.fs, target),
    replaceAll(fs.promises, 'fs.promises', calls.promises, target),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
  }
}

function textOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given
  if (given instanceof URL && given.protocol === 'file:') return fileURLToPath(given)
  return Buffer.isBuffer(given) ? given.toString() : undefined
}

interface Target {
  readonly inRoot: (given: unknown) => string | undefined
  readonly current: () => SimulatedDisk
}

function replaceAll(
  module: object,
  title: string,
  calls: ReadonlyMap<string, DiskCall>,
  { inRoot, current }: Target,
): () => void {
  // Those with a capital are classes.
  const real = Object.entries(module).filter(
    ([name, found]) => typeof found === 'function' && /^[a-z]/.test(name),
  ) as [string, (...given: unknown[]) => unknown][]
  const replaced = real.map(([name, found]) => {
    const call = calls.get(name)
    const paths = hasTwoPaths.test(name) ? 2 : 1
    function replacement(this: unknown, ...given: unknown[]): unknown {
      const [first] = given
      if (typeof first === 'number') {
        if (first < firstDescriptor) return found.apply(this, given)
        if (call !== undefined) return call(current(), ...(given as never[]))
        throw new Error(`${title}.${name} is not simulated (descriptor ${first})`)
      }
      const own = given.slice(0, paths).map(inRoot)
      const inside = own.filter((path) => path !== undefined)
      const [where] = inside
      if (where === undefined) return found.apply(this, given)
      const isWhole = inside.length === paths
      if (!isWhole && crosses.test(name)) throw systemError('EXDEV', name, where)
      if (call === undefined || !isWhole) {
        throw new Error(`${title}.${name} is not simulated (${where})`)
      }
      const simulated = given.map((one, index) => own[index] ?? one)
      return call(current(), ...(simulated as never[]))
    }
    // Such as `realpath.native`.
    const native = 'native' in found ? { native: replacement } : {}
    return [name, Object.assign(replacement, found, native)] as const
  })
  Object.assign(module, Object.fromEntries(replaced))
  return () => {
    Object.assign(module, Object.fromEntries(real))
  }
}
