import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { userDataFolder } from '../../../../server/app/config/data-folder.ts'
import {
  defaultDataFolder,
  projectDataFolder,
  projectDataFolders,
} from '../../../../server/app/config/project-folder.ts'

describe('the data folder of a fixtures file', () => {
  let folder: string

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hub-sandbox-projects-')))
    vi.stubEnv('XDG_DATA_HOME', join(folder, 'home'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  function write(project: string, name = 'hub-sandbox.json'): string {
    mkdirSync(join(folder, project), { recursive: true })
    const file = join(folder, project, name)
    writeFileSync(file, '{}')
    return file
  }

  test('begins with the name of its folder, and is another one for each file', () => {
    const [one, two] = [write('a/my app'), write('b/my app')]
    expect(projectDataFolder(one, '/data')).toMatch(/^.data.projects.my-app-[0-9a-f]{12}$/)
    expect(projectDataFolder(two, '/data')).not.toBe(projectDataFolder(one, '/data'))
    expect(projectDataFolder(write('a/my app', 'b.json'))).not.toBe(projectDataFolder(one))
  })

  test.skipIf(process.platform === 'win32')('is the same by any path', () => {
    const file = write('a')
    symlinkSync(join(folder, 'a'), join(folder, 'link'))
    expect(projectDataFolder(join(folder, 'link', 'hub-sandbox.json'))).toBe(
      projectDataFolder(file),
    )
  })

  test('is the default of a start in its folder', () => {
    const file = write('a')
    expect(defaultDataFolder(join(folder, 'a'), {})).toBe(projectDataFolder(file))
    const named = { HUB_SANDBOX_FIXTURES: join('a', 'hub-sandbox.json') }
    expect(defaultDataFolder(folder, named)).toBe(projectDataFolder(file))
  })

  test('is that of the user for the default fixtures', () => {
    expect(defaultDataFolder(folder, {})).toBe(userDataFolder())
    expect(defaultDataFolder(folder, { HUB_SANDBOX_FIXTURES: 'default' })).toBe(userDataFolder())
    expect(defaultDataFolder(folder, { HUB_SANDBOX_FIXTURES: 'nope.json' })).toBe(userDataFolder())
    expect(defaultDataFolder(folder, { HUB_SANDBOX_FIXTURES: 'webhooks' })).not.toBe(
      userDataFolder(),
    )
  })

  test('is listed once it was used', () => {
    expect(projectDataFolders()).toEqual([])
    const data = projectDataFolder(write('a'))
    mkdirSync(data, { recursive: true })
    expect(projectDataFolders()).toEqual([data])
  })
})
