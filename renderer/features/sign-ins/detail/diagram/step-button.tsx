import type { ReactNode } from 'react'
import { classNames } from '../../../../lib/class-names.ts'
import type { StepButtonProps } from './use-step-walk.ts'

interface Props extends StepButtonProps {
  /** The step in sentences: what is drawn in the button is for eyes only. */
  story: string
  className?: string
  children: ReactNode
}

/** A step that opens its details. */
export function StepButton({
  id,
  tabIndex,
  isOpen,
  onOpen,
  onTouch,
  story,
  className,
  children,
}: Props) {
  return (
    <button
      type="button"
      data-step={id}
      tabIndex={tabIndex}
      aria-expanded={isOpen}
      onClick={() => onOpen(id)}
      onFocus={() => onTouch(id)}
      className={classNames(
        // Below the heads, which stay where they are when it is scrolled to.
        'flow-row relative block scroll-mt-14 rounded-lg text-left focus-visible:-outline-offset-2',
        isOpen && 'flow-row-open',
        className,
      )}
    >
      <span className="sr-only">{story}</span>
      {children}
    </button>
  )
}
