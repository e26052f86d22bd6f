import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountNameMaxLength,
  accountNamePattern,
  repoNamePattern,
} from '../../../server/contract/fixtures/names.ts'
import { checkFixtures } from '../../../server/fixtures/check/check-fixtures.ts'
import { parseRepoName } from '../../../server/hub/files/repo-names.ts'

const isAccountName = (name: string) =>
  new RegExp(accountNamePattern, 'u').test(name) && name.length <= accountNameMaxLength

describe('names of users and organizations', () => {
  test.each(['a', 'hub.js', 'valid_org_hub', 'A-1', 'x.y-z_0', '007', 'n'.repeat(42)])(
    '%s is valid',
    (name) => {
      expect(isAccountName(name)).toBe(true)
      expect(checkFixtures({ users: [{ username: name }] })).toHaveProperty('file')
      expect(checkFixtures({ organizations: [{ name }] })).toHaveProperty('file')
    },
  )

  test.each([
    '',
    '-a',
    'a-',
    '.a',
    'a.',
    '_a',
    'a_',
    'a--b',
    'a..b',
    'a__b',
    'a-.b',
    'a/b',
    'a b',
    'caf\u00e9',
    'n'.repeat(43),
  ])('%j is invalid', (username) => {
    expect(isAccountName(username)).toBe(false)
    expect(checkFixtures({ users: [{ username }] })).toMatchObject({
      issues: [{ path: 'users[0].username' }],
    })
  })
})

describe('names of repos', () => {
  const users = [{ username: 'hub.js' }]
  const issuesOf = (name: string) => {
    const check = checkFixtures({ users, repos: [{ name }] })
    return 'issues' in check ? check.issues : []
  }

  test.each([
    'x',
    'tiny',
    '_private_',
    'a.b-c_d',
    'v1.0',
    '007',
    'notebook.ipynb',
    'a.gitignore',
    'x.GIT',
    'n'.repeat(96),
  ])('%s is valid', (name) => {
    expect(parseRepoName(`hub.js/${name}`)).toEqual({ namespace: 'hub.js', name })
    expect(issuesOf(`hub.js/${name}`)).toEqual([])
  })

  test.each([
    ['-a', /ends/],
    ['a-', /ends/],
    ['.a', /ends/],
    ['a.', /ends/],
    ['a--b', /"--"/],
    ['a..b', /"\.\."/],
    ['a.git', /\.git/],
    ['a b', /letters/],
    ['caf\u00e9', /letters/],
    ['n'.repeat(97), /96/],
    ['a/b', /namespace\/name/],
    ['', /namespace\/name/],
  ])('%j is invalid, with one reason', (name, reason) => {
    expect(() => parseRepoName(`hub.js/${name}`)).toThrow(reason)
    expect(issuesOf(`hub.js/${name}`)).toEqual([
      { path: 'repos[0].name', message: expect.stringMatching(reason) },
    ])
  })

  test('schema and rules agree on names', () => {
    const name = string({
      unit: constantFrom('a', '0', '-', '.', '_', 'git', '.git'),
      maxLength: 40,
    })
    assert(
      property(name, (text) => {
        const full = `alice/${text}`
        let isOne = true
        try {
          parseRepoName(full)
        } catch {
          isOne = false
        }
        expect({ full, isOne: new RegExp(repoNamePattern, 'u').test(full) }).toEqual({
          full,
          isOne,
        })
      }),
    )
  })
})
