import { useOverview } from '../../api/overview.ts'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Timeline } from './list/timeline.tsx'
import { words } from './words.ts'

/** Everything that happened, over time. */
export function ActivityPage() {
  const overview = useOverview()
  return (
    <Page
      title={words.timeline}
      lead="Everything that happened; failures of one cause are one line."
    >
      <QueryView query={overview} what="the activity">
        {({ requestDensity }) => <Timeline density={requestDensity} />}
      </QueryView>
    </Page>
  )
}
