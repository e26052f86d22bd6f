import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ContentsFolder, sweepIn } from '../../../../server/store/objects/contents-folder.ts'
import { thisProcess } from '../../../../server/store/processes.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const place = new ContentsFolder()
afterEach(() => place.remove())

describe('the private folder of a sandbox', () => {
  test('is one for its user alone, and gone in the end', async () => {
    const path = place.path()
    expect(place.path()).toBe(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    writeFileSync(join(path, 'file'), 'content')
    await place.remove()
    expect(existsSync(path)).toBe(false)
  })

  test('is removed by another program when its own was killed', async () => {
    const folder = temporaryDirectory()
    const made = (name: string, owner?: object) => {
      const path = join(folder, name)
      mkdirSync(path)
      if (owner !== undefined) writeFileSync(join(path, 'owner.json'), JSON.stringify(owner))
      return path
    }
    const { host } = thisProcess()
    made('hub-sandbox-contents-dead', { pid: 2 ** 22 + 1, host })
    made('hub-sandbox-contents-live', thisProcess())
    made('hub-sandbox-contents-elsewhere', { pid: 2 ** 22 + 1, host: `not-${host}` })
    made('hub-sandbox-contents-new')
    utimesSync(made('hub-sandbox-contents-old'), 0, 0)
    made('something-else')
    await sweepIn(folder)
    expect(readdirSync(folder).toSorted()).toEqual([
      'hub-sandbox-contents-elsewhere',
      'hub-sandbox-contents-live',
      'hub-sandbox-contents-new',
      'something-else',
    ])
  })

  test('is left alone where another user could have made it, and where it is none', async () => {
    const folder = temporaryDirectory()
    const elsewhere = temporaryDirectory()
    utimesSync(elsewhere, 0, 0)
    const path = join(folder, 'hub-sandbox-contents-foreign')
    mkdirSync(path)
    utimesSync(path, 0, 0)
    symlinkSync(elsewhere, join(folder, 'hub-sandbox-contents-link'))
    const { uid } = statSync(path)
    await sweepIn(folder, uid + 1)
    expect(readdirSync(folder)).toHaveLength(2)
    await sweepIn(folder, uid)
    expect(readdirSync(folder)).toEqual(['hub-sandbox-contents-link'])
  })
})
