import { describe, expect, test } from 'vitest'
import { splitAddress } from '../../../server/hub/address-revisions.ts'
import { createHubWorld } from './hub-world.ts'

const world = await createHubWorld()
const repo = world.repo('acme/model')
const named = (...names: string[]) => ({
  ...repo,
  refs: { ...repo.refs, ...Object.fromEntries(names.map((name) => [name, 'a'.repeat(40)])) },
})

describe('an address of a revision and a path', () => {
  test.each([
    ['main', 'main', ''],
    ['main/', 'main', ''],
    ['main/a/b.txt', 'main', 'a/b.txt'],
    ['refs%2Fpr%2F1/a', 'refs/pr/1', 'a'],
    ['refs/pr/1', 'refs/pr/1', ''],
    ['refs/pr/1/a/b', 'refs/pr/1', 'a/b'],
    ['refs/heads/main/a', 'refs/heads/main', 'a'],
    ['refs/heads/none/a', 'refs', 'heads/none/a'],
    [
      'main/to%3F/awful%3Fname%25you%3Ashould%2Cnever.give',
      'main',
      'to?/awful?name%you:should,never.give',
    ],
    ['main/%C3%A9/%20', 'main', '\u00e9/ '],
    ['none/main', 'none', 'main'],
    ['constructor/x', 'constructor', 'x'],
    ['main//a', 'main', '/a'],
    ['refs', 'refs', ''],
    ['', '', ''],
  ])('%s', (rest, revision, path) => {
    expect(splitAddress(repo, rest)).toEqual({ revision, path })
  })

  test('names the longest ref that it begins with', () => {
    const branches = named('refs/heads/feature/x', 'refs/tags/feature')
    expect(splitAddress(branches, 'feature/x/y')).toEqual({ revision: 'feature/x', path: 'y' })
    expect(splitAddress(branches, 'feature/z')).toEqual({ revision: 'feature', path: 'z' })
    expect(splitAddress(branches, 'feature%2Fz/y')).toEqual({ revision: 'feature/z', path: 'y' })
    expect(splitAddress(branches, 'refs/heads/feature/x/y')).toEqual({
      revision: 'refs/heads/feature/x',
      path: 'y',
    })
    expect(splitAddress(branches, 'feature//x')).toEqual({ revision: 'feature', path: '/x' })
  })

  test('ends the search for a ref where refs end, however long the path is', () => {
    const path = 'x/'.repeat(4000)
    expect(splitAddress(repo, `main/${path}`).path).toBe(path.slice(0, -1))
  })
})
