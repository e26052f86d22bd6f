import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderTable } from '../../../server/cli/render-table.ts'
import { padShown, shortenShown, shownWidth } from '../../../server/core/shown-width.ts'

describe('the display width of a text', () => {
  test.each([
    ['', 0],
    ['alice', 5],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['日本語', 6],
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['🤗', 2],
    ['👩‍👩‍👧', 2],
    ['❤️', 2],
    ['✓ ok', 4],
    ['a\u200bb', 2],
    ['→', 1],
  ])('of %j is %i', (text, width) => {
    expect(shownWidth(text)).toBe(width)
  })

  test('is padded and cut between graphemes', () => {
    expect(padShown('日本', 6)).toBe('日本  ')
    expect(shortenShown('日本語', 4)).toBe('日…')
    expect(shortenShown('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
    expect(shortenShown('alice', 5)).toBe('alice')
  })
})

describe('a table', () => {
  test('has aligned columns for any letters', () => {
    const table = renderTable([
      ['日本語', 'x'],
      ['alice', 'y'],
      ['Zoe\u0308', 'z'],
    ])
    expect(table.split('\n')).toEqual(['日本語  x', 'alice   y', 'Zoe\u0308     z'])
  })

  test('removes cursor movements', () => {
    expect(renderTable([['a\u001b[2J\r\nb', 'c']])).toBe('a [2J b  c')
  })

  test('keeps every cell whole in a pipe', () => {
    const long = 'n'.repeat(100)
    expect(renderTable([['id', long, long]])).toBe(`id  ${long}  ${long}`)
  })

  test.each([200, 100, 80, 60, 40])('fits a terminal of %i columns', (width) => {
    const row = [
      'req-1',
      '2026-11-26T22:55:20Z',
      'alice '.repeat(8),
      'A sentence of words. '.repeat(5),
    ]
    const lines = renderTable([row, ['req-2', '', '', '']], width).split('\n')
    for (const line of lines) expect(shownWidth(line)).toBeLessThanOrEqual(width)
    // The id, the time and the last cell are never cut.
    expect(lines[0]).toMatch(/^req-1 +2026-11-26T22:55:20Z/)
    expect(lines.join(' ').match(/\bsentence\b/g)).toHaveLength(5)
    expect(lines.at(-1)).toBe('req-2')
  })

  test('gives columns that do not fit lines of their own', () => {
    const row = [
      '6a1b2c3d4e5f60718293a4b5',
      '2026-11-26T22:55:20.123Z',
      'succeeded',
      'repo.content update',
      'datasets/acme/corpus',
      'ci trigger',
      '3 × 503',
    ]
    const lines = renderTable([row], 80).split('\n')
    expect(lines).toEqual([
      '6a1b2c3d4e5f60718293a4b5  2026-11-26T22:55:20.123Z  succeeded  repo.content upd…',
      '    datasets/acme/corpus · ci trigger · 3 × 503',
    ])
  })
})

test('--json is written in one way, and a failed write is reported', () => {
  const folder = new URL('../../../server/cli/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const others = files.filter((file) => file.endsWith('.ts') && file !== 'output.ts')
  const raw = others.filter((file) =>
    /process\.stdout\.(write|on|once)\b/.test(readFileSync(new URL(file, folder), 'utf8')),
  )
  expect(raw).toEqual([])
})
