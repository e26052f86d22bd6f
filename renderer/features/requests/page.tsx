import { Link, Redirect, useLocation } from 'wouter'
import type { RequestItem } from '../../../server/contract/control-requests.ts'
import { apiAddress, callApi } from '../../api/client.ts'
import { useReport } from '../../shared/use-report.ts'
import { words as sharedWords } from '../../shared/words.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { useParameter, useParameterText } from '../../lib/parameters.ts'
import { RequestDialog } from './detail/request-dialog.tsx'
import { Requests } from './list/requests.tsx'
import { words } from './words.ts'

/** Sign-ins were once a view of this page; bookmarks still name it. */
const views = ['', 'sign-ins'] as const

export function RequestsPage({ requestId }: { requestId: string | undefined }) {
  const [, navigate] = useLocation()
  const report = useReport()
  const [view] = useParameter('view', views)
  const [filter, setFilter] = useParameter('q')
  const search = useParameterText()
  const open = ({ id }: RequestItem) => navigate(`/requests/${id}${search}`)
  if (view === 'sign-ins') return <Redirect to="/sign-ins" replace />
  return (
    <Page
      title={words.requests}
      lead={words.lead}
      actions={
        <>
          <Link href="/sign-ins" className={buttonClass()}>
            <Icon name="flow" /> {words.bySignIn}
          </Link>
          <a
            href={apiAddress('GET requests.har')}
            download="hub-sandbox.har"
            className={buttonClass()}
          >
            <Icon name="external" /> {words.exportHar}
          </a>
          <Button
            icon="download"
            busy={report.isPending}
            title={words.reportTitle}
            onClick={() => report.mutate(() => callApi('GET report'))}
          >
            {sharedWords.htmlReport}
          </Button>
        </>
      }
    >
      <Requests filter={filter} onFilter={setFilter} onOpen={open} />
      {requestId && (
        <RequestDialog
          id={requestId}
          onClose={() => navigate(`/requests${search}`, { replace: true })}
        />
      )}
    </Page>
  )
}
