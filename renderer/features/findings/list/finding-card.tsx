import { useState } from 'react'
import { Link } from 'wouter'
import type { AdviceFinding } from '../../../../server/contract/control-advice.ts'
import { classNames } from '../../../lib/class-names.ts'
import { levelLooks } from '../../../shared/finding-mark.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Moment } from '../../../ui/time.tsx'
import { IgnoreDialog } from '../detail/ignore-dialog.tsx'
import { useRemoveIgnore } from '../model/requests.ts'
import { words } from '../words.ts'
import { EvidenceList } from './evidence-list.tsx'

interface FindingCardProps {
  finding: AdviceFinding
  /** Name of the app or webhook. */
  subject: string
  /** The address names it. */
  isOpened: boolean
}

/** A mistake, the requests that prove it, and its fix. */
export function FindingCard({ finding, subject, isOpened }: FindingCardProps) {
  const { id, rule, level, certainty, title, fix, sources, count, lastAt, ignored } = finding
  const [isIgnoring, setIgnoring] = useState(false)
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className={classNames(
        'flex min-w-0 flex-col gap-2.5 rounded-xl border p-3 sm:px-4',
        isOpened ? 'border-accent bg-accent-soft' : 'border-line bg-surface',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge {...levelLooks[level]}>{words.levels[level]}</Badge>
        {certainty === 'likely' && <Badge>{words.likely}</Badge>}
        {ignored && <Badge icon="minus">{words.ignored}</Badge>}
        <Link
          href={`/findings/rules/${rule}`}
          className="font-mono text-xs text-accent underline-offset-2 hover:underline"
        >
          {rule}
        </Link>
        <span className="ml-auto text-xs text-muted">
          {words.times(count)}, {'last'} <Moment time={lastAt} />
        </span>
      </div>
      <h3 id={`${id}-title`} className="text-sm font-medium text-pretty">
        {title}
      </h3>
      <EvidenceList evidence={finding.evidence} />
      <p className="text-sm text-pretty">
        <strong className="font-semibold">{words.fix}:</strong> {fix}
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 text-xs text-muted">
          {words.source}: <Sources sources={sources} />
        </p>
        {ignored ? (
          <Ignored ignored={ignored} />
        ) : (
          <Button size="small" icon="minus" onClick={() => setIgnoring(true)}>
            {words.ignore}
            <span className="sr-only"> {rule}</span>
          </Button>
        )}
      </div>
      {isIgnoring && (
        <IgnoreDialog finding={finding} subject={subject} onClose={() => setIgnoring(false)} />
      )}
    </article>
  )
}

/** Sections of documents as links. */
export function Sources({ sources }: Pick<AdviceFinding, 'sources'>) {
  return (
    <>
      {sources.map(({ name, section, url }, index) => (
        <span key={url + section}>
          {index > 0 && ' · '}
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="underline underline-offset-2 hover:text-ink"
          >
            {name}, {section}
          </a>
        </span>
      ))}
    </>
  )
}

function Ignored({ ignored }: { ignored: NonNullable<AdviceFinding['ignored']> }) {
  const remove = useRemoveIgnore()
  return (
    <>
      <span className="min-w-0 text-xs text-muted">
        {words.ignored}: {ignored.reason}
      </span>
      <Button size="small" busy={remove.isPending} onClick={() => remove.mutate(ignored.id)}>
        Stop ignoring
      </Button>
    </>
  )
}
