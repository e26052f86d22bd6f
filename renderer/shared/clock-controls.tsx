import { useState } from 'react'
import type { ClockReading, MoveClockRequest } from '../../server/contract/control-clock.ts'
import { formatDateTime, formatSpan } from '../lib/format.ts'
import { useSandboxNow } from '../lib/sandbox-clock.ts'
import { Button } from '../ui/button.tsx'
import { TextInput } from '../ui/field.tsx'
import { useClockPreview } from '../api/clock.ts'
import { durationPattern, parseDuration } from '../../server/contract/durations.ts'
import { words } from './words.ts'

const steps = ['1m', '10m', '1h', '8h', '1d', '30d'] as const

interface ClockControlsProps {
  reading: ClockReading
  busy: boolean
  onMove: (request: MoveClockRequest) => void
}

/** Changes the sandbox clock; expiries and retries follow it. */
export function ClockControls({ reading, busy, onMove }: ClockControlsProps) {
  const now = useSandboxNow()
  const [amount, setAmount] = useState('')
  const [pointedAt, setPointedAt] = useState('')
  // Of a typed text, only a duration.
  const typed = parseDuration(amount) === undefined ? '' : amount
  return (
    <div className="flex flex-col gap-3">
      <div>
        <p className="text-lg font-semibold">{formatDateTime(now)}</p>
        <p className="text-xs text-muted">{describeOffset(reading)}</p>
      </div>
      <fieldset className="flex flex-wrap gap-1.5" aria-label="Advance the clock">
        {steps.map((step) => (
          <Button
            key={step}
            size="small"
            busy={busy}
            onClick={() => onMove({ advance: step })}
            onPointerEnter={() => setPointedAt(step)}
            onPointerLeave={() => setPointedAt('')}
            onFocus={() => setPointedAt(step)}
            onBlur={() => setPointedAt('')}
          >
            +{step}
          </Button>
        ))}
      </fieldset>
      <form
        className="flex gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          if (amount) onMove({ advance: amount })
        }}
      >
        <TextInput
          aria-label="Advance by"
          placeholder="90s or 1h30m"
          pattern={durationPattern}
          title="A duration, e.g. 90s, 8h or 1h30m"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
        <Button type="submit" busy={busy} disabled={!amount}>
          Advance
        </Button>
      </form>
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="small"
          icon={reading.frozen ? 'play' : 'pause'}
          busy={busy}
          onClick={() => onMove({ frozen: !reading.frozen })}
        >
          {reading.frozen ? 'Resume' : 'Freeze'}
        </Button>
        <Button size="small" icon="retry" busy={busy} onClick={() => onMove({ untilIdle: true })}>
          Run all due retries
        </Button>
        <Button
          size="small"
          look="quiet"
          busy={busy}
          disabled={reading.offsetMs === 0}
          onClick={() => onMove({ set: new Date().toISOString() })}
        >
          Back to real time
        </Button>
      </div>
      <ClockEffects advance={pointedAt || typed} />
    </div>
  )
}

/** Lists what a move of the clock would expire. */
function ClockEffects({ advance }: { advance: string }) {
  const { data, error } = useClockPreview(advance)
  return (
    // Of one height: the steps must not move away from the pointer.
    <output
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={words.previewLabel}
      className="scroll-quiet flex h-28 flex-col gap-1 overflow-y-auto border-t border-line pt-2 text-xs text-muted"
    >
      {advance === '' && words.previewHint}
      {data && (data.effects.length === 0 ? words.expiresNothing : words.expires)(advance)}
      {data?.effects.map((effect) => (
        <span key={effect} className="break-words">
          {effect}
        </span>
      ))}
      {error?.message}
    </output>
  )
}

export function describeOffset({ frozen, offsetMs }: ClockReading): string {
  const moved =
    Math.abs(offsetMs) < 1000
      ? 'Real time'
      : (offsetMs > 0 ? words.ahead : words.behind)(formatSpan(Math.abs(offsetMs)))
  return frozen ? `${moved}, frozen` : moved
}
