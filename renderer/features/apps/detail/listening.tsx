import { Link } from 'wouter'
import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { lookOf } from '../../../shared/flow-looks.ts'
import { toneText } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Moment } from '../../../ui/time.tsx'
import { classNames } from '../../../lib/class-names.ts'

/**
 * First request of an app, and the latest, as soon as they arrive.
 * @param flows sign-ins of the app, newest first; absent while they load
 */
export function Listening({ flows }: { flows: readonly FlowItem[] | undefined }) {
  const [latest] = flows ?? []
  const first = flows?.at(-1)
  return (
    <output className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 text-sm">
      {first === undefined ? (
        <>
          <span className="pulse-live size-2 rounded-full bg-accent" />
          Listening for the first request of this app…
        </>
      ) : (
        <>
          <Icon name="check" className="size-4 text-ok" />
          <span className="min-w-0">
            <RequestLink flow={first}>First request at</RequestLink>
            {latest !== undefined && latest !== first && (
              <>
                {' · '}
                <RequestLink flow={latest}>latest at</RequestLink>
              </>
            )}
          </span>
        </>
      )}
    </output>
  )
}

function RequestLink({ flow, children }: { flow: FlowItem; children: string }) {
  const { tone, word } = lookOf(flow)
  return (
    <Link
      href={`/sign-ins/${encodeURIComponent(flow.id)}`}
      title={flow.explanation}
      className="underline underline-offset-2"
    >
      {children} <Moment time={flow.startedAt} />{' '}
      <span className={classNames('font-medium', toneText[tone])}>({word})</span>
    </Link>
  )
}
