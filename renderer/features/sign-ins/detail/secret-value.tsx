import { IconButton } from '../../../ui/button.tsx'
import { useReveal } from '../model/reveal.ts'

interface SecretValueProps {
  name: string
  value: string
  secret?: boolean | undefined
}

/** Value; a secret is masked until revealed. */
export function SecretValue({ name, value, secret = false }: SecretValueProps) {
  const { names, toggle } = useReveal()
  const isShown = names.has(name)
  return (
    <span className="inline-flex max-w-full items-start gap-1 font-mono text-xs">
      <span className="min-w-0 py-0.5 break-all">{value === '' ? '(empty)' : value}</span>
      {secret && (
        <IconButton
          size="small"
          icon="eye"
          label={isShown ? `Mask ${name}` : `Show ${name}`}
          aria-pressed={isShown}
          className="-my-0.5 shrink-0 aria-pressed:text-accent!"
          onClick={() => toggle(name)}
        />
      )}
    </span>
  )
}
