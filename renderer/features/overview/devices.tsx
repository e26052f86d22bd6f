import { useState } from 'react'
import type {
  DecideDeviceRequest,
  DecidedDevice,
  DeviceItem,
  DeviceList,
} from '../../../server/contract/control-sign-in.ts'
import { useUsers } from '../../api/accounts.ts'
import { callApi, part } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/query.ts'
import { Chip } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Panel } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { Countdown } from '../../components/time.tsx'

/** Device codes that wait for a user: decided here without typing the code. */
export function PendingDevices() {
  const devices = useRead<DeviceList>('device')
  const pending = devices.data?.items.filter(({ status }) => status === 'pending') ?? []
  if (pending.length === 0) return null
  return (
    <Panel title="Devices that wait" lead="Codes of devices that ask to be let in.">
      <ul className="flex flex-col gap-2">
        {pending.map((device) => (
          <PendingDevice key={device.userCode} device={device} />
        ))}
      </ul>
    </Panel>
  )
}

function PendingDevice({ device }: { device: DeviceItem }) {
  const users = useUsers().data?.items ?? []
  const [chosen, setChosen] = useState('')
  const user = chosen || users[0]?.username || ''
  const decide = useWrite<DecideDeviceRequest, DecidedDevice>({
    call: (body) => callApi(`device/${part(device.userCode)}`, { method: 'POST', body }),
    changes: ['device', 'tokens'],
    done: 'Decided',
    failed: 'The device code could not be decided',
  })
  return (
    <li className="flex flex-wrap items-center gap-3">
      <span className="rounded-md bg-sunken px-2 py-1 font-mono text-base font-semibold tracking-wider">
        {device.userCode}
      </span>
      <span className="min-w-44 flex-1">
        <span className="mr-1.5">{device.app.name}</span>
        {device.scopes.map((scope) => (
          <Chip key={scope}>{scope}</Chip>
        ))}
        <span className="block text-xs text-muted">
          ends in <Countdown time={device.expiresAt} />
        </span>
      </span>
      <Select
        label="As"
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
    </li>
  )
}
