import { useWholeList } from '../../api/query.ts'
import { DeviceRow } from '../../shared/device-row.tsx'
import { Panel } from '../../ui/page.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { outcomeOf } from '../../shared/device-outcome.ts'
import { useSandboxNow } from '../../lib/sandbox-clock.ts'
import { words } from './words.ts'

/** Expired and decided codes stay visible for a while. */
const shownAfterMs = 10 * 60_000
const shownEnded = 5

/** Pending device codes with their decision, and recent outcomes. */
export function Devices() {
  const { items = [] } = useWholeList('GET device').data ?? {}
  const now = useSandboxNow()
  const pending = items.filter((device) => outcomeOf(device, now) === undefined)
  const ended = items
    .filter((device) => outcomeOf(device, now) && now - Date.parse(device.expiresAt) < shownAfterMs)
    .slice(0, shownEnded)
  if (pending.length + ended.length === 0) return null
  return (
    <Panel title={words.devices} lead={words.devicesLead}>
      <VirtualList
        label={words.devices}
        items={[...pending, ...ended]}
        itemKey={({ userCode }) => userCode}
        estimateSize={48}
        renderItem={(device) => <DeviceRow device={device} />}
      />
    </Panel>
  )
}
