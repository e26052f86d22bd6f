import { useRead, useWholeList } from '../../api/query.ts'
import { QueryView } from '../../shared/query-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useParameter } from '../../lib/parameters.ts'
import { Requests } from './list/requests.tsx'
import { RuleTable } from './list/rule-table.tsx'
import { modelRequests } from './model/model-requests.ts'
import { words } from './words.ts'

const views = ['log', 'rules'] as const

/** Requests to models, and the rules that their completions come from. */
export function InferencePage({ requestId }: { requestId: string | undefined }) {
  const [view, setView] = useParameter('view', views)
  const [filter, setFilter] = useParameter('q')
  return (
    <Page title="Inference log" lead={words.inferenceLead}>
      <div className="pb-3">
        <Segments
          label="View"
          value={view}
          onChange={(next) => setView(next, { push: true })}
          options={[
            { value: 'log', label: 'Requests' },
            { value: 'rules', label: words.rules },
          ]}
        />
      </div>
      {view === 'log' ? (
        <Requests filter={filter} onFilter={setFilter} openId={requestId} toModels />
      ) : (
        <Rules />
      )}
    </Page>
  )
}

function Rules() {
  const fixtures = useRead('GET fixtures')
  const requests = useWholeList('GET requests', { q: modelRequests })
  return (
    <QueryView query={fixtures} what="rules">
      {({ inference }) => (
        <QueryView query={requests} what="requests">
          {({ items }) => <RuleTable rules={inference.rules} requests={items} />}
        </QueryView>
      )}
    </QueryView>
  )
}
