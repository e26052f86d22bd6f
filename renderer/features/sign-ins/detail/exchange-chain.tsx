import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { toneText } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { stepLooks } from '../../../shared/flow-looks.ts'

/** Links from the subject to the token, up to the refused one (RFC 8693 §2). */
export function ExchangeChain({ chain }: { chain: NonNullable<FlowStepDetail['exchange']> }) {
  return (
    <ol className="flex flex-col">
      {chain.map(({ label, value, outcome }) => {
        const look = stepLooks[outcome]
        return (
          <li key={label} className="group grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2">
            <span className={classNames('flex flex-col items-center', toneText[look.tone])}>
              <Icon name={look.icon} />
              <span className="w-px flex-1 bg-line-strong group-last:hidden" />
            </span>
            <span className="pb-2.5 text-sm">
              <span className="text-2xs text-muted">{label}</span>
              <span className="sr-only">, {look.word}:</span>
              <span className="block font-mono text-xs break-words">{value}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
