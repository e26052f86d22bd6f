import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import { callApi } from '../api/client.ts'
import { useOverrides } from '../api/overrides.ts'
import { useOverview } from '../api/overview.ts'
import { useWrite } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Question, useQuestion } from '../ui/question.tsx'
import { formatDateTime, plural, shorten } from '../lib/format.ts'

/** Says on every page that what is shown has happened before, and lets it go on. */
export function RecordedRunBanner() {
  const { data } = useOverrides()
  const resuming = useQuestion(useResume())
  const run = data?.recordedRun
  return (
    <>
      {run && (
        <section
          aria-label="Recorded run"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-sm"
        >
          <Icon name="camera" className="size-4 shrink-0 text-accent" />
          <div className="min-w-60 flex-1">
            <p>{describe(run)} Nothing is delivered, retried or run until you resume it.</p>
            {run.leftOut.length > 0 && (
              <details className="text-xs text-muted">
                <summary className="cursor-pointer">What it does not hold</summary>
                {run.leftOut.map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </details>
            )}
          </div>
          <Button size="small" icon="play" onClick={() => resuming.ask()}>
            Deliver again
          </Button>
        </section>
      )}
      <Question
        of={resuming}
        title={() => 'Let the recorded run go on?'}
        action="Deliver again"
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
        ? 'No delivery waits.'
        : `${plural(waiting, 'delivery', 'deliveries')} that ${waiting === 1 ? 'waits goes' : 'wait go'} to ${waiting === 1 ? 'its webhook' : 'their webhooks'} at once, or when the retry is due.`}
      {clockRan && ' The clock runs on from where it stood.'}
    </p>
  )
}

function useResume() {
  return useWrite({
    call: () => callApi('POST recorded-run/resume'),
    changes: ['overrides', 'clock', 'deliveries', 'webhooks'],
    done: 'The recorded run goes on',
    failed: 'The run could not be resumed',
  })
}

function describe({
  madeAt,
  command,
  exitCode,
}: NonNullable<ActiveOverrides['recordedRun']>): string {
  const when = `This is a recorded run of ${formatDateTime(madeAt)}`
  const what = command === undefined ? '' : `: ${shorten(command, 50, 20)}`
  const ending = exitCode === undefined ? '' : `, which ended with ${exitCode}`
  return `${when}${what}${ending}.`
}
