import type { Advice } from '../../contract/control-advice.ts'
import { findingsOf, reportOfFindings } from '../../lab/report/check-report.ts'
import { shortTextOf } from '../../lab/report/text.ts'
import { readGate } from '../gate-command.ts'
import type { RunPartMaker } from './run-part.ts'

/** `--fail-on LEVEL`: the checks of the whole run fail a program that has succeeded. */
export const gatePart: RunPartMaker = {
  isWanted: ({ failOn }) => failOn !== undefined,
  startOptions(options) {
    readGate(options)
    return {}
  },
  async begin({ options, connection: { call }, isOwn, ...run }) {
    const gate = readGate(options)
    const startedAt = new Date().toISOString()
    const read = async () => {
      const { items } = await call('GET requests', { query: { limit: 1 } })
      return { advice: await call('GET advice', { query: { run: '1' } }), newest: items[0]?.id }
    }
    const before = isOwn ? undefined : await read()
    return {
      async programEnded() {
        const { items: rules } = await call('GET advice/rules')
        const { resets } = await call('GET overview')
        const after = await read()
        const advice = before === undefined ? after.advice : since(before, after)
        const findings = { ...findingsOf(advice, rules, startedAt), resets }
        const report = reportOfFindings(findings, gate)
        for (const line of shortTextOf(report)) run.print(line)
        return report.exitCode
      },
    }
  },
}

interface Reading {
  readonly advice: Advice
  /** Id of the newest request. */
  readonly newest: string | undefined
}

/** Leaves what has occurred since an earlier reading of the same run. */
function since({ advice: before, newest }: Reading, { advice, newest: last }: Reading): Advice {
  const counts = new Map(before.items.map(({ id, count }) => [id, count]))
  const judged = new Map(before.rules.map((rule) => [rule.id, rule.judged]))
  const rules = advice.rules.map((rule) => ({
    ...rule,
    judged: Math.max(0, rule.judged - (judged.get(rule.id) ?? 0)),
  }))
  // A full log drops as much as it takes: then the numbers do not grow.
  const isFull = newest !== last && rules.every((rule) => rule.judged === 0)
  return {
    ...advice,
    items: advice.items.filter(({ id, count }) => count > (counts.get(id) ?? 0)),
    rules: isFull ? advice.rules : rules,
    paused: Math.max(0, advice.paused - before.paused),
  }
}
