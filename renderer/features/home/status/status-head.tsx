import type { ReactNode } from 'react'
import { toneText, type Tone } from '../../../ui/badge.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'

interface StatusHeadProps {
  icon: IconName
  tone: Tone
  title: string
  children?: ReactNode
}

/** State of a part of the sandbox in a word or two, readable from afar. */
export function StatusHead({ icon, tone, title, children }: StatusHeadProps) {
  return (
    <div className="flex items-start gap-2.5">
      <Icon name={icon} className={`mt-0.5 size-6 ${toneText[tone]}`} />
      <div className="min-w-0 flex-1">
        <p className="text-lg leading-7 font-semibold tracking-tight">{title}</p>
        {children && <div className="text-sm break-words text-muted">{children}</div>}
      </div>
    </div>
  )
}
