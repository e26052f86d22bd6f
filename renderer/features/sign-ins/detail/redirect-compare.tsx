import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Verdict } from './verdict.tsx'

type RedirectUri = NonNullable<FlowStepDetail['redirectUri']>

/** Compares the sent redirect URI with the registered ones and marks the difference. */
export function RedirectCompare({ redirectUri }: { redirectUri: RedirectUri }) {
  const { sent, matches, registered } = redirectUri
  const nearest = matches
    ? undefined
    : Math.max(0, ...registered.map(({ differsAt }) => differsAt ?? 0))
  return (
    <div className="flex flex-col gap-2 text-xs">
      <div>
        <p className="text-2xs text-muted">sent</p>
        <Marked text={sent} from={nearest} />
      </div>
      <div>
        <p className="text-2xs text-muted">
          registered
          {registered.length === 0 && ': none'}
        </p>
        <ul className="flex flex-col gap-1">
          {registered.map((uri) => (
            <li key={uri.value} className="flex items-start gap-1.5">
              <Icon
                name={uri.matches ? 'check' : 'minus'}
                className={uri.matches ? 'size-3.5 text-ok' : 'size-3.5 text-faint'}
              />
              <span className="sr-only">{uri.matches ? 'fits: ' : 'differs: '}</span>
              <Marked text={uri.value} from={uri.matches ? undefined : uri.differsAt} />
            </li>
          ))}
        </ul>
      </div>
      <Verdict holds={matches}>
        {matches ? 'Registered' : 'Not registered: a redirect URI must match exactly.'}
      </Verdict>
    </div>
  )
}

/** @param from first character that differs */
function Marked({ text, from }: { text: string; from: number | undefined }) {
  const differs = from !== undefined && from < text.length
  return (
    <span className="min-w-0 font-mono break-all">
      {differs ? text.slice(0, from) : text}
      {differs && (
        <mark className="rounded-sm bg-bad-soft text-bad underline decoration-2 underline-offset-2">
          {text.slice(from)}
        </mark>
      )}
    </span>
  )
}
