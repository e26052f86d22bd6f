import { Fragment } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Link } from 'wouter'
import { lackOfResponse, responseTimeOf } from '../../../../server/contract/delivery-result.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Countdown } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatSpan, formatTime, formatTook } from '../../../lib/format.ts'
import { hasSecret } from '../model/snippets.ts'
import { words } from '../words.ts'

/** Phases of an attempt, in order. */
const phaseLooks = {
  fault: 'bg-bad',
  dns: 'bg-faint',
  connect: 'bg-warn',
  tls: 'bg-accent/60',
  send: 'bg-warn/60',
  wait: 'bg-accent',
  read: 'bg-ok',
}
/** Only the colour tells the phases apart, so forced colors must not replace it. */
const phaseClass = 'forced-color-adjust-none'
type Phase = keyof typeof phaseLooks
const phaseNames = Object.keys(phaseLooks) as Phase[]

/** Timeout of other webhook senders; the Hub waits longer. */
const slowMs = 10_000

export function TimelinePane({ delivery }: { delivery: DeliveryItem }) {
  const longest = Math.max(1, ...delivery.attempts.map(({ durationMs }) => durationMs ?? 0))
  const seen = new Set(
    delivery.attempts.flatMap((attempt) => phases(attempt).map(([name]) => name)),
  )
  return (
    <div className="flex flex-col gap-4 p-4">
      {delivery.attempts.length === 0 && (
        <p className="text-sm text-muted">
          {delivery.state === 'skipped' ? 'Skipped: nothing is sent.' : 'No attempts yet.'}
        </p>
      )}
      <ol className="flex flex-col">
        {delivery.attempts.map((attempt, index) => {
          const before = delivery.attempts[index - 1]
          return (
            <Fragment key={attempt.number}>
              {before && <Gap before={before} attempt={attempt} />}
              <li className="rounded-lg border border-line bg-surface p-3">
                <div className="flex flex-wrap items-center gap-2">
                  <AttemptGlyph attempt={attempt} />
                  <span className="font-medium">
                    {words.attempt} {attempt.number}
                  </span>
                  <Badge>{attempt.source}</Badge>
                  <span className="ml-auto text-xs text-muted">{formatTime(attempt.at)}</span>
                </div>
                {attempt.durationMs !== undefined && (
                  <div className="mt-2 flex items-center gap-2">
                    <div className="flex h-2.5 min-w-0 flex-1 overflow-hidden rounded bg-sunken">
                      <PhaseBar attempt={attempt} longest={longest} />
                    </div>
                    <span
                      className={classNames(
                        'w-16 text-right text-xs',
                        isSlow(attempt) ? 'text-warn' : 'text-muted',
                      )}
                    >
                      {tookOf(attempt)}
                    </span>
                  </div>
                )}
                {isSlow(attempt) && (
                  <p className="mt-1 text-xs text-warn">
                    Over 10 s: other senders time out by then, the Hub after 30 s.
                  </p>
                )}
                {attempt.error && (
                  <p className="mt-2 text-xs break-words text-bad">
                    <span className="font-mono">{attempt.error.class}</span>:{' '}
                    {attempt.error.message}
                  </p>
                )}
                {attempt.explanation && (
                  <p className="mt-1 text-xs text-muted">{attempt.explanation}</p>
                )}
                {attempt.jobId && (
                  <p className="mt-2 text-xs">
                    <Link href={`/jobs/${attempt.jobId}`} className="underline underline-offset-2">
                      View the job
                    </Link>
                  </p>
                )}
                {attempt.outcome === 'unknown' && (
                  <p className="mt-2 text-xs text-warn">
                    The sandbox stopped during the attempt, so its outcome is unknown.
                  </p>
                )}
              </li>
            </Fragment>
          )
        })}
      </ol>
      {delivery.nextRetryAt && (
        <p className="flex items-center gap-2 text-sm text-warn">
          <Icon name="retry" /> Next attempt in{' '}
          <Countdown time={delivery.nextRetryAt} past={words.aMoment} />
          <span className="text-xs text-muted">at {formatTime(delivery.nextRetryAt)}</span>
        </p>
      )}
      {seen.size > 0 && (
        <ul aria-label="Phases" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {[...seen].map((name) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className={classNames('size-2 rounded-sm', phaseClass, phaseLooks[name])} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Gap between two attempts: the wait, and changes to the webhook meanwhile. */
function Gap({ before, attempt }: { before: AttemptItem; attempt: AttemptItem }) {
  const waitedMs = Date.parse(attempt.at) - Date.parse(before.at) - (before.durationMs ?? 0)
  const notes: string[] = []
  const url = attempt.request?.url
  if (url && url !== before.request?.url) notes.push(`URL changed to ${url}`)
  if (attempt.request && sendsSecret(attempt) !== sendsSecret(before)) {
    notes.push(sendsSecret(attempt) ? 'secret added' : 'secret removed')
  }
  return (
    <li className="ml-5 border-l-2 border-dotted border-line-strong/60 py-2 pl-4 text-xs text-muted">
      {waitedMs > 0 ? `${formatSpan(waitedMs)} later` : 'immediately'}
      {notes.map((note) => (
        <span key={note} className="block text-warn">
          {note}
        </span>
      ))}
      {attempt.source === 'recovered' && (
        <span className="block text-warn">the sandbox was restarted</span>
      )}
    </li>
  )
}

function sendsSecret({ request }: AttemptItem): boolean {
  return request !== undefined && hasSecret(request.headers)
}

function AttemptGlyph({ attempt }: { attempt: AttemptItem }) {
  if (!attempt.outcome) return <Badge tone="accent">{words.inFlight}</Badge>
  if (attempt.outcome === 'succeeded' && attempt.status === undefined) {
    return <Badge icon="skip">{words.notRun}</Badge>
  }
  const word = attempt.status ?? attempt.error?.class ?? attempt.outcome
  return attempt.outcome === 'succeeded' ? (
    <Badge tone="ok" icon="check">
      {word}
    </Badge>
  ) : (
    <Badge tone={attempt.outcome === 'failed' ? 'bad' : 'warn'} icon="cross">
      {word}
    </Badge>
  )
}

function responseTime({ durationMs, error }: AttemptItem): number | undefined {
  return responseTimeOf({ durationMs, errorClass: error?.class })
}

function tookOf(attempt: AttemptItem): string {
  const tookMs = responseTime(attempt)
  return tookMs === undefined ? lackOfResponse(attempt.error?.class) : formatTook(tookMs)
}

function isSlow(attempt: AttemptItem): boolean {
  return (responseTime(attempt) ?? 0) > slowMs
}

function phases({ timings = {} }: AttemptItem): [Phase, number][] {
  return phaseNames
    .map((name): [Phase, number] => [name, timings[`${name}Ms`] ?? 0])
    .filter(([, ms]) => ms > 0)
}

function PhaseBar({ attempt, longest }: { attempt: AttemptItem; longest: number }) {
  const parts = phases(attempt)
  const known: [Phase, number][] = parts.length > 0 ? parts : [['wait', attempt.durationMs ?? 0]]
  return known.map(([name, ms]) => (
    <span
      key={name}
      title={`${name} ${formatTook(ms)}`}
      style={{ width: `max(2px, ${(ms / longest) * 100}%)` }}
      className={classNames(phaseClass, phaseLooks[name])}
    />
  ))
}
