import { Link } from 'wouter'
import type { AuditRunItem } from '../../server/contract/control-audits.ts'
import type { AuditOutcome } from '../../server/contract/words/audit-words.ts'
import { isOpenAudit, readAuditReport, useContinueAudit, useStopAudit } from '../api/audits.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Panel } from '../ui/page.tsx'
import { Moment } from '../ui/time.tsx'
import { levelLooks } from './finding-mark.tsx'
import { ReportMenu } from './report-menu.tsx'
import { words } from './words.ts'

type Verdict = AuditRunItem['verdicts'][number]

const looks: Record<AuditOutcome, { tone: Tone; icon: IconName }> = {
  passed: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'cross' },
  tolerated: { tone: 'neutral', icon: 'check' },
  inconclusive: { tone: 'neutral', icon: 'info' },
  'not-applicable': { tone: 'neutral', icon: 'minus' },
  'not-reached': { tone: 'neutral', icon: 'minus' },
}

/** An audit with its modules: verdicts so far, the one that runs, and those to come. */
export function AuditView({ audit }: { audit: AuditRunItem }) {
  const { id, kind, plan, planned, verdicts, startedAt, problem } = audit
  const hasAttempts = kind === 'receiver' && plan !== 'storm' && verdicts.length > 0
  const isOpen = isOpenAudit(audit)
  const reached = verdicts.filter(({ outcome }) => outcome !== 'not-reached').length
  const stop = useStopAudit('Could not stop the audit')
  return (
    <Panel
      title={plan === 'storm' ? 'Storm' : `Audit, plan ${plan}`}
      lead={
        <>
          {words.auditStates[audit.state]} · {`${reached} of ${planned.length} modules`} ·{' '}
          <Moment time={startedAt} />
          {hasAttempts && (
            <>
              {' · '}
              <Link
                href={`/deliveries?audited=1&q=${id}`}
                className="text-accent underline underline-offset-2"
              >
                Attempts
              </Link>
            </>
          )}
        </>
      }
      actions={
        isOpen ? (
          <Button size="small" icon="cross" busy={stop.isPending} onClick={() => stop.mutate(id)}>
            Stop audit
          </Button>
        ) : (
          <ReportMenu size="small" read={(format) => readAuditReport(id, format)} />
        )
      }
    >
      <div className="flex flex-col gap-3">
        {problem !== undefined && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
            {problem}
          </p>
        )}
        {isOpen && <Waiting audit={audit} />}
        <ol aria-label="Modules" className="flex flex-col divide-y divide-line">
          {sorted(audit).map((module) => {
            const verdict = verdicts.find((one) => one.module === module)
            return (
              <li key={module} className="py-2">
                {verdict ? (
                  <VerdictLine kind={kind} verdict={verdict} />
                ) : (
                  <Coming module={module} isRunning={module === audit.module} />
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </Panel>
  )
}

/** While it runs, modules stay in their order; the report begins with what failed. */
function sorted(audit: AuditRunItem): readonly string[] {
  if (isOpenAudit(audit)) return audit.planned
  const failed = audit.verdicts.filter(({ outcome }) => outcome === 'failed')
  const first = new Set(failed.map(({ module }) => module))
  return [...first, ...audit.planned.filter((module) => !first.has(module))]
}

/** What the audit waits for; announced, because the user has to act. */
function Waiting({ audit: { id, module, waitsFor, step } }: { audit: AuditRunItem }) {
  const go = useContinueAudit('Could not continue the audit')
  return (
    <output className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-accent-soft px-3 py-2 text-sm">
      <span className="pulse-live size-2 rounded-full bg-accent" />
      <span className="min-w-40 flex-1">
        {waitsFor ?? (module === 'plain' ? 'An honest sign-in first…' : `Running ${module ?? ''}…`)}
      </span>
      {waitsFor !== undefined && (
        <span className="flex gap-2">
          {step?.module !== 'plain' && (
            <Button size="small" icon="skip" onClick={() => go.mutate({ id, skip: true })}>
              Skip
            </Button>
          )}
          <Button
            size="small"
            icon="check"
            look="primary"
            onClick={() => go.mutate({ id, skip: false })}
          >
            Done
          </Button>
        </span>
      )}
    </output>
  )
}

function Coming({ module, isRunning }: { module: string; isRunning: boolean }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <span className="font-mono text-xs">{module}</span>
      {isRunning && <Badge tone="accent">{words.auditStates.running}</Badge>}
    </p>
  )
}

function VerdictLine({ kind, verdict }: Pick<AuditRunItem, 'kind'> & { verdict: Verdict }) {
  const { module, outcome, level, title, expected, observed, evidence, fix, sources } = verdict
  const { tone, icon } = looks[outcome]
  const hasFailed = outcome === 'failed'
  return (
    <article aria-label={module} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={hasFailed ? levelLooks[level].tone : tone} icon={icon}>
          {words.auditOutcomes[outcome]}
        </Badge>
        <Link
          href={`/findings/modules/${module}`}
          className="font-mono text-xs text-accent underline-offset-2 hover:underline"
        >
          {module}
        </Link>
        <span className="min-w-0 text-sm text-pretty">{title}</span>
      </div>
      <p className="text-xs text-pretty text-muted">{observed}</p>
      {hasFailed && (
        <div className="flex flex-col gap-1.5 text-sm text-pretty">
          <p>
            <strong className="font-semibold">Expected:</strong> {expected}
          </p>
          {evidence.map(({ id, note }) => (
            <p key={`${id} ${note}`} className="font-mono text-xs break-all">
              {note}{' '}
              {id !== undefined && (
                <Link
                  href={
                    kind === 'receiver'
                      ? `/deliveries/${id}?audited=1`
                      : `/requests/${encodeURIComponent(id)}`
                  }
                  className="text-accent underline underline-offset-2"
                >
                  {words.openEvidence[kind]}
                </Link>
              )}
            </p>
          ))}
          <p>
            <strong className="font-semibold">Fix:</strong> {fix}
          </p>
          <p className="text-xs text-muted">
            {sources.map(({ name, section, url }) => (
              <a
                key={`${name} ${section}`}
                href={url}
                target="_blank"
                rel="noreferrer"
                className="mr-3 underline underline-offset-2"
              >
                {name}, {section}
              </a>
            ))}
          </p>
        </div>
      )}
    </article>
  )
}
