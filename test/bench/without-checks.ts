import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs `act` with a copy of the build that never examines its log.
 * @param act gets the path of the command line
 */
export async function withoutChecks<T>(act: (path: string) => Promise<T>): Promise<T> {
  // Below node_modules, where the copy finds the packages.
  const copy = await mkdtemp(join(root, 'node_modules/.bench-'))
  try {
    await cp(join(root, 'package.json'), join(copy, 'package.json'))
    await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
    await removeWatch(join(copy, 'dist/library/chunks'))
    return await act(join(copy, 'dist/server/cli.cjs'))
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const startOfWatch = /^function watchRecord\(.*\{$/m

/** Makes `watchRecord` of server/advice/watch-record.ts do nothing. */
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
