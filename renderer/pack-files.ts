import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** A smaller file is not worth a second one. */
const leastBytes = 1000

/**
 * Writes each script and stylesheet of the build packed as well. The server sends these files as they are; browsers take
 * brotli over HTTPS and from this machine, and gzip everywhere.
 */
export function packFiles(): Plugin {
  let folder = ''
  return {
    name: 'pack-files',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir, 'assets')
    },
    async closeBundle() {
      const names = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name))
      await Promise.all(names.map((name) => pack(join(folder, name))))
    },
  }
}

async function pack(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < leastBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await Promise.all([
    writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params })),
    writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 })),
  ])
}
