import { Link } from 'wouter'
import type { AdviceFinding } from '../../../../server/contract/control-advice.ts'
import { useWebhookName } from '../../../api/webhooks.ts'
import { classNames } from '../../../lib/class-names.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { type FindingGroup, groupFindings } from '../model/groups.ts'
import { words } from '../words.ts'
import { FindingCard } from './finding-card.tsx'

interface FindingLine {
  finding: AdviceFinding
  group: FindingGroup
}

interface FindingListProps {
  findings: readonly AdviceFinding[]
  /** Finding that the URL names. */
  openId?: string
}

/** Findings of any number, by app and webhook. */
export function FindingList({ findings, openId }: FindingListProps) {
  const lines = groupFindings(findings, useWebhookName()).flatMap((group) =>
    [...group.certain, ...group.likely].map((finding) => ({ finding, group })),
  )
  return (
    <VirtualList
      label={words.found}
      items={lines}
      itemKey={({ finding }) => finding.id}
      textOf={({ finding, group }) => textOf(finding, group)}
      estimateSize={230}
      openKey={openId}
      renderItem={(line) => (
        <>
          <Heads line={line} />
          <FindingCard
            finding={line.finding}
            subject={line.group.name}
            isOpened={line.finding.id === openId}
          />
        </>
      )}
    />
  )
}

/** Heads of the group and of its likely findings, above the first of each. */
function Heads({ line: { finding, group } }: { line: FindingLine }) {
  const { name, path, certain, likely } = group
  return (
    <>
      {finding === (certain[0] ?? likely[0]) && (
        <div className="flex items-center justify-between gap-4 pt-2 pb-2">
          <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{name}</h2>
          {path && (
            <Link href={path} className={classNames(buttonClass('plain', 'small'), 'shrink-0')}>
              Open
              <span className="sr-only"> {name}</span>
            </Link>
          )}
        </div>
      )}
      {finding === likely[0] && (
        <div className="pb-2">
          <h3 className="text-sm font-semibold">Perhaps</h3>
          <p className="text-xs text-muted">Patterns that an honest app may show, too.</p>
        </div>
      )}
    </>
  )
}

/** Text of a finding that the browser finds while the finding is out of sight. */
function textOf({ rule, title, fix, evidence }: AdviceFinding, { name }: FindingGroup): string {
  return [name, rule, title, ...evidence.map(({ line }) => line), fix].filter(Boolean).join(' ')
}
