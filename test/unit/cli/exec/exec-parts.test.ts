import { describe, expect, test } from 'vitest'
import { partMakers } from '../../../../server/cli/exec/exec-parts.ts'
import type { ExecOptions } from '../../../../server/cli/exec/exec-options.ts'

const asked: ExecOptions[] = [
  { exportOnExit: 'x' },
  { artifact: 'x' },
  { junit: 'x' },
  { intercept: ['x'] },
  { proxy: true },
  { record: 'x' },
  { compare: 'x' },
]

describe('optional parts of a run', () => {
  test.each(asked)('%j needs one of them', (options) => {
    expect(partMakers.filter((maker) => maker.isWanted(options))).toHaveLength(1)
  })

  test('are all absent by default', () => {
    expect(partMakers.filter((maker) => maker.isWanted({}))).toEqual([])
  })
})
