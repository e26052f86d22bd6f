import { Page } from '../../ui/page.tsx'
import { BarriersPanel } from './list/barriers-panel.tsx'
import { FaultsPanel } from './list/faults-panel.tsx'

export function FaultsPage() {
  return (
    <Page
      title="Faults"
      lead="Answers that are late, wrong or missing on purpose, and requests that are held."
    >
      <div className="flex flex-col gap-4">
        <FaultsPanel />
        <BarriersPanel />
      </div>
    </Page>
  )
}
