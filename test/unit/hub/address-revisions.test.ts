import { describe, expect, test } from 'vitest'
import {
  encodedRevision,
  splitAddress,
  splitEncodedAddress,
} from '../../../server/hub/files/address-revisions.ts'
import { createHubWorld } from './hub-world.ts'

const world = await createHubWorld()
const repo = world.repo('acme/model')
const named = (...names: string[]) => ({
  ...repo,
  refs: { ...repo.refs, ...Object.fromEntries(names.map((name) => [name, 'a'.repeat(40)])) },
})

describe('revision and path of a URL', () => {
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

  test('the longest matching ref is the revision', () => {
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

  test('the search for a ref does not depend on the length of the path', () => {
    const path = 'x/'.repeat(4000)
    expect(splitAddress(repo, `main/${path}`).path).toBe(path.slice(0, -1))
  })
})

describe('a URL with an encoded revision', () => {
  test.each([
    ['main/a/b.txt', 'main', 'a/b.txt'],
    ['main/', 'main', ''],
    ['refs%2Fpr%2F1/a', 'refs/pr/1', 'a'],
    ['feature%2Fx/a', 'feature/x', 'a'],
    ['main/to%3F/50%25/a%2Fb', 'main', 'to?/50%/a/b'],
    ['none/main', 'none', 'main'],
    ['v1/x/y', 'v1', 'x/y'],
    ['', '', ''],
  ])('%s', (rest, revision, path) => {
    const branches = named('refs/heads/feature/x', 'refs/heads/v1/x', 'refs/tags/v1')
    expect(splitEncodedAddress(branches, rest)).toEqual({ revision, path })
  })

  test.each([
    ['refs/pr/1', 'refs', 'refs%2Fpr%2F1'],
    ['refs/pr/1/dir/a', 'refs', 'refs%2Fpr%2F1'],
    ['refs/heads/main/a', 'refs', 'refs%2Fheads%2Fmain'],
    ['feature/x/a', 'feature', 'feature%2Fx'],
  ])('%s is refused with the correct spelling', (rest, revision, encoded) => {
    const refusal = expect.objectContaining({
      message: `Invalid rev id: ${revision}`,
      hubError: 'RevisionNotFound',
      detail: `encode the slashes: ${encoded}`,
    }) as Error
    for (const read of [splitEncodedAddress, encodedRevision]) {
      expect(() => read(named('refs/heads/feature/x'), rest)).toThrow(refusal)
    }
  })
})
