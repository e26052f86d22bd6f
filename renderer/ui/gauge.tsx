import { Meter } from '@base-ui/react/meter'
import { classNames } from '../lib/class-names.ts'
import { formatCount } from '../lib/format.ts'

interface GaugeProps {
  label: string
  used: number
  limit: number
  /** In a line of text: the numbers stand beside the bar instead of below it. */
  inline?: boolean
}

/** How much of a limit is used; amber from 80 %, red when there is none left. */
export function Gauge({ label, used, limit, inline = false }: GaugeProps) {
  const share = limit === 0 ? 1 : used / limit
  return (
    <Meter.Root
      value={Math.min(used, limit)}
      max={limit}
      aria-label={label}
      className={inline ? 'flex items-center gap-1.5' : 'min-w-24'}
    >
      <Meter.Track
        className={classNames(
          'h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:outline-1',
          inline && 'w-24',
        )}
      >
        <Meter.Indicator
          className={classNames(
            'h-full rounded-full forced-colors:bg-[Highlight]',
            share >= 1 ? 'bg-bad' : share >= 0.8 ? 'bg-warn' : 'bg-accent',
          )}
        />
      </Meter.Track>
      <span className="text-2xs text-muted">
        {formatCount(used)} / {formatCount(limit)}
      </span>
    </Meter.Root>
  )
}
