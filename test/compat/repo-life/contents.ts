import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** 50 MB, no two parts of which are alike. */
export const large = Buffer.alloc(50_000_000)
for (let at = 0; at + 4 <= large.length; at += 4)
  large.writeUInt32LE(Math.imul(at, 2654435761) >>> 0, at)

const files: Record<string, string | Buffer> = {
  'data/a.csv': 'a,b\n1,2\n',
  'data/deep/b.csv': 'c,d\n3,4\n',
  'data/empty': '',
  'data/with space, and ü.txt': 'ü',
  'large.bin': large,
}

/** Puts into a folder what the life of a repo uploads. */
export function writeContents(folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}
