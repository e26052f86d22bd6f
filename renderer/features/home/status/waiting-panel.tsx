import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ActiveOverrides } from '../../../../server/contract/control-overrides.ts'
import { callApi } from '../../../api/client.ts'
import { useMoveClock } from '../../../api/clock.ts'
import { useOverrides } from '../../../api/overrides.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { clockWords } from '../../../shared/active-overrides-text.ts'
import { outcomeOf } from '../../../shared/device-outcome.ts'
import { DeviceRow } from '../../../shared/device-row.tsx'
import { describeMatch } from '../../../shared/fault-text.ts'
import { formatCount, plural, shorten } from '../../../lib/format.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { StatusHead } from './status-head.tsx'
import { words } from '../words.ts'

const shownDevices = 3
const shownBarriers = 3

interface WaitingPanelProps {
  heldDeliveries: number
}

/** Everything that waits for a person: devices, held requests and deliveries; and active overrides. Empty without any. */
export function WaitingPanel({ heldDeliveries }: WaitingPanelProps) {
  const overrides = useOverrides().data
  const { items: devices = [] } = useWholeList('GET device').data ?? {}
  const now = useSandboxNow()
  const pending = devices.filter((device) => outcomeOf(device, now) === undefined)
  const holding = (overrides?.barriers ?? []).filter(({ held }) => held > 0)
  const heldRequests = holding.reduce((sum, { held }) => sum + held, 0)
  const waiting = pending.length + heldRequests + heldDeliveries
  const listed = holding.slice(0, shownBarriers)
  const active = overrides === undefined ? [] : activeOverrides(overrides, listed.length)
  const overridden = overrides === undefined ? 0 : countOverrides(overrides)
  if (waiting + overridden === 0) return null
  return (
    <Panel title={words.waitingForYou}>
      <div className="flex flex-col gap-3">
        <Head waiting={waiting} active={overridden} />
        {pending.slice(0, shownDevices).map((device) => (
          <DeviceRow key={device.userCode} device={device} />
        ))}
        {pending.length > shownDevices && (
          <Link href="/devices?state=pending" className="text-sm text-accent underline">
            {`Show all ${plural(pending.length, 'device')}`}
          </Link>
        )}
        {waiting - pending.length + active.length > 0 && (
          <ul aria-label={words.waitingForYou} className="flex flex-col gap-1">
            {listed.map((barrier) => (
              <HeldRequests key={barrier.id} barrier={barrier} />
            ))}
            {heldDeliveries > 0 && (
              <Row icon="hold" text={`${plural(heldDeliveries, 'delivery', 'deliveries')} held`}>
                <ShowLink href="/deliveries?state=held" what={words.deliveries} />
              </Row>
            )}
            {active}
          </ul>
        )}
      </div>
    </Panel>
  )
}

function Head({ waiting, active }: { waiting: number; active: number }) {
  if (waiting > 0) {
    const title = `${formatCount(waiting)} waiting`
    return <StatusHead icon="hold" tone="accent" title={title} />
  }
  const title = `${plural(active, 'override')} active`
  return <StatusHead icon="warning" tone="warn" title={title} />
}

type Barrier = ActiveOverrides['barriers'][number]

function HeldRequests({ barrier: { id, match, held } }: { barrier: Barrier }) {
  const release = useWrite({
    call: () => callApi('POST barriers/:id/release', { params: { id }, body: {} }),
    changes: ['barriers', 'overrides'],
    failed: 'Could not release the requests',
  })
  const place = shorten(describeMatch(match), 40, 12)
  return (
    <Row icon="hold" text={`${plural(held, 'request')} held: ${place}`}>
      <Button size="small" busy={release.isPending} onClick={() => release.mutate()}>
        Release
        <span className="sr-only"> {place}</span>
      </Button>
    </Row>
  )
}

function countOverrides({ clock, faults, barriers }: ActiveOverrides): number {
  return (clockWords(clock).length > 0 ? 1 : 0) + faults.length + barriers.length
}

/** @param listedBarriers barriers that have a row of their own; when these are all, no row counts them */
function activeOverrides(
  { clock, faults, barriers }: ActiveOverrides,
  listedBarriers: number,
): ReactNode[] {
  const moved = clockWords(clock)
  return [
    ...(moved.length > 0 ? [<MovedClock key="clock" clock={clock} text={moved.join(', ')} />] : []),
    ...(faults.length > 0
      ? [
          <Row key="faults" icon="warning" text={`${plural(faults.length, 'fault')} active`}>
            <ShowLink href="/faults" what="faults" />
          </Row>,
        ]
      : []),
    ...(barriers.length > listedBarriers
      ? [
          <Row key="barriers" icon="hold" text={`${plural(barriers.length, 'barrier')} active`}>
            <ShowLink href="/faults" what="barriers" />
          </Row>,
        ]
      : []),
  ]
}

interface MovedClockProps {
  clock: ActiveOverrides['clock']
  text: string
}

function MovedClock({ clock, text }: MovedClockProps) {
  const move = useMoveClock()
  const returnToReal = async () => {
    if (clock.frozen) await move.mutateAsync({ frozen: false })
    await move.mutateAsync({ set: new Date().toISOString() })
  }
  return (
    <Row icon="clock" text={`Clock ${text}`}>
      <Button
        size="small"
        busy={move.isPending}
        onClick={() => void returnToReal().catch(() => undefined)}
      >
        Back to real time
      </Button>
    </Row>
  )
}

interface RowProps {
  icon: IconName
  text: string
  children: ReactNode
}

function Row({ icon, text, children }: RowProps) {
  return (
    <li className="flex items-center gap-2 text-sm">
      <Icon name={icon} className="size-4 text-warn" />
      <span className="min-w-0 flex-1 break-words">{text}</span>
      {children}
    </li>
  )
}

function ShowLink({ href, what }: { href: string; what: string }) {
  return (
    <Link href={href} className={buttonClass('plain', 'small')}>
      Show
      <span className="sr-only"> {what}</span>
    </Link>
  )
}
