import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { LooseFiles } from '../../../../server/store/objects/loose-files.ts'
import { packLoose } from '../../../../server/store/objects/loose-object.ts'
import { gitObjectId } from '../../../../server/store/objects/object-id.ts'
import { Unfinished } from '../../../../server/store/objects/unfinished.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const content = Buffer.from('hello\n')
const id = gitObjectId('blob', content)

function openFiles() {
  const folder = join(temporaryDirectory(), 'repo.git')
  const files = new LooseFiles(folder, new Unfinished(join(folder, '..', 'unfinished')))
  const write = () => files.write(id, packLoose({ type: 'blob', content }))
  return { folder, files, write, place: dirname(files.file(id)) }
}

test('creates each missing folder, for its user only', () => {
  const { folder, files, write, place } = openFiles()
  write()
  expect(files.read(id).content).toEqual(content)
  for (const made of [folder, join(folder, 'objects'), place]) {
    expect(statSync(made).mode & 0o777).toBe(0o700)
  }
  rmSync(place, { recursive: true })
  write()
  expect(files.read(id).content).toEqual(content)
})

test('reports what blocks the path of a folder', () => {
  const { folder, write, place } = openFiles()
  mkdirSync(join(folder, 'objects'), { recursive: true })
  writeFileSync(place, '')
  expect(write).toThrow(/^cannot write /)
})
