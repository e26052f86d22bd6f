import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

interface TooltipProps {
  content: ReactNode
  /** One element that takes focus: the tooltip is for keyboards, too. */
  children: ReactElement
}

export function Tooltip({ content, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="ease-pop max-w-[min(20rem,var(--available-width))] rounded-md bg-ink wrap-anywhere px-2 py-1 text-xs text-canvas shadow-pop">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
