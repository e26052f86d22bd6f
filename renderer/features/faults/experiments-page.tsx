import { Page } from '../../ui/page.tsx'
import { ExperimentsPanel } from './list/experiments-panel.tsx'
import { words } from './words.ts'

export function ExperimentsPage() {
  return (
    <Page title="Experiments" lead={words.experimentsLead}>
      <ExperimentsPanel />
    </Page>
  )
}
