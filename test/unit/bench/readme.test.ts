import { describe, expect, test } from 'vitest'
import { describeRun } from '../../bench/machine.ts'
import { renderSpeed } from '../../bench/readme.ts'
import { readArguments } from '../../bench/arguments.ts'

const machine = {
  date: '2026-11-23',
  platform: 'linux x64',
  processor: 'A processor',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
}
const result = { ours: '10/s', baseline: '20/s', ratio: 0.5 }
const columns = [
  {
    node: { name: 'Node 20', path: 'node' },
    rows: [
      {
        row: 'jwks',
        results: [
          { ...result, what: 'jwks', goal: { atLeast: 0.4 }, cpu: { ours: 50.3, baseline: 20 } },
          { ...result, what: 'jwks, in process' },
          { ...result, what: 'start, beside a-peer' },
        ],
        disturbed: ['its host took 20 % of the machine'],
      },
    ],
  },
  {
    node: { name: 'Node 24', path: 'node' },
    rows: [{ row: 'jwks', results: [], failure: 'the registry is out of reach' }],
  },
]

describe('the table of the README', () => {
  const text = renderSpeed(columns, describeRun(machine))

  test('begins with date and machine', () => {
    expect(text).toMatch(
      /^Measured on 2026-11-23: linux x64, A processor, cores: 2, memory: 8 GB\.\n/,
    )
  })

  test('contains the rows with a goal or a peer only', () => {
    expect(text).toContain('| jwks | ≥ 0.4 | 0.50 (10/s, 50 µs) ok disturbed |  |')
    expect(text).toContain('| start, beside a-peer |')
    expect(text).not.toContain('in process')
  })

  test('is followed by the reasons of disturbed rows and empty columns', () => {
    expect(text).toContain('\n- jwks, Node 20, disturbed: its host took 20 % of the machine')
    expect(text).toContain('\n- jwks, Node 24: the registry is out of reach')
  })

  test('is not written from a selection of rows', () => {
    expect(() => readArguments(['jwks', '--readme'], ['jwks'])).toThrow(
      '--readme measures all rows',
    )
  })
})
