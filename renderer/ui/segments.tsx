import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ReactNode } from 'react'
import { formatCount } from '../lib/format.ts'

interface SegmentsProps<T extends string> {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly { value: T; label: ReactNode; count?: number | undefined }[]
}

/** A few choices side by side, one of them taken; on several lines where one is too short. */
export function Segments<T extends string>({ label, value, onChange, options }: SegmentsProps<T>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={(next: T[]) => {
        const [chosen] = next
        if (chosen !== undefined) onChange(chosen)
      }}
      className="inline-flex w-fit max-w-full flex-wrap rounded-lg border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          className="inline-flex h-6.5 items-center gap-1.5 rounded-md px-2.5 text-xs whitespace-nowrap text-muted hover:text-ink data-pressed:bg-surface data-pressed:font-medium data-pressed:text-ink data-pressed:shadow-xs"
        >
          {option.label}
          {option.count !== undefined && (
            <span className="text-2xs text-faint">{formatCount(option.count)}</span>
          )}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}
