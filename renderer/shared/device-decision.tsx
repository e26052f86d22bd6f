import { useState } from 'react'
import type { DecideDeviceRequest, DeviceItem } from '../../server/contract/control-sign-in.ts'
import { useOrganizations, useUsers } from '../api/accounts.ts'
import { callApi } from '../api/client.ts'
import { useWrite } from '../api/query.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import { Toggles } from '../ui/toggles.tsx'

/** Approves or denies a device code as a user, with selected organizations. */
export function DeviceDecision({ device }: { device: DeviceItem }) {
  const users = useUsers().data?.items ?? []
  const [chosenUser, setChosenUser] = useState('')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const user = chosenUser || users[0]?.username || ''
  const own = useOwnOrganizations(user)
  const decide = useWrite({
    call: (body: DecideDeviceRequest) =>
      callApi('POST device/:userCode', { params: { userCode: device.userCode }, body }),
    changes: ['device', 'tokens'],
    failed: 'Could not approve or deny the device code',
  })
  const organizations = ticked.filter((name) => own.includes(name))
  return (
    <span className="flex max-w-full flex-wrap items-center gap-1.5">
      {own.length > 0 && (
        <Toggles
          label={`Organizations of ${user}`}
          options={own}
          chosen={organizations}
          onChange={setTicked}
        />
      )}
      <Select
        label="As"
        className="max-w-40"
        value={user}
        onChange={setChosenUser}
        options={users.map(({ username }) => ({ value: username, label: username }))}
      />
      <Button
        look="primary"
        busy={decide.isPending}
        disabled={!user}
        onClick={() => decide.mutate({ user, decision: 'approve', organizations })}
      >
        Approve
      </Button>
      <Button
        busy={decide.isPending}
        disabled={!user}
        onClick={() => decide.mutate({ user, decision: 'deny' })}
      >
        Deny
      </Button>
    </span>
  )
}

function useOwnOrganizations(username: string): string[] {
  const organizations = useOrganizations().data?.items ?? []
  return organizations
    .filter(({ members }) => members.some(({ user }) => user.username === username))
    .map(({ name }) => name)
}
