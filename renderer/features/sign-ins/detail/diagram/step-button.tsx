import type { ReactNode } from 'react'
import { classNames } from '../../../../lib/class-names.ts'
import type { StepButtonProps } from './use-step-walk.ts'

interface Props extends StepButtonProps {
  /** Text of the step for screen readers. */
  story: string
  className?: string
  children: ReactNode
}

/** Step that opens its details. */
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
        // Scrolls below the sticky heads.
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
