import { describe, expect, test } from 'vitest'
import { releaseNotes } from '../../../server/tools/release/notes.ts'

let made = 0
const commit = (subject: string, body = '') => ({
  hash: String((made += 1)).padStart(40, 'a'),
  subject,
  body,
})

describe('the notes of a release', () => {
  test('put commits below what they mean to users, each with its scope and hash', () => {
    const notes = releaseNotes([
      { hash: '1234567890', subject: 'fix(oauth): refuse an empty code', body: '' },
      { hash: 'abcdef0123', subject: 'feat: speak French', body: 'Some users do.' },
      { hash: '0f0f0f0f0f', subject: 'feat(links): pause one', body: '' },
      { hash: '9999999999', subject: 'perf: start faster', body: '' },
    ])
    expect(notes).toBe(`## New

- speak French (abcdef0)
- **links:** pause one (0f0f0f0)

## Fixed

- **oauth:** refuse an empty code (1234567)

## Faster

- start faster (9999999)
`)
  })

  test('say first what whoever updates must change, whatever the type of the commit', () => {
    const notes = releaseNotes([
      commit('refactor(state)!: drop the first format'),
      commit(
        'feat(cli): name flags anew',
        'They were odd.\n\nBREAKING CHANGE: write --host\nin place of --bind.\nRefs: #12',
      ),
    ])
    expect(notes).toMatch(
      /^## What you must change\n\n- drop the first format\n- write --host in place of --bind\.\n\n## New/,
    )
    expect(notes).not.toContain('Refs')
  })

  test('leave out what only developers notice, and what is not conventional', () => {
    const quiet = ['refactor: a', 'test(e2e): b', 'chore: c', 'Merge x', 'feature: d', 'fix:e']
    expect(releaseNotes(quiet.map((subject) => commit(subject)))).toBe(
      'Nothing that its users would notice.\n',
    )
    expect(releaseNotes([...quiet, 'fix: f'].map((subject) => commit(subject)))).toMatch(
      /^## Fixed\n\n- f \(a{7}\)\n$/,
    )
  })
})
