import type { ActiveOverrides } from '../../server/contract/control-overrides.ts'
import { useOverrides } from '../api/overrides.ts'
import { Icon } from '../ui/icon.tsx'
import { formatDateTime, shorten } from '../lib/format.ts'

/** Banner of a recorded run on every page. */
export function RecordedRunBanner() {
  const run = useOverrides().data?.recordedRun
  if (run === undefined) return null
  return (
    <section
      aria-label="Recorded run"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-sm"
    >
      <Icon name="camera" className="size-4 shrink-0 text-accent" />
      <div className="min-w-60 flex-1">
        <p>{describe(run)} For viewing only: no deliveries, retries or jobs.</p>
        {run.leftOut.length > 0 && (
          <details className="text-xs text-muted">
            <summary className="cursor-pointer">Not included</summary>
            {run.leftOut.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </details>
        )}
      </div>
    </section>
  )
}

function describe({
  madeAt,
  command,
  exitCode,
}: NonNullable<ActiveOverrides['recordedRun']>): string {
  const what = command === undefined ? '' : `: ${shorten(command, 50, 20)}`
  const ending = exitCode === undefined ? '' : `, exit code ${exitCode}`
  return `Recorded run of ${formatDateTime(madeAt)}${what}${ending}.`
}
