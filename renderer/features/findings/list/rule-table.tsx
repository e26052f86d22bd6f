import { Link } from 'wouter'
import type { Advice, AdviceRule } from '../../../../server/contract/control-advice.ts'
import { levelLooks } from '../../../shared/finding-mark.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { useRules } from '../model/requests.ts'
import { words } from '../words.ts'

/** All checks with what they had to judge. */
export function RuleTable({ advice }: { advice: Advice }) {
  const rules = useRules()
  const counts = new Map(advice.rules.map((rule) => [rule.id, rule]))
  const columns: Column<AdviceRule>[] = [
    {
      title: 'Check',
      width: 17,
      sortBy: ({ id }) => id,
      renderCell: ({ id }) => (
        <Link
          href={`/findings/rules/${id}`}
          className="font-mono text-xs text-accent underline-offset-2 hover:underline"
        >
          {id}
        </Link>
      ),
    },
    {
      title: words.level,
      width: 8,
      sortBy: ({ level }) => level,
      renderCell: ({ level, certainty }) => (
        <span className="flex flex-wrap gap-1">
          <Badge {...levelLooks[level]}>{words.levels[level]}</Badge>
          {certainty === 'likely' && <Badge>{words.likely}</Badge>}
        </span>
      ),
    },
    {
      title: 'Mistake',
      minWidth: 16,
      priority: 2,
      sortBy: ({ title }) => title,
      renderCell: ({ title }) => (
        <span className="text-xs text-pretty whitespace-normal text-muted">{title}</span>
      ),
    },
    {
      title: words.hadToJudge,
      width: 8,
      align: 'right',
      descendsFirst: true,
      sortBy: ({ id }) => counts.get(id)?.judged ?? 0,
      renderCell: ({ id }) => <span className="text-xs">{counts.get(id)?.judged ?? 0}</span>,
    },
    {
      title: words.found,
      width: 6,
      align: 'right',
      descendsFirst: true,
      sortBy: ({ id }) => counts.get(id)?.findings ?? 0,
      renderCell: ({ id }) => <span className="text-xs">{counts.get(id)?.findings ?? 0}</span>,
    },
  ]
  return (
    <QueryView query={rules} what="all checks">
      {({ items }) => (
        <Table label={words.allChecks} rows={items} rowKey={({ id }) => id} columns={columns} />
      )}
    </QueryView>
  )
}
