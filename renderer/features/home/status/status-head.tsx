import type { ReactNode } from 'react'
import { toneText, type Tone } from '../../../ui/badge.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'

interface StatusHeadProps {
  icon: IconName
  tone: Tone
  title: string
  /** Link beside the title. */
  action?: ReactNode
  children?: ReactNode
}

/** State of a part of the sandbox in a word or two, readable from afar. */
export function StatusHead({ icon, tone, title, action, children }: StatusHeadProps) {
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2.5">
        <Icon name={icon} className={`size-6 ${toneText[tone]}`} />
        <p className="mr-auto text-lg leading-7 font-semibold tracking-tight">{title}</p>
        {action}
      </div>
      {/* Below the icon, too: the columns are narrow. */}
      {children && <div className="pt-0.5 text-sm break-words text-muted">{children}</div>}
    </div>
  )
}
