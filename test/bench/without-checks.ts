import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Paths of two command lines: of the build, and of the same without its checks. */
export interface Builds {
  checked: string
  unchecked: string
}

/**
 * Runs `act` with two copies of the build, one of which never examines its log. Both are copies, because a program that
 * has often been started from its folder has compiled code there.
 */
export async function withAndWithoutChecks<T>(act: (builds: Builds) => Promise<T>): Promise<T> {
  // Below node_modules, where the copies find the packages.
  const folder = await mkdtemp(join(root, 'node_modules/.bench-'))
  try {
    const [checked, unchecked] = [join(folder, 'checked'), join(folder, 'unchecked')]
    for (const copy of [checked, unchecked]) {
      await cp(join(root, 'package.json'), join(copy, 'package.json'))
      await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
    }
    await removeWatch(join(unchecked, 'dist/library/chunks'))
    const program = 'dist/server/cli.cjs'
    return await act({ checked: join(checked, program), unchecked: join(unchecked, program) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const startOfWatch = /^function watchRecord\(.*\{$/m

/** Makes `watchRecord` of server/lab/checks/watch-record.ts do nothing. */
async function removeWatch(chunks: string): Promise<void> {
  for (const name of await readdir(chunks)) {
    const path = join(chunks, name)
    const text = await readFile(path, 'utf8')
    if (!startOfWatch.test(text)) continue
    await writeFile(path, text.replace(startOfWatch, '$&\n\treturn { note() {} };'))
    return
  }
  throw new Error('the build has no function watchRecord')
}
