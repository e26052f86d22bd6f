import type { ComponentProps, ReactNode } from 'react'
import { useSingleKeys } from '../lib/browser-settings.ts'
import { classNames } from '../lib/class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Tooltip } from './tooltip.tsx'

const looks = {
  primary:
    'bg-accent text-on-accent hover:bg-accent-strong border-transparent font-medium shadow-xs',
  plain: 'bg-surface border-line hover:bg-hover text-ink shadow-xs',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-surface border-line text-bad hover:bg-bad-soft shadow-xs',
} as const

const sizes = {
  small: 'h-6.5 px-2 gap-1 text-xs rounded-md',
  medium: 'h-8 px-3 gap-1.5 text-sm rounded-lg',
} as const

/** Classes for a link that looks like a button. */
export function buttonClass(
  look: keyof typeof looks = 'plain',
  size: keyof typeof sizes = 'medium',
): string {
  return classNames(
    'inline-flex items-center justify-center border whitespace-nowrap select-none transition-colors',
    'disabled:opacity-55 disabled:pointer-events-none',
    'aria-busy:opacity-55 aria-busy:cursor-default',
    looks[look],
    sizes[size],
  )
}

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks
  size?: keyof typeof sizes
  icon?: IconName
  /** The action is running. The button keeps the focus, which it would lose if disabled. */
  busy?: boolean
  /** Keyboard shortcut, shown beside the label. */
  hotkey?: string
}

export function Button({
  look = 'plain',
  size = 'medium',
  icon,
  busy = false,
  hotkey,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const [hasKeys] = useSingleKeys()
  const shownKey = hasKeys ? hotkey : undefined
  return (
    <button
      type="button"
      {...rest}
      {...pressing(busy, onClick)}
      className={classNames(buttonClass(look, size), className)}
      aria-keyshortcuts={shownKey}
    >
      {icon && <Icon name={icon} className={size === 'small' ? 'size-3.5' : 'size-4'} />}
      {children}
      {shownKey && (
        <span className="contents max-sm:hidden">
          <Kbd>{shownKey}</Kbd>
        </span>
      )}
    </button>
  )
}

/**
 * Handler of a press, which does nothing while the action runs. A disabled button would lose the focus: keyboard
 * users would start at the top of the page again.
 */
function pressing(busy: boolean, onClick: ButtonProps['onClick']): ButtonProps {
  if (!busy) return { onClick }
  return {
    'aria-busy': true,
    'aria-disabled': true,
    onClick(event) {
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'hotkey'> {
  icon: IconName
  label: string
}

export function IconButton({
  icon,
  label,
  look = 'quiet',
  size = 'medium',
  busy = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        {...pressing(busy, onClick)}
        className={classNames(
          buttonClass(look, size),
          size === 'small' ? 'w-6.5 px-0!' : 'w-8 px-0!',
          className,
        )}
      >
        <Icon name={icon} className={size === 'small' ? 'size-3.5' : 'size-4'} />
      </button>
    </Tooltip>
  )
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 shrink-0 items-center justify-center rounded border whitespace-nowrap border-current/25 px-1 font-mono text-2xs">
      {children}
    </kbd>
  )
}
