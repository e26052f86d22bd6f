import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface ToggleProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

interface SwitchProps extends ToggleProps {
  /** The change is being saved: the switch waits and keeps the focus. */
  busy?: boolean
}

export function Switch({ checked, onChange, children, busy = false }: SwitchProps) {
  return (
    // Base UI's root is the labelled control inside.
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control
    <label className="inline-flex cursor-pointer items-center gap-2 text-sm">
      <Base.Root
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        readOnly={busy}
        className="relative inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-line-strong bg-sunken transition-colors data-checked:border-accent data-checked:bg-accent data-readonly:opacity-50 forced-colors:data-checked:bg-[Highlight]"
      >
        <Base.Thumb className="ml-0.5 size-3 rounded-full bg-line-strong transition-[translate,background-color] data-checked:translate-x-3.5 data-checked:bg-on-accent forced-colors:bg-[CanvasText] forced-colors:data-checked:bg-[HighlightText]" />
      </Base.Root>
      {children}
    </label>
  )
}

interface CheckboxProps extends ToggleProps {
  disabled?: boolean
}

export function Checkbox({ checked, onChange, children, disabled = false }: CheckboxProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control
    <label className="inline-flex cursor-pointer items-start gap-2 text-sm">
      <BaseCheckbox.Root
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        disabled={disabled}
        className="mt-0.5 grid size-4 shrink-0 place-items-center rounded border border-line-strong bg-surface data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <BaseCheckbox.Indicator className="text-on-accent">
          <Icon name="check" className="size-3" />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span className="min-w-0">{children}</span>
    </label>
  )
}
