import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Verdict } from './verdict.tsx'

/** Requested scopes with their outcome. */
export function ScopeVerdicts({ scopes }: { scopes: NonNullable<FlowStepDetail['scopes']> }) {
  const { asked, granted, refused } = scopes
  const reasons = new Map(refused.map(({ scope, because }) => [scope, because]))
  const all = [...new Set([...asked, ...granted, ...reasons.keys()])]
  return (
    <ul className="flex flex-col gap-1">
      {all.map((scope) => {
        const because = reasons.get(scope)
        const isGranted = granted.includes(scope)
        // A response may omit requested scopes.
        const isExtra = asked.length > 0 && !asked.includes(scope)
        const grantWord = isExtra ? 'granted, not requested' : 'granted'
        if (!isGranted && because === undefined) {
          return (
            <li key={scope} className="flex gap-1.5 pl-5 text-xs">
              <span className="font-mono">{scope}</span>
              <span className="text-muted">requested</span>
            </li>
          )
        }
        return (
          <li key={scope}>
            <Verdict holds={isGranted}>
              <span className="font-mono">{scope}</span>{' '}
              <span className="text-muted">{isGranted ? grantWord : because}</span>
            </Verdict>
          </li>
        )
      })}
    </ul>
  )
}
