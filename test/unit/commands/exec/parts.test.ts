import { describe, expect, test } from 'vitest'
import { partMakers } from '../../../../server/commands/exec/parts.ts'
import type { ExecOptions } from '../../../../server/commands/exec/exec-options.ts'

const asked: ExecOptions[] = [
  { exportOnExit: 'x' },
  { artifact: 'x' },
  { junit: 'x' },
  { intercept: ['x'] },
  { proxy: true },
  { record: 'x' },
  { compare: 'x' },
]

describe('the parts of a run', () => {
  test.each(asked)('%j is what one of them is for', (options) => {
    expect(partMakers.filter((maker) => maker.isWanted(options))).toHaveLength(1)
  })

  test('none is there unasked', () => {
    expect(partMakers.filter((maker) => maker.isWanted({}))).toEqual([])
  })
})
