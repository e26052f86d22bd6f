import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtCommand, root, withCopies } from './build-copies.ts'

/** Paths of two command lines: of the build, and of the same without its checks. */
export interface Builds {
  checked: string
  unchecked: string
}

/** Runs `act` with two copies of the build, one of which never examines its log. */
export function withAndWithoutChecks<T>(act: (builds: Builds) => Promise<T>): Promise<T> {
  return withCopies([root, root], async ([checked, unchecked]) => {
    await removeWatch(join(unchecked, 'dist/library/chunks'))
    return act({ checked: join(checked, builtCommand), unchecked: join(unchecked, builtCommand) })
  })
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
