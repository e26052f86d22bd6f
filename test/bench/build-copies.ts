import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Command line of a build, below its root. */
export const builtCommand = 'dist/server/cli.cjs'

/**
 * Runs `act` with copies of builds, because a program that has often been started from its folder has compiled code there.
 * @param roots root folders of checkouts; default: two of this one
 * @param act receives the root folders of the copies
 */
export async function withCopies<T>(
  act: (copies: readonly [string, string]) => Promise<T>,
  roots: readonly [string, string] = [root, root],
): Promise<T> {
  // Below node_modules, where the copies find the packages.
  const folder = await mkdtemp(join(root, 'node_modules/.bench-'))
  try {
    const copies = [join(folder, 'one'), join(folder, 'other')] as const
    for (const [index, copy] of copies.entries()) {
      const from = roots[index]!
      await cp(join(from, 'package.json'), join(copy, 'package.json'))
      await cp(join(from, 'dist'), join(copy, 'dist'), { recursive: true })
    }
    return await act(copies)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
