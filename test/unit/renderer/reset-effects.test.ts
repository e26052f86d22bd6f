import { describe, expect, test } from 'vitest'
import type { ComparedKind, ComparedThings } from '../../../server/contract/control-comparison.ts'
import { resetEffects } from '../../../renderer/features/settings/model/reset-effects.ts'

const namesOf = (names: readonly string[], count = names.length) => ({ count, names: [...names] })

function thing(kind: ComparedKind, more: Partial<ComparedThings>): ComparedThings {
  return {
    kind,
    there: namesOf([]),
    here: 0,
    added: namesOf([]),
    removed: namesOf([]),
    changed: { count: 0, things: [] },
    ...more,
  }
}

describe('the effects of a reset', () => {
  test('are none for the state of the fixtures', () => {
    expect(resetEffects({ things: [thing('users', {})], commits: 0 })).toEqual([])
  })

  test('name what is deleted, changed back and brought back', () => {
    const things = [
      thing('apps', { removed: namesOf(['Notes']), added: namesOf(['Demo']) }),
      thing('repos', {
        removed: namesOf(['a', 'b', 'c', 'd'], 1000),
        changed: { count: 1, things: [{ name: 'e', members: ['files'] }] },
      }),
    ]
    expect(resetEffects({ things, commits: 12 })).toEqual([
      {
        title: 'Deleted',
        items: ['1 app: Notes', '1,000 repos: a, b, c and 997 more', '12 commits'],
      },
      { title: 'Changed back', items: ['1 repo: e'] },
      { title: 'Brought back', items: ['1 app: Demo'] },
    ])
  })
})
