import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { DifferenceText } from '../../../shared/uri-difference.tsx'
import { plural } from '../../../lib/format.ts'
import { Verdict } from './verdict.tsx'

type RedirectUri = NonNullable<FlowStepDetail['redirectUri']>

/** Compares the sent redirect URI with the registered one that fits or is nearest; the others are folded. */
export function RedirectCompare({ redirectUri }: { redirectUri: RedirectUri }) {
  const { sent, matches, registered, nearest } = redirectUri
  const shown = nearest?.value ?? registered.find((uri) => uri.matches)?.value
  const others = registered.filter(({ value }) => value !== shown)
  return (
    <div className="flex flex-col gap-2 text-xs">
      <div>
        <p className="text-2xs text-muted">sent</p>
        {nearest ? <DifferenceText parts={nearest.parts} of="sent" /> : <Plain>{sent}</Plain>}
      </div>
      <div>
        <p className="text-2xs text-muted">
          {nearest && registered.length > 1 ? 'nearest registered' : 'registered'}
          {registered.length === 0 && ': none'}
        </p>
        {nearest ? (
          <DifferenceText parts={nearest.parts} of="registered" />
        ) : (
          shown !== undefined && <Plain>{shown}</Plain>
        )}
      </div>
      {others.length > 0 && (
        <details>
          <summary className="w-fit rounded text-muted hover:text-ink">
            {plural(others.length, 'other')}
          </summary>
          <ul className="flex flex-col gap-1 pt-1">
            {others.map(({ value }) => (
              <li key={value}>
                <Plain>{value}</Plain>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Verdict holds={matches}>
        {matches ? 'Registered' : 'Not registered: a redirect URI must match exactly.'}
      </Verdict>
    </div>
  )
}

const Plain = ({ children }: { children: string }) => (
  <span className="min-w-0 font-mono break-all">{children}</span>
)
