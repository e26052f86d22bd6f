import { Select as Base } from '@base-ui/react/select'
import { classNames } from '../lib/class-names.ts'
import { Field, type FieldTexts } from './field.tsx'
import { Icon } from './icon.tsx'

export interface Option<T extends string = string> {
  value: T
  label: string
}

interface SelectProps<T extends string> {
  value: T
  onChange: (value: T) => void
  options: readonly Option<T>[]
  /** Names the control where no `Field` around it does. */
  label?: string
  id?: string
  'aria-describedby'?: string | undefined
  className?: string
}

export function Select<T extends string>({
  value,
  onChange,
  options,
  label,
  id,
  className,
  ...rest
}: SelectProps<T>) {
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChange(next)
      }}
    >
      <Base.Trigger
        id={id}
        aria-label={label}
        aria-describedby={rest['aria-describedby']}
        className={classNames(
          'inline-flex h-8 max-w-full min-w-0 items-center justify-between gap-2 rounded-lg border border-line-strong/70 bg-surface pr-1.5 pl-2.5 text-left text-sm hover:bg-hover',
          className,
        )}
      >
        <Base.Value className="truncate" />
        <Base.Icon>
          <Icon name="sort" className="size-3.5 text-faint" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
          <Base.Popup className="ease-pop scroll-quiet max-h-(--available-height) max-w-(--available-width) min-w-(--anchor-width) overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-pop outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex cursor-default items-center gap-2 rounded-md py-1 pr-3 pl-2 text-sm outline-none select-none data-highlighted:bg-hover"
              >
                <span className="w-3.5 shrink-0">
                  <Base.ItemIndicator>
                    <Icon name="check" className="size-3.5 text-accent" />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText className="min-w-0 wrap-anywhere">{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Labelled select. */
export function SelectField<T extends string>({
  label,
  hint,
  error,
  ...rest
}: FieldTexts & Omit<SelectProps<T>, 'label' | 'id' | 'aria-describedby'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Select {...control} {...rest} />}
    </Field>
  )
}
