import { Link } from 'wouter'
import type { InferenceRule } from '../../../../server/contract/fixtures-types.ts'
import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Table, type Column } from '../../../ui/table.tsx'
import { formatCount, plural } from '../../../lib/format.ts'
import { ruleName, words } from '../words.ts'

interface RuleTableProps {
  rules: readonly InferenceRule[]
  /** Requests to models. */
  requests: readonly RequestItem[]
}

interface RuleRow {
  /** Place in the fixtures, from 1; 0 = no rule. */
  number: number
  rule?: InferenceRule
  requests: number
}

/** Rules in their order, with the number of requests that each one answered. */
export function RuleTable({ rules, requests }: RuleTableProps) {
  const countOf = (number: number) =>
    requests.filter(({ inference }) => inference?.rule === number).length
  const rows: RuleRow[] = [
    ...rules.map((rule, index) => ({ number: index + 1, rule, requests: countOf(index + 1) })),
    { number: 0, requests: countOf(0) },
  ]
  return (
    <Panel flush>
      {rules.length > 0 ? (
        <Table
          label={words.rules}
          rows={rows}
          rowKey={({ number }) => String(number)}
          columns={columns}
        />
      ) : (
        <Empty icon="model" title="No rules">
          {words.noRulesHint}
        </Empty>
      )}
    </Panel>
  )
}

const columns: Column<RuleRow>[] = [
  {
    title: words.rule,
    width: 6,
    sortBy: ({ number }) => (number === 0 ? Infinity : number),
    renderCell: ({ number }) => (
      <Badge tone={number === 0 ? 'neutral' : 'accent'}>{ruleName(number)}</Badge>
    ),
  },
  {
    title: 'Applies to',
    minWidth: 9,
    sortBy: ({ rule }) => describeMatch(rule),
    renderCell: ({ rule }) => <Cut text={describeMatch(rule)} />,
  },
  {
    title: 'Responds with',
    minWidth: 9,
    sortBy: ({ rule }) => describeResponse(rule),
    renderCell: ({ rule }) => <Cut text={describeResponse(rule)} />,
  },
  {
    title: 'Requests',
    width: 6,
    align: 'right',
    descendsFirst: true,
    sortBy: ({ requests }) => requests,
    renderCell: ({ number, requests }) =>
      requests === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <Link
          href={`/inference?q=${encodeURIComponent(`rule:${number}`)}`}
          aria-label={`Show ${plural(requests, 'request')} of ${ruleName(number)}`}
          className="text-accent hover:underline"
        >
          {formatCount(requests)}
        </Link>
      ),
  },
]

function Cut({ text }: { text: string }) {
  return (
    <span className="block truncate text-xs" title={text}>
      {text}
    </span>
  )
}

function describeMatch(rule: InferenceRule | undefined): string {
  const { model, lastMessage, lastRole, toolCalls = [] } = rule ?? {}
  const parts = [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(lastMessage === undefined ? [] : [`last message with “${lastMessage}”`]),
    ...(lastRole === undefined ? [] : [`last message of ${lastRole}`]),
    ...(toolCalls.length === 0 ? [] : [`offers ${namesOf(toolCalls)}`]),
  ]
  return parts.join(', ') || 'any request'
}

function describeResponse(rule: InferenceRule | undefined): string {
  const { reply, toolCalls, error } = rule ?? {}
  if (error !== undefined) return `${error.status} ${error.message}`
  if (toolCalls !== undefined) return `calls of ${namesOf(toolCalls)}`
  return reply ?? 'the last message'
}

function namesOf(calls: readonly { name: string }[]): string {
  return calls.map(({ name }) => name).join(', ')
}
