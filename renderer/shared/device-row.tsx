import { Link } from 'wouter'
import type { DeviceItem } from '../../server/contract/control-sign-in.ts'
import { type DeviceOutcome, outcomeOf } from './device-outcome.ts'
import { type Look, outcomeLooks } from './flow-looks.ts'
import { useSandboxNow } from '../lib/sandbox-clock.ts'
import { Badge } from '../ui/badge.tsx'
import { Chips } from '../ui/chips.tsx'
import { DeviceDecision } from './device-decision.tsx'
import { Moment, Countdown } from '../ui/time.tsx'
import { visibleControls } from '../lib/visible-controls.ts'

const looks: Record<DeviceOutcome, Pick<Look, 'tone' | 'icon'>> = {
  approved: outcomeLooks.completed,
  denied: outcomeLooks.denied,
  expired: outcomeLooks.expired,
}

/** Device code with its decision or outcome. */
export function DeviceRow({ device }: { device: DeviceItem }) {
  const outcome = outcomeOf(device, useSandboxNow())
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <span className="rounded-md bg-sunken px-2 py-1 font-mono text-base font-semibold tracking-wider">
        {device.userCode}
      </span>
      <div className="min-w-44 flex-1">
        <p className="break-words">{visibleControls(device.app.name)}</p>
        <Chips words={device.scopes} what="scopes" />
        <p className="text-xs text-muted">
          <DeviceState device={device} outcome={outcome} />
          {device.flowId && (
            <>
              {' · '}
              <Link
                href={`/sign-ins/${encodeURIComponent(device.flowId)}`}
                className="underline underline-offset-2"
              >
                view flow
              </Link>
            </>
          )}
        </p>
      </div>
      {outcome ? (
        <Badge tone={looks[outcome].tone} icon={looks[outcome].icon}>
          {outcome}
        </Badge>
      ) : (
        <DeviceDecision device={device} />
      )}
    </div>
  )
}

interface DeviceStateProps {
  device: DeviceItem
  outcome: DeviceOutcome | undefined
}

function DeviceState({ device, outcome }: DeviceStateProps) {
  const { status, user, organizations, createdAt, expiresAt } = device
  const by = user ? ` by ${user.username}` : ''
  switch (outcome) {
    case 'approved': {
      const names = organizations.map(({ name }) => name)
      const along = names.length > 0 ? ` with ${names.join(', ')}` : ''
      const fetched = status === 'consumed' ? 'token delivered' : 'token not requested yet'
      return `approved${by}${along}; ${fetched}`
    }
    case 'denied':
      return `denied${by}`
    case 'expired':
      return (
        <>
          expired without a decision at <Moment time={expiresAt} />
        </>
      )
    default:
      return (
        <>
          requested at <Moment time={createdAt} />, expires in <Countdown time={expiresAt} />
        </>
      )
  }
}
