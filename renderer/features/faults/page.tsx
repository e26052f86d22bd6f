import { Page } from '../../ui/page.tsx'
import { BarriersPanel } from './list/barriers-panel.tsx'
import { FaultsPanel } from './list/faults-panel.tsx'
import { words } from './words.ts'

export function FaultsPage() {
  return (
    <Page title={words.faults} lead="Delay, change or drop responses, and hold requests.">
      <div className="flex flex-col gap-4">
        <FaultsPanel />
        <BarriersPanel />
      </div>
    </Page>
  )
}
