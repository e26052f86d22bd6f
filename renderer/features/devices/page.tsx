import type { DeviceItem } from '../../../server/contract/control-sign-in.ts'
import { useWholeList } from '../../api/query.ts'
import { DeviceRow } from '../../shared/device-row.tsx'
import { TextInput } from '../../ui/field.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Empty, MoreThanShown, NoMatch } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { outcomeOf } from '../../shared/device-outcome.ts'
import { useParameter } from '../../lib/parameters.ts'
import { useSandboxNow } from '../../lib/sandbox-clock.ts'
import { words } from './words.ts'

export function DevicesPage() {
  const devices = useWholeList('GET device')
  return (
    <Page
      title={words.deviceCodes}
      lead="Device codes (RFC 8628). Approve or deny them here without typing the code."
    >
      <QueryView query={devices} what="device codes">
        {({ items, cut }) => (
          <>
            <DeviceList devices={items} />
            {cut && <MoreThanShown shown={items.length} />}
          </>
        )}
      </QueryView>
    </Page>
  )
}

const views = ['all', 'pending', 'past'] as const

function DeviceList({ devices }: { devices: readonly DeviceItem[] }) {
  const [view, setView] = useParameter('state', views)
  const [text, setText] = useParameter('q')
  const now = useSandboxNow()
  const pending: DeviceItem[] = []
  const past: DeviceItem[] = []
  for (const device of devices) {
    if (outcomeOf(device, now) === undefined) pending.push(device)
    else past.push(device)
  }
  // Pending codes first.
  const lists = { all: [...pending, ...past], pending, past }
  const shown = lists[view].filter((device) => wordsOf(device, now).includes(text.toLowerCase()))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <Segments
          label="State"
          value={view}
          onChange={setView}
          options={[
            { value: 'all', label: 'All', count: devices.length },
            { value: 'pending', label: 'Pending', count: pending.length },
            { value: 'past', label: 'Past', count: past.length },
          ]}
        />
        <TextInput
          type="search"
          aria-label="Filter device codes"
          placeholder="Code, app, user or scope"
          className="w-64! max-w-full"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Panel>
        {shown.length > 0 ? (
          <VirtualList
            label={words.deviceCodes}
            items={shown}
            itemKey={({ userCode }) => userCode}
            estimateSize={76}
            divided
            renderItem={(device) => <DeviceRow device={device} />}
          />
        ) : devices.length > 0 ? (
          <NoMatch
            what="device codes"
            onClear={() => {
              setView('all')
              setText('')
            }}
          />
        ) : (
          <Empty icon="screen" title="No device codes yet">
            A device requests a code at <span className="font-mono">/oauth/device</span>. Its user
            approves it in a browser, or you do here.
          </Empty>
        )}
      </Panel>
    </>
  )
}

/** Searchable texts of a device code with its state, in lower case; the code also without its hyphen. */
function wordsOf(device: DeviceItem, now: number): string {
  const { userCode, app, user, scopes } = device
  const state = outcomeOf(device, now) ?? 'pending'
  const texts = [
    state,
    userCode,
    userCode.replace('-', ''),
    app.name,
    user?.username ?? '',
    ...scopes,
  ]
  return texts.join(' ').toLowerCase()
}
