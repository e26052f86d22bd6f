import { expect, test } from 'vitest'
import { rules } from '../../../../server/lab/checks/check-catalog.ts'
import type { Finding } from '../../../../server/lab/checks/evaluate.ts'
import {
  createKeptFindings,
  type EvidenceReaders,
} from '../../../../server/lab/checks/kept-findings.ts'

const rule = rules.find(({ level }) => level === 'error')!

function finding(number: number, level: 'error' | 'note'): Finding {
  const evidence = [{ kind: 'request' as const, id: `req-${number}`, note: 'was wrong' }]
  return {
    id: `finding-${number}`,
    rule,
    subject: {},
    occurrences: [{ level, at: number, evidence }],
  }
}

const readers = (has: boolean): EvidenceReaders => ({
  describe: ({ id }) => ({
    id,
    rule: rule.id,
    certainty: rule.certainty,
    title: rule.title,
    fix: rule.fix,
    sources: [...rule.sources],
  }),
  show: () => [],
  has: () => has,
})

test('the worst of thousands of findings are kept, and the others are counted', () => {
  const kept = createKeptFindings()
  const notes = Array.from({ length: 3000 }, (_none, number) => finding(number, 'note'))
  const errors = Array.from({ length: 300 }, (_none, number) => finding(5000 + number, 'error'))
  kept.take([...notes, ...errors], readers(true))
  expect(kept.values().filter(({ level }) => level === 'error')).toHaveLength(300)
  expect(kept.values()).toHaveLength(500)
  expect(kept.omitted).toBe(2800)

  // The record drops all of them: what was left out stays left out.
  kept.take([], readers(false))
  expect(kept.values()).toHaveLength(500)
  expect(kept.omitted).toBe(2800)
  kept.clear()
  expect(kept.omitted).toBe(0)
})
