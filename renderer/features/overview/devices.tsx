import { useState } from 'react'
import type { DecideDeviceRequest, DeviceItem } from '../../../server/contract/control-sign-in.ts'
import { useUsers } from '../../api/accounts.ts'
import { callApi } from '../../api/client.ts'
import { useWholeList, useWrite } from '../../api/query.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Chips } from '../../components/chips.tsx'
import { Panel } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { Ago, Countdown } from '../../components/time.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { useSandboxNow } from '../../lib/sandbox-clock.ts'

/** Ended ones stay in sight for a while, so that one sees what became of them. */
const shownAfterMs = 10 * 60_000
const shownEnded = 5

/** Device codes: decided here without typing the code, and what became of them. */
export function Devices() {
  const { items = [] } = useWholeList('GET device').data ?? {}
  const now = useSandboxNow()
  const pending = items.filter((device) => outcomeOf(device, now) === undefined)
  const ended = items
    .filter((device) => outcomeOf(device, now) && now - Date.parse(device.expiresAt) < shownAfterMs)
    .slice(0, shownEnded)
  if (pending.length + ended.length === 0) return null
  return (
    <Panel title="Devices" lead="Codes of devices that ask to be let in.">
      <VirtualList
        label="Devices"
        items={[...pending, ...ended]}
        itemKey={({ userCode }) => userCode}
        estimateSize={48}
        renderItem={(device) => <Device device={device} outcome={outcomeOf(device, now)} />}
      />
    </Panel>
  )
}

type Outcome = Exclude<DeviceItem['status'], 'pending' | 'consumed'>

const outcomes = {
  approved: { tone: 'ok', icon: 'check' },
  denied: { tone: 'bad', icon: 'cross' },
  expired: { tone: 'neutral', icon: 'clock' },
} as const

/** On the sandbox clock: a code ends before the eyes. `undefined` while it waits. */
function outcomeOf({ status, expiresAt }: DeviceItem, now: number): Outcome | undefined {
  if (status === 'approved' || status === 'consumed') return 'approved'
  if (status === 'denied' || status === 'expired') return status
  return Date.parse(expiresAt) <= now ? 'expired' : undefined
}

function Device({ device, outcome }: { device: DeviceItem; outcome: Outcome | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-1.5">
      <span className="rounded-md bg-sunken px-2 py-1 font-mono text-base font-semibold tracking-wider">
        {device.userCode}
      </span>
      <div className="min-w-44 flex-1">
        <p className="break-words">{device.app.name}</p>
        <Chips words={device.scopes} what="scopes" />
        <p className="text-xs text-muted">
          <DeviceState device={device} outcome={outcome} />
        </p>
      </div>
      {outcome ? (
        <Badge tone={outcomes[outcome].tone} icon={outcomes[outcome].icon}>
          {outcome}
        </Badge>
      ) : (
        <Decision device={device} />
      )}
    </div>
  )
}

function DeviceState({ device, outcome }: { device: DeviceItem; outcome: Outcome | undefined }) {
  const by = device.user && ` by ${device.user.username}`
  switch (outcome) {
    case 'approved':
      return device.status === 'consumed'
        ? `allowed${by ?? ''}; the device has its token`
        : `allowed${by ?? ''}; the device has not asked again yet`
    case 'denied':
      return `denied${by ?? ''}`
    case 'expired':
      return (
        <>
          nobody answered; ended <Ago time={device.expiresAt} />
        </>
      )
    default:
      return (
        <>
          ends in <Countdown time={device.expiresAt} />
        </>
      )
  }
}

function Decision({ device }: { device: DeviceItem }) {
  const users = useUsers().data?.items ?? []
  const [chosen, setChosen] = useState('')
  const user = chosen || users[0]?.username || ''
  const decide = useWrite({
    call: (body: DecideDeviceRequest) =>
      callApi('POST device/:userCode', { params: { userCode: device.userCode }, body }),
    changes: ['device', 'tokens'],
    failed: 'The device code could not be decided',
  })
  return (
    <span className="flex flex-wrap gap-1.5">
      <Select
        label="As"
        className="max-w-40"
        value={user}
        onChange={setChosen}
        options={users.map(({ username }) => ({ value: username, label: username }))}
      />
      <Button
        look="primary"
        disabled={!user || decide.isPending}
        onClick={() => decide.mutate({ user, decision: 'approve' })}
      >
        Approve
      </Button>
      <Button
        disabled={!user || decide.isPending}
        onClick={() => decide.mutate({ user, decision: 'deny' })}
      >
        Deny
      </Button>
    </span>
  )
}
