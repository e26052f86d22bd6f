import type { FlowStep } from '../../../../server/contract/control-flows.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { lookOfStep } from '../../../shared/flow-looks.ts'
import { plainText } from '../model/plain-text.ts'

interface ScrubberProps {
  steps: readonly FlowStep[]
  current: number
  onGo: (index: number) => void
}

const marks: Readonly<Record<Tone, string>> = {
  ok: 'bg-accent',
  accent: 'bg-accent',
  neutral: 'bg-accent',
  warn: 'bg-warn',
  bad: 'bg-bad',
}

/** Bar with a mark for each step. The keys of the presentation move it. */
export function Scrubber({ steps, current, onGo }: ScrubberProps) {
  const name = plainText(steps[current]?.name ?? '')
  return (
    <div className="relative flex h-6 min-w-0 flex-1 items-stretch rounded has-focus-visible:outline-2 has-focus-visible:outline-accent">
      {steps.map((step, index) => (
        <span key={step.id} className="flex min-w-0 flex-1 items-center justify-center">
          <span
            className={classNames(
              'rounded-full',
              index === current ? 'h-5 w-1.5' : 'h-2.5 w-1',
              index <= current ? marks[lookOfStep(step).tone] : 'bg-line-strong',
            )}
          />
        </span>
      ))}
      <input
        type="range"
        aria-label="Step"
        aria-valuetext={`${current + 1} of ${steps.length}: ${name}`}
        min={0}
        max={steps.length - 1}
        value={current}
        onChange={({ target }) => onGo(Number(target.value))}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
      />
    </div>
  )
}
