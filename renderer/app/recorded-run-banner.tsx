import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import { callApi } from '../api/client.ts'
import { useOverrides } from '../api/overrides.ts'
import { useOverview } from '../api/overview.ts'
import { useWrite } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Question, useQuestion } from '../ui/question.tsx'
import { formatDateTime, plural, shorten } from '../lib/format.ts'
import { words } from './words.ts'

/** Banner of a recorded run on every page, with the button that resumes it. */
export function RecordedRunBanner() {
  const { data } = useOverrides()
  const resuming = useQuestion(useResume())
  const run = data?.recordedRun
  return (
    <>
      {run && (
        <section
          aria-label={words.recordedRun}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-sm"
        >
          <Icon name="camera" className="size-4 shrink-0 text-accent" />
          <div className="min-w-60 flex-1">
            <p>
              {describe(run)} {words.readOnly}
            </p>
            {run.leftOut.length > 0 && (
              <details className="text-xs text-muted">
                <summary className="cursor-pointer">{words.notIncluded}</summary>
                {run.leftOut.map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </details>
            )}
          </div>
          <Button size="small" icon="play" onClick={() => resuming.ask()}>
            {words.resume}
          </Button>
        </section>
      )}
      <Question
        of={resuming}
        title={() => words.resumeTitle}
        action={words.resume}
        look={() => 'primary'}
      >
        {() => <WhatFollows clockRan={run?.clockRan === true} />}
      </Question>
    </>
  )
}

function WhatFollows({ clockRan }: { clockRan: boolean }) {
  const waiting = useOverview().data?.counts.outstandingDeliveries ?? 0
  return (
    <p>
      {waiting === 0
        ? words.noPending
        : words.pendingSent(plural(waiting, 'pending delivery', 'pending deliveries'))}
      {clockRan && ` ${words.clockContinues}`}
    </p>
  )
}

function useResume() {
  return useWrite({
    call: () => callApi('POST recorded-run/resume'),
    changes: ['overrides', 'clock', 'deliveries', 'webhooks'],
    done: words.runResumed,
    failed: words.resumeFailed,
  })
}

function describe({
  madeAt,
  command,
  exitCode,
}: NonNullable<ActiveOverrides['recordedRun']>): string {
  const what = command === undefined ? '' : `: ${shorten(command, 50, 20)}`
  const ending = exitCode === undefined ? '' : words.exitCode(exitCode)
  return `${words.runOf(formatDateTime(madeAt))}${what}${ending}.`
}
