import { useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'

const control =
  'w-full rounded-lg border border-line-strong/70 bg-surface px-2.5 text-sm text-ink placeholder:text-faint focus:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:opacity-60'

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Receives the ids that tie the control to its label, hint and error. */
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': hint || error ? hintId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {(error ?? hint) && (
        <div
          id={hintId}
          role={error ? 'alert' : undefined}
          className={classNames('text-xs', error ? 'text-bad' : 'text-muted')}
        >
          {error ?? hint}
        </div>
      )}
    </div>
  )
}

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={classNames(control, 'h-8', className)}
    />
  )
}

function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      spellCheck={false}
      rows={3}
      {...rest}
      className={classNames(control, 'scroll-quiet py-1.5 font-mono text-xs leading-5', className)}
    />
  )
}

export type FieldTexts = Pick<FieldProps, 'label' | 'hint' | 'error'>
type TextProps<Tag extends 'input' | 'textarea'> = FieldTexts &
  Omit<ComponentProps<Tag>, 'onChange' | keyof FieldTexts> & { onChange: (value: string) => void }

/** Labelled text input. */
export function TextField({ label, hint, error, onChange, ...rest }: TextProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <TextInput {...control} {...rest} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

/** Labelled text area. */
export function TextAreaField({ label, hint, error, onChange, ...rest }: TextProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <TextArea {...control} {...rest} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
