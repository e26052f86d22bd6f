import { useWholeList } from '../../api/query.ts'
import { QueryView } from '../../shared/query-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { IssueCard } from './status/issue-card.tsx'
import { words } from './words.ts'

/** All issues, of which the overview shows the first ones. */
export function IssuesPage() {
  const issues = useWholeList('GET issues')
  return (
    <Page
      title={words.issues}
      lead="Deliveries that failed or wait for a retry, grouped by webhook and cause."
    >
      <QueryView query={issues} what="issues">
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="check" title={words.noIssues}>
              Deliveries that fail show up here, grouped by cause.
            </Empty>
          ) : (
            <VirtualList
              label={words.issues}
              items={items}
              itemKey={({ id }) => id}
              renderItem={(issue) => <IssueCard issue={issue} />}
              estimateSize={170}
            />
          )
        }
      </QueryView>
    </Page>
  )
}
