import { useClock, useMoveClock } from '../../api/clock.ts'
import { ClockControls } from '../../shared/clock-controls.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { BrowserPanel } from './list/browser-panel.tsx'
import { KeysPanel } from './list/keys-panel.tsx'
import { ResetPanel } from './list/reset-panel.tsx'
import { SnapshotsPanel } from './list/snapshots-panel.tsx'

export function SettingsPage() {
  const clock = useClock()
  const move = useMoveClock()
  return (
    <Page title="Settings" lead="Clock, snapshots, keys and shortcuts.">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Clock" lead="Tokens, codes, retries and quotas follow it.">
            <QueryView query={clock} what="the clock">
              {(reading) => (
                <ClockControls reading={reading} busy={move.isPending} onMove={move.mutate} />
              )}
            </QueryView>
          </Panel>
          <ResetPanel />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <SnapshotsPanel />
          <KeysPanel />
          <BrowserPanel />
        </div>
      </div>
    </Page>
  )
}
