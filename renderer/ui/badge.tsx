import type { ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'ok' | 'bad' | 'warn' | 'accent' | 'neutral'

const tones: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  accent: 'bg-accent-soft text-accent',
  neutral: 'bg-sunken text-muted',
}

/** Badge with a word, and a shape where it helps: the tone is never the only sign. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone
  icon?: IconName | undefined
  children?: ReactNode
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 max-w-full items-center gap-1 rounded-md px-1.5 text-2xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {icon && <Icon name={icon} className="size-3" />}
      {children && <span className="truncate">{children}</span>}
    </span>
  )
}

/** Protocol word such as a scope, exactly as on the wire. */
export function Chip({ children }: { children: ReactNode }) {
  return (
    <span
      title={typeof children === 'string' ? children : undefined}
      className="inline-block max-w-full truncate rounded border border-line bg-surface px-1.5 align-middle font-mono text-2xs text-muted"
    >
      {children}
    </span>
  )
}

export const toneText: Record<Tone, string> = {
  ok: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  accent: 'text-accent',
  neutral: 'text-faint',
}
