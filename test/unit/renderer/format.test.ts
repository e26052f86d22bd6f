import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines } from '../../../renderer/features/deliveries/lib/line-diff.ts'
import { toHex } from '../../../renderer/features/deliveries/lib/hex.ts'
import { cliCommand } from '../../../renderer/features/triggers/cli-command.ts'
import { formatAgo, formatSpan, formatTook, shorten } from '../../../renderer/lib/format.ts'
import { fuzzyMatch } from '../../../renderer/lib/fuzzy.ts'
import { preferredRepo } from '../../../renderer/lib/preferred-repo.ts'

describe('times in a few letters', () => {
  test.each([
    [0, '0s'],
    [61_000, '1m 1s'],
    [93_784_000, '1d 2h'],
    [86_400_000 + 5000, '1d'],
    [59_999, '59s'],
  ])('span of %i ms', (ms, text) => expect(formatSpan(ms)).toBe(text))

  test.each([
    [0, 'now'],
    [42_000, '42s ago'],
    [3_600_000, '1h ago'],
    [-60_000, 'in 1m'],
  ])('%i ms ago', (ms, text) => expect(formatAgo(ms)).toBe(text))

  test.each([
    [0.4, '<1 ms'],
    [12.3, '12 ms'],
    [12_000, '12.0 s'],
    [90_000, '1m 30s'],
  ])('took %d ms', (ms, text) => expect(formatTook(ms)).toBe(text))
})

describe('shortened ids', () => {
  test('keeps the ends, and short ones whole', () => {
    expect(shorten('0123456789abcdef', 4, 2)).toBe('0123…ef')
    expect(shorten('0123456789abcdef', 7, 0)).toBe('0123456…')
    expect(shorten('012345', 4, 2)).toBe('012345')
  })
})

describe('line by line comparison', () => {
  test('tells what was added and removed', () => {
    expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: 'c' },
    ])
  })

  test('holds both texts, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = diffLines(a.join('\n'), b.join('\n')) ?? []
        const without = (kind: string) =>
          lines.filter((line) => line.kind !== kind).map((line) => line.text)
        expect(without('added')).toEqual(a)
        expect(without('removed')).toEqual(b)
      }),
    )
  })

  test('declines what would take too long', () => {
    expect(diffLines('\n'.repeat(2000), '')).toBeUndefined()
  })
})

describe('bytes in hexadecimal', () => {
  test('shows place, bytes and what can be read', () => {
    const [first, second] = toHex(new TextEncoder().encode('{"event":1}\nabcdefgh')).split('\n')
    expect(first).toMatch(/^00000000 {2}7b 22 65 76 .* {2}\{"event":1\}\.abcd$/)
    expect(second).toMatch(/^00000010 {2}65 66 67 68 +efgh$/)
  })
})

describe('command for the same trigger', () => {
  test('quotes what a shell would take apart', () => {
    expect(
      cliCommand(
        {
          event: 'discussion.create',
          kind: 'pull-request',
          repo: 'datasets/acme/corpus',
          mode: 'send',
          overrides: { 'discussion.title': "it's", 'comment.hidden': true },
          remove: ['comment.content'],
          repeat: { times: 3 },
        },
        { command: ['npx', 'hub-sandbox'], options: ['--data', '/my data'] },
      ),
    ).toBe(
      String.raw`npx hub-sandbox trigger discussion.create --repo datasets/acme/corpus --kind pull-request --set 'discussion.title=it'\''s' --set comment.hidden=true --remove comment.content --send --repeat 3 --data '/my data'`,
    )
  })
})

describe('search by a few letters', () => {
  test.each([
    ['pr open', 'Open a pull request discussion.create pr'],
    ['push', 'Push a commit to main'],
    ['opnpr', 'Open a pull request'],
    ['', 'anything'],
  ])('%s finds %s', (query, text) => expect(fuzzyMatch(query, text)).toBe(true))

  test('does not take two letters for a word', () => {
    expect(fuzzyMatch('pt', 'Push a commit to main')).toBe(false)
  })
})

describe('repo to suggest', () => {
  const repos = [
    { type: 'model', name: 'alice/tiny' },
    { type: 'dataset', name: 'alice/list' },
    { type: 'dataset', name: 'acme/corpus' },
  ]
  test('is one that an enabled webhook watches', () => {
    const watched = [{ type: 'org', name: 'acme' }]
    expect(preferredRepo(repos, [{ status: 'enabled', watched }])?.name).toBe('acme/corpus')
    expect(preferredRepo(repos, [{ status: 'disabled', watched }])?.name).toBe('alice/list')
    expect(
      preferredRepo(repos, [
        { status: 'enabled', watched: [{ type: 'model', name: 'alice/tiny' }] },
      ])?.name,
    ).toBe('alice/tiny')
  })
})
