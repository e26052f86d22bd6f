import { Link, Redirect } from 'wouter'
import { apiAddress, callApi } from '../../api/client.ts'
import { useReport } from '../../shared/use-report.ts'
import { words as sharedWords } from '../../shared/words.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { useParameter } from '../../lib/parameters.ts'
import { Requests } from './list/requests.tsx'
import { words } from './words.ts'

/** Sign-ins were once a view of this page; bookmarks still name it. */
const views = ['', 'sign-ins'] as const

export function RequestsPage({ requestId }: { requestId: string | undefined }) {
  const report = useReport()
  const [view] = useParameter('view', views)
  const [filter, setFilter] = useParameter('q')
  if (view === 'sign-ins') return <Redirect to="/sign-ins" replace />
  return (
    <Page
      title={words.requests}
      lead="Every request, with the reason if it was refused."
      actions={
        <>
          <Link href="/sign-ins" className={buttonClass()}>
            <Icon name="flow" /> By sign-in
          </Link>
          <a
            href={apiAddress('GET requests.har')}
            download="hub-sandbox.har"
            className={buttonClass()}
          >
            <Icon name="external" /> Export HAR
          </a>
          <Button
            icon="download"
            busy={report.isPending}
            title="All sign-ins, deliveries and requests as one file, with secrets masked"
            onClick={() => report.mutate(() => callApi('GET report'))}
          >
            {sharedWords.htmlReport}
          </Button>
        </>
      }
    >
      <Requests filter={filter} onFilter={setFilter} openId={requestId} />
    </Page>
  )
}
