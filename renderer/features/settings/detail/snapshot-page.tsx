import { Link } from 'wouter'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { useQuestion } from '../../../ui/question.tsx'
import { ComparisonView } from './comparison-view.tsx'
import { RestoreQuestion } from './restore-question.tsx'
import { useRestoreSnapshot, useSnapshotComparison } from '../model/requests.ts'

/** One snapshot with a preview of the changes that a restore would make. */
export function SnapshotPage({ name }: { name: string }) {
  const comparison = useSnapshotComparison(name)
  const restoring = useQuestion(useRestoreSnapshot(), () => void comparison.refetch())
  const wayOut = (
    <Link href="/settings" className={buttonClass()}>
      All snapshots
    </Link>
  )
  return (
    <Page
      title={`Snapshot ${name}`}
      lead="Preview of the changes a restore would make."
      actions={
        <>
          {wayOut}
          <Button busy={comparison.isFetching} onClick={() => void comparison.refetch()}>
            Compare again
          </Button>
          <Button look="primary" disabled={!comparison.data} onClick={() => restoring.ask(name)}>
            Restore…
          </Button>
        </>
      }
    >
      <QueryView query={comparison} what={`the snapshot ${name}`} wayOut={wayOut}>
        {(data) => <ComparisonView comparison={data} />}
      </QueryView>
      <RestoreQuestion of={restoring} />
    </Page>
  )
}
