import { useEffect, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { shorten } from '../lib/format.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Icon } from './icon.tsx'
import { notify, notifyFailure } from './toast.tsx'

/** Puts `text` on the clipboard and says so. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    notify(`${what} copied`)
    return true
  } catch (error) {
    notifyFailure(`Could not copy ${what}`, error)
    return false
  }
}

function useCopied(): [boolean, (text: string, what: string) => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, (text, what) => void copyText(text, what).then(setCopied)]
}

interface CopyButtonProps extends Omit<ButtonProps, 'onClick'> {
  text: string
  /** Names the thing in the announcement: “curl command copied”. */
  what: string
}

export function CopyButton({ text, what, children, ...rest }: CopyButtonProps) {
  const [copied, copy] = useCopied()
  return (
    <Button
      size="small"
      icon={copied ? 'check' : 'copy'}
      {...rest}
      onClick={() => copy(text, what)}
    >
      {children ?? `Copy ${what}`}
    </Button>
  )
}

/** An id or token, shortened, whole in its title; a click copies it. */
export function CopyableId({
  text,
  what = 'ID',
  head = 8,
  tail = 4,
  shown,
  isWhole = false,
}: {
  text: string
  what?: string
  head?: number
  tail?: number
  /** Shown in place of the shortened text. */
  shown?: string
  /** Shows all of it, on several lines where one is too short. */
  isWhole?: boolean
}) {
  const [copied, copy] = useCopied()
  return (
    <button
      type="button"
      title={text}
      aria-label={`Copy ${what} ${text}`}
      className="group inline-flex max-w-full items-center gap-1 rounded font-mono text-xs text-muted hover:text-ink"
      onClick={(event) => {
        event.stopPropagation()
        copy(text, what)
      }}
    >
      <span className={isWhole ? 'text-left wrap-anywhere' : 'truncate'}>
        {isWhole ? text : (shown ?? shorten(text, head, tail))}
      </span>
      <Icon
        name={copied ? 'check' : 'copy'}
        className={classNames(
          'size-3 opacity-0 transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-60',
          copied && 'text-ok opacity-100',
        )}
      />
    </button>
  )
}
