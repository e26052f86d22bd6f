import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makePrivateFolder } from '../../../../server/cli/exec/private-folder.ts'
import { thisProcess } from '../../../../server/store/processes.ts'
import { hasProgram } from '../../../helpers/programs.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

/** Windows keeps others out by where the folder is. */
const modeBits = process.platform === 'win32' ? 0 : 0o777

/** A process that has ended and was waited for. */
function endedProcess() {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  return { ...thisProcess(), pid, processStart: '1' }
}

describe('the private folder of a run', () => {
  test('is accessible to its user only, and deleted with its content', async () => {
    const folder = await makePrivateFolder(temporaryDirectory())
    expect(statSync(folder.path).mode & modeBits).toBe(0o700 & modeBits)
    writeFileSync(join(folder.path, 'token'), 'x')
    folder.remove()
    expect(existsSync(folder.path)).toBe(false)
    folder.remove()
  })

  test('reports where it cannot be created, with the fix', async () => {
    const nowhere = join(temporaryDirectory(), 'nowhere')
    await expect(makePrivateFolder(nowhere)).rejects.toThrow(
      /^Cannot create a temporary folder in .*nowhere \(.*ENOENT.*\)\. Set \w+ to another folder\.$/,
    )
  })

  test('of a killed run is deleted by the next one, those of others stay', async () => {
    const parent = temporaryDirectory()
    const made = (name: string, owner?: object) => {
      const path = join(parent, `hub-sandbox-exec-${name}`)
      mkdirSync(path)
      if (owner !== undefined) writeFileSync(join(path, 'owner.json'), JSON.stringify(owner))
      return path
    }
    const old = new Date(Date.now() - 3_600_000)
    const killed = made('killed', endedProcess())
    const killedAtOnce = made('at-once')
    utimesSync(killedAtOnce, old, old)
    const stay = [
      made('running', thisProcess()),
      made('elsewhere', { ...endedProcess(), host: 'another-machine' }),
      made('just-made'),
      made('torn', { pid: 'x' }),
    ]
    const mine = join(parent, 'mine')
    mkdirSync(mine)
    writeFileSync(join(mine, 'owner.json'), JSON.stringify(endedProcess()))
    const link = join(parent, 'hub-sandbox-exec-link')
    symlinkSync(mine, link)
    writeFileSync(join(parent, 'hub-sandbox-exec-file'), '')

    const folder = await makePrivateFolder(parent)
    for (const path of [killed, killedAtOnce]) expect(existsSync(path)).toBe(false)
    for (const path of [...stay, link, join(mine, 'owner.json'), folder.path]) {
      expect(existsSync(path)).toBe(true)
    }
    expect(existsSync(join(parent, 'hub-sandbox-exec-file'))).toBe(true)
  })

  test.runIf(hasProgram('mkfifo'))('a pipe in place of its owner file does not block', async () => {
    const parent = temporaryDirectory()
    const path = join(parent, 'hub-sandbox-exec-pipe')
    mkdirSync(path)
    spawnSync('mkfifo', [join(path, 'owner.json')])
    const folder = await makePrivateFolder(parent)
    expect(existsSync(folder.path)).toBe(true)
  })
})
