import { describe, expect, test } from 'vitest'
import {
  gutter,
  heightOf,
  layOut,
  type TextBlock,
} from '../../../renderer/features/sign-ins/detail/diagram/layout.ts'
import {
  fonts,
  type Measure,
  wrapText,
} from '../../../renderer/features/sign-ins/detail/diagram/measure.ts'
import { everyStep, makeFlow, makeStep } from './sample-flows.ts'

/** Every letter as wide as the next: widths can be told from lengths. */
const measure: Measure = (text, font) => text.length * fonts[font].size * 0.6

const widths = [520, 700, 1100, 1800]

function edgesOf(block: TextBlock): readonly [number, number] {
  const width = Math.max(...block.lines.map((line) => measure(line, block.font)))
  if (block.anchor === 'start') return [block.x, block.x + width]
  if (block.anchor === 'end') return [block.x - width, block.x]
  return [block.x - width / 2, block.x + width / 2]
}

describe.each(widths)('a drawing %i pixels wide', (width) => {
  const hostile = '<script>'.repeat(40)
  const flow = makeFlow(
    [...everyStep, makeStep(9, { name: hostile, outcome: 'refused', explanation: hostile })],
    {
      actors: [
        { actor: 'browser', name: 'W'.repeat(100) },
        { actor: 'app', name: hostile },
        { actor: 'hub', name: 'Hub' },
      ],
    },
  )
  const drawing = layOut(flow, width, measure)

  test('has every step once, one below the other, none over the next', () => {
    expect(drawing.steps.map(({ step }) => step.id)).toEqual(flow.steps.map(({ id }) => id))
    for (const [index, { top, height }] of drawing.steps.entries()) {
      const next = drawing.steps[index + 1]
      expect(top + height).toBe(next?.top ?? drawing.height - (drawing.steps[0]?.top ?? 0))
    }
  })

  test('keeps names and sentences inside, beside the times', () => {
    for (const { label, meta, note } of drawing.steps) {
      for (const block of [label, meta, note].filter((found) => found !== undefined)) {
        const [left, right] = edgesOf(block)
        expect(left).toBeGreaterThanOrEqual(gutter - 1)
        expect(right).toBeLessThanOrEqual(width + 1)
      }
    }
  })

  test('keeps each text inside the height of its step', () => {
    for (const { label, meta, note, height } of drawing.steps) {
      for (const block of [label, meta].filter((found) => found !== undefined)) {
        expect(block.y + heightOf(block)).toBeLessThanOrEqual(height)
      }
      expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThanOrEqual(height)
    }
  })

  test('gives each who takes part a line, and heads that do not touch', () => {
    expect(drawing.lanes.map(({ actor }) => actor)).toEqual(['browser', 'app', 'hub'])
    for (const [index, lane] of drawing.lanes.entries()) {
      const next = drawing.lanes[index + 1] ?? { x: width, width: 0 }
      expect(lane.x + lane.width / 2).toBeLessThan(next.x - next.width / 2)
      expect(lane.x - lane.width / 2).toBeGreaterThan(0)
    }
  })
})

test('an arrow goes from who sends to who gets it', () => {
  const steps = [makeStep(0), makeStep(1, { from: 'hub', to: 'app' })]
  const { lanes, steps: drawn } = layOut(makeFlow(steps), 800, measure)
  const [browser, app, hub] = lanes.map(({ x }) => x)
  expect(drawn.map(({ from, to }) => [from, to])).toEqual([
    [browser, hub],
    [hub, app],
  ])
})

test('why is told where something was refused, broken or is missing, and nowhere else', () => {
  const explained = everyStep.map((step) => ({ explanation: 'Because.', ...step }))
  const { steps } = layOut(makeFlow(explained), 800, measure)
  const told = steps.filter(({ note }) => note).map(({ step }) => step.id)
  expect(told).toEqual(['s5', 's7', 's8'])
})

test('status, error and time stand under an arrow; a connection that was cut has no status', () => {
  const { steps } = layOut(makeFlow(everyStep), 1100, measure)
  const metaOf = (id: string) => steps.find(({ step }) => step.id === id)?.meta?.lines.join(' ')
  expect(metaOf('s7')).toBe('400 · invalid_grant · 12 ms')
  expect(metaOf('s8')).toBe('cut · 12 ms')
  expect(metaOf('s6')).toBe('every 5 s · 3 × authorization_pending, 1 × slow_down')
})

describe('a text that is broken into lines', () => {
  const room = (letters: number, mostLines: number) =>
    ({ font: 'note', width: letters * fonts.note.size * 0.6, mostLines }) as const

  test('breaks between words, and inside of one that is too long', () => {
    expect(wrapText('the code had expired', measure, room(8, 9))).toEqual([
      'the code',
      'had',
      'expired',
    ])
    expect(wrapText('authorization', measure, room(6, 9))).toEqual(['author', 'izatio', 'n'])
  })

  test('says where it is cut', () => {
    expect(wrapText('one two three four', measure, room(7, 2))).toEqual(['one two', 'three…'])
    expect(wrapText('', measure, room(7, 2))).toEqual([])
  })

  test('keeps both halves of a character together, and ends where not even one fits', () => {
    expect(wrapText('😀😀😀', measure, room(3, 9)).join('|')).toBe('😀|😀|😀')
    expect(wrapText('😀😀', measure, room(1, 9))).toEqual(['😀', '😀'])
  })
})
