import { Popover } from '@base-ui/react/popover'
import { useClock, useMoveClock } from '../api/clock.ts'
import { ClockControls, describeOffset } from '../shared/clock-controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { classNames } from '../lib/class-names.ts'
import { formatTime } from '../lib/format.ts'
import { clockWords } from '../shared/active-overrides-text.ts'
import { useSandboxNow } from '../lib/sandbox-clock.ts'

export function ClockMenu() {
  const { data: reading } = useClock()
  const move = useMoveClock()
  const now = useSandboxNow()
  if (!reading) return null
  const overrides = clockWords(reading)
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={`Sandbox clock: ${formatTime(now)}. ${describeOffset(reading)}`}
        className={classNames(
          'flex h-8 items-center gap-1.5 rounded-lg border px-2 text-xs',
          overrides.length > 0
            ? 'border-transparent bg-warn-soft text-warn'
            : 'border-line bg-surface text-muted hover:text-ink',
        )}
      >
        <Icon name={reading.frozen ? 'pause' : 'clock'} className="size-3.5" />
        {formatTime(now)}
        {overrides.length > 0 && <span className="font-medium">{overrides.join(' ')}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" className="z-40">
          <Popover.Popup className="ease-pop w-88 max-w-[calc(100vw-1.5rem)] rounded-xl border border-line bg-surface p-4 shadow-pop outline-none">
            <Popover.Title className="eyebrow pb-2">Sandbox clock</Popover.Title>
            <ClockControls reading={reading} busy={move.isPending} onMove={move.mutate} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
