import { beforeEach, describe, expect, test } from 'vitest'
import type { FileOperation } from '../../../server/hub/commits/commits.ts'
import { commitFiles } from '../../../server/hub/commits/commits.ts'
import { lastCommits } from '../../../server/hub/files/last-commits.ts'
import {
  commitAsPullRequest,
  mergePullRequest,
} from '../../../server/hub/discussions/pull-requests.ts'
import { refTarget } from '../../../server/hub/files/revisions.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld } from './hub-world.ts'

let world: HubWorld
let repo: Repo
beforeEach(async () => {
  world = await createHubWorld()
  repo = world.repo('acme/model')
})

const add = (path: string, content = path): FileOperation => ({ kind: 'add', path, content })
const remove = (path: string): FileOperation => ({ kind: 'delete', path })
const input = (title: string, operations: FileOperation[]) => ({
  repo: world.now(repo),
  revision: 'main',
  title,
  operations,
  actorId: world.users.alice.id,
})
const push = (title: string, ...operations: FileOperation[]) =>
  commitFiles(world.deps, input(title, operations)).commit

/** Path to the title of its last commit. */
function titles(...paths: string[]): Record<string, string> {
  const head = refTarget(world.now(repo), 'refs/heads/main')
  const found = [...lastCommits(world.objects(repo), head, paths)]
  return Object.fromEntries(found.map(([path, { title }]) => [path, title]))
}

describe('the last commit of a path', () => {
  test('the last commit changed the path, or anything inside a folder', () => {
    push('one', add('a'), add('dir/x'), add('dir/deep/y'))
    push('two', add('a', 'changed'))
    push('three', add('dir/deep/y', 'changed'))
    expect(titles('a', 'dir', 'dir/x', 'dir/deep', 'dir/deep/y', '.gitattributes')).toEqual({
      a: 'two',
      dir: 'three',
      'dir/x': 'one',
      'dir/deep': 'three',
      'dir/deep/y': 'three',
      '.gitattributes': 'initial commit',
    })
  })

  test('a file that came back or became a folder has its own last commit', () => {
    push('one', add('a'), add('b'))
    push('gone', remove('a'), remove('b'))
    push('back', add('a'), add('b/c'))
    expect(titles('a', 'b', 'b/c')).toEqual({ a: 'back', b: 'back', 'b/c': 'back' })
  })

  test('the last commit is that of the pull request, not the merge', () => {
    const { discussion } = commitAsPullRequest(world.deps, input('proposed', [add('p')]))
    push('meanwhile', add('m'))
    mergePullRequest(world.deps, { discussion, actorId: world.users.alice.id })
    expect(titles('p', 'm', 'README.md')).toEqual({ p: 'proposed', m: 'meanwhile' })
  })

  test('the last commit is found in a long history', () => {
    push('first', add('old'))
    for (let n = 0; n < 300; n++) push(`n${n}`, add('new', `${n}`))
    expect(titles('old', 'new')).toEqual({ old: 'first', new: 'n299' })
  })
})
