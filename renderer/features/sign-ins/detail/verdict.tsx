import type { ReactNode } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'

/** Result of a check. */
export function Verdict({ holds, children }: { holds: boolean; children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-xs">
      <Icon
        name={holds ? 'check' : 'cross'}
        className={classNames('mt-px size-3.5', holds ? 'text-ok' : 'text-bad')}
      />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
