import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createTextReport } from '../../../server/cli/demo-text.ts'
import { createPaint } from '../../../server/cli/paint.ts'
import { shownWidth } from '../../../server/core/shown-width.ts'

test.each([40, 80, 200])('polls are overwritten in one row of %i columns', (width) => {
  const written: string[] = []
  const report = createTextReport({
    paint: createPaint(true),
    colored: true,
    isTerminal: true,
    verbose: false,
    withQr: false,
    width,
    write: (text) => void written.push(text),
  })
  const explanation = 'The device asks whether a user has decided, as often as it may. 装置'
  report.cue({ name: 'poll', explanation })
  for (const error of ['authorization_pending', 'slow_down', 'authorization_pending']) {
    const body = JSON.stringify({ error })
    report.exchanged({ method: 'POST', path: '/oauth/token' }, { status: 400, headers: {}, body })
  }
  // The step as it begins, and after each poll.
  expect(written).toHaveLength(4)
  for (const text of written) {
    const row = stripVTControlCharacters(text).replace('\r', '')
    expect(row).not.toContain('\n')
    // At the last place a terminal begins the next row.
    expect(shownWidth(row)).toBeLessThan(width)
  }
  report.close()
  const ended = stripVTControlCharacters(written.at(-1) ?? '').replace('\r', '')
  expect(ended.replaceAll(/\s+/g, ' ')).toContain(explanation)
  // A status is not cut: only a word that is longer than the row could leave it.
  for (const line of ended.split('\n').slice(1)) expect(shownWidth(line)).toBeLessThanOrEqual(width)
})

test.each([
  [80, 4],
  [120, 34],
])('a long explanation in %i columns is indented by %i', (width, indent) => {
  const written: string[] = []
  const report = createTextReport({
    paint: createPaint(false),
    colored: false,
    isTerminal: true,
    verbose: false,
    withQr: false,
    width,
    write: (text) => void written.push(text),
  })
  report.cue({ name: 'webhook', explanation: 'A receiver listens at a URL. '.repeat(6) })
  report.close()
  const [, ...lines] = stripVTControlCharacters(written.join('')).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line.search(/\S/)).toBe(indent)
})
