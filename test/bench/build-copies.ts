import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Command line of a build, below the root of its checkout. */
export const builtCommand = 'dist/server/cli.cjs'

/**
 * Runs `act` with copies of two builds, because a program that has often been started from its folder has compiled code
 * there.
 * @param roots root folders of their checkouts, which may be the same
 * @param act receives the root folders of the copies
 */
export async function withCopies<T>(
  [one, other]: readonly [string, string],
  act: (copies: readonly [string, string]) => Promise<T>,
): Promise<T> {
  // Below node_modules, where the copies find the packages.
  const folder = await mkdtemp(join(root, 'node_modules/.bench-'))
  try {
    return await act([
      await copyBuild(one, join(folder, 'one')),
      await copyBuild(other, join(folder, 'other')),
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyBuild(from: string, to: string): Promise<string> {
  await cp(join(from, 'package.json'), join(to, 'package.json'))
  await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true })
  return to
}
