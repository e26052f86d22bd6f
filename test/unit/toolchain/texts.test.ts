import { expect, test } from 'vitest'
import { dashboardTexts, textsOf } from '../../../server/tools/texts.ts'

test.each([
  ['<p className="flex gap-2 text-xs">\n  All snapshots\n</p>', [[2, 'All snapshots']]],
  ['<Panel title="This browser" lead={words.lead} />', [[1, 'This browser']]],
  ['<p>The log is cleared: {count}.</p>', [[1, 'The log is cleared:']]],
  ['notify(`Revoke token of ${name}`)', [[1, 'Revoke token of {…}']]],
  [
    "const title = isOpen ? 'Close' : 'Open it'",
    [
      [1, 'Close'],
      [1, 'Open it'],
    ],
  ],
  ["import { a } from '../Some file.ts'", []],
  ["type Kind = 'One kind' | 'Another kind'", []],
  ["fetch('/api/whoami-v2', { method: 'POST' })", []],
])('of %j a writer reads %j', (code, texts) => {
  expect(textsOf('a.tsx', code).map(({ line, text }) => [line, text])).toEqual(texts)
})

test('the texts of the dashboard are found with their places', () => {
  const texts = dashboardTexts()
  expect(texts.length).toBeGreaterThan(1500)
  expect(texts.filter((text) => text.endsWith('  No tokens yet'))).toEqual([
    expect.stringMatching(
      /^renderer\/features\/tokens\/list\/token-table\.tsx:\d+ {2}No tokens yet$/,
    ),
  ])
})
