import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from './temporary-directory.ts'

/**
 * Stands for a disk that does not answer: the program opens a pipe that nobody writes to in place of a file, and not even
 * an exit gets past it.
 * @param file name of the file, or the end of its path
 * @param folder where the pipe is made
 * @param seenAs path of the folder for the program
 * @returns `NODE_OPTIONS` of the program
 */
export function openPipeInstead(
  file: string,
  folder = temporaryDirectory(),
  seenAs = folder,
): { NODE_OPTIONS: string } {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const pipe = join(seenAs, 'pipe')
  writeFileSync(
    join(folder, 'open-pipe.cjs'),
    `const files = require('node:fs/promises')
const { open } = files
files.open = (path, ...rest) =>
  String(path).endsWith(${JSON.stringify(file)}) ? open(${JSON.stringify(pipe)}, 'r') : open(path, ...rest)
require('node:module').syncBuiltinESMExports()
`,
  )
  return { NODE_OPTIONS: `--require ${join(seenAs, 'open-pipe.cjs')}` }
}
