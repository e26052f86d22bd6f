import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { replaceFile } from '../../../server/cli/replace-file.ts'
import { fileHandlePrototype } from '../../helpers/failing-disk.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

test('a new file can be read by all, and a replaced one keeps its mode', async () => {
  const file = join(temporaryDirectory(), 'a.json')
  await replaceFile(file, 'one')
  expect(statSync(file).mode & 0o444).toBe(0o444)
  chmodSync(file, 0o600)
  await replaceFile(file, 'two')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe('two')
})

test('a link stays one, and its target is replaced', async () => {
  const folder = temporaryDirectory()
  writeFileSync(join(folder, 'target.json'), 'one')
  symlinkSync('target.json', join(folder, 'link.json'))
  await replaceFile(join(folder, 'link.json'), 'two')
  expect(lstatSync(join(folder, 'link.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'target.json'), 'utf8')).toBe('two')
})

test('a full disk leaves the old file, and nothing beside it', async () => {
  const folder = temporaryDirectory()
  const file = join(folder, 'a.json')
  writeFileSync(file, 'old')
  const prototype = await fileHandlePrototype()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  })
  const write = vi.spyOn(prototype, 'writeFile').mockImplementation(async function (
    this: FileHandle,
  ) {
    await this.write('hal')
    throw full
  })
  await expect(replaceFile(file, 'half')).rejects.toMatchObject({
    message: `Cannot write ${file}: the disk is full (ENOSPC); the old file is unchanged, and what was fetched is kept for the next run.`,
    exitCode: 2,
  })
  write.mockRestore()
  expect(readFileSync(file, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['a.json'])
})
