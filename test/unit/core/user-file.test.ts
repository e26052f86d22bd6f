import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readUserFile, readUserText } from '../../../server/core/user-file.ts'
import { readFixtures } from '../../../server/fixtures/read.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

let folder: string
beforeEach(() => {
  folder = temporaryDirectory()
})
const of = (name: string) => join(folder, name)
const isWindows = process.platform === 'win32'

describe('a file that a user named', () => {
  test('is read up to its limit, without a byte order mark', async () => {
    writeFileSync(of('text'), '\uFEFFhello')
    expect(await readUserText(of('text'), 8)).toBe('hello')
    await expect(readUserText(of('text'), 7)).rejects.toThrow(/^is larger than 7 bytes$/)
    // Sparse: it would take 8 GiB of memory.
    truncateSync(of('text'), 8 * 1024 ** 3)
    await expect(readUserFile(of('text'), 64 * 1024 * 1024)).rejects.toThrow('larger than 64 MiB')
  })

  test('is refused at once if it is missing or a folder', async () => {
    mkdirSync(of('folder'))
    await expect(readUserFile(of('folder'), 9)).rejects.toThrow(/^is a folder, not a file$/)
    await expect(readUserFile(of('nope'), 9)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test.skipIf(isWindows)('is refused at once if it is a pipe without a writer', async () => {
    execFileSync('mkfifo', [of('pipe.json')])
    const refused = 'is a pipe or device, not a file'
    await expect(readUserFile(of('pipe.json'), 9)).rejects.toThrow(refused)
    await expect(readFixtures('pipe.json', folder)).rejects.toThrow(refused)
  })

  test.skipIf(isWindows)('is refused at once if it is a device or a socket', async () => {
    await expect(readUserFile('/dev/zero', 9)).rejects.toThrow('is a pipe or device')
    const server = createServer().listen(of('socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    await expect(readUserFile(of('socket'), 9)).rejects.toThrow('is a pipe or device')
  })
})
