import { classNames } from '../lib/class-names.ts'

interface TogglesProps<T extends string> {
  label: string
  options: readonly T[]
  /** Selected values; empty = no restriction. */
  chosen: readonly T[]
  onChange: (chosen: T[]) => void
}

/** Row of toggles, any number of them selected. */
export function Toggles<T extends string>({ label, options, chosen, onChange }: TogglesProps<T>) {
  return (
    <fieldset aria-label={label} className="flex max-w-full min-w-0 flex-wrap gap-1">
      {options.map((option) => {
        const isChosen = chosen.includes(option)
        return (
          <button
            key={option}
            type="button"
            title={option}
            aria-pressed={isChosen}
            onClick={() =>
              onChange(options.filter((other) => chosen.includes(other) !== (other === option)))
            }
            className={classNames(
              'h-6 max-w-full truncate rounded-md border px-2 text-xs',
              isChosen
                ? 'border-accent bg-accent-soft font-medium text-ink'
                : 'border-line bg-surface text-muted hover:bg-hover hover:text-ink',
            )}
          >
            {option}
          </button>
        )
      })}
    </fieldset>
  )
}
