import { describe, expect, test } from 'vitest'
import type { Measured, Result } from '../../bench/row.ts'
import { formatTable } from '../../bench/table.ts'

const result = (what: string, ratio: number, more: Partial<Result> = {}): Result => ({
  what,
  ours: '10/s',
  baseline: '20/s',
  ratio,
  ...more,
})

const column = (name: string, ...rows: Measured[]) => ({ node: { name, path: name }, rows })

describe('table of the bench', () => {
  test('the Nodes stand side by side, each with its verdict', () => {
    const goal = { atLeast: 0.5 }
    const lines = formatTable([
      column('Node 20', {
        row: 'jwks',
        results: [result('jwks', 0.4, { goal, noise: 0.034, cpu: { ours: 50.4, baseline: 20 } })],
      }),
      column('Node 24', { row: 'jwks', results: [result('jwks', 0.6, { goal })] }),
    ]).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/\| Node 20 +\| Node 24$/)
    expect(lines[2]).toMatch(
      /^jwks +≥ 0.5 +\| +10\/s +20\/s +0.40 +±3 % +50 \/ 20 +short +\| +10\/s +20\/s +0.60 +ok$/,
    )
  })

  test('the column of a missing Node is empty, with the reason below', () => {
    const table = formatTable([
      column('Node 20', { row: 'jwks', results: [result('jwks', 0.4)] }),
      column('Node 24', { row: 'jwks', results: [], failure: 'the registry is out of reach' }),
    ])
    expect(table).toContain('\n\njwks, Node 24: the registry is out of reach')
    expect(table.split('\n')[2]).toMatch(/0\.40 +\|$/)
  })

  test('a row that failed everywhere has a line', () => {
    const failed = { row: 'jwks', results: [], failure: 'it ended with 1' }
    expect(formatTable([column('Node 20', failed)])).toMatch(/^jwks +\|$/m)
  })

  test('a disturbed row is marked, with the reason below', () => {
    const results = [result('jwks', 0.4, { goal: { atLeast: 0.5 } })]
    const disturbed = ['its host took 20 % of the machine']
    const table = formatTable([column('Node 20', { row: 'jwks', results, disturbed })])
    expect(table).toMatch(/short disturbed$/m)
    expect(table).toContain('jwks, Node 20, disturbed: its host took 20 % of the machine')
  })
})
