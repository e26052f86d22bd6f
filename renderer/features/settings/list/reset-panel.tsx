import { apiAddress } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { ExportLink } from '../../../shared/export-link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { ForgottenRequests } from '../detail/forgotten-requests.tsx'
import { useReset } from '../model/requests.ts'

export function ResetPanel() {
  const resetting = useQuestion(useReset())
  return (
    <Panel
      title="State"
      lead="What there is now, as a fixtures file, alone or with requests, sign-ins and deliveries (credentials of elsewhere masked); or back to the one it began with."
    >
      <div className="flex flex-wrap gap-2">
        <ExportLink href={apiAddress('GET export')} name="hub-sandbox.json">
          <Icon name="external" /> Export as fixtures
        </ExportLink>
        <ExportLink href={apiAddress('GET export', { query: { log: '1' } })} name="run.hubsandbox">
          <Icon name="external" /> Export with what happened
        </ExportLink>
        <Button look="danger" icon="retry" onClick={() => resetting.ask()}>
          Reset to the fixtures
        </Button>
      </div>
      <Question of={resetting} title={() => 'Reset everything?'} action="Reset">
        {() => (
          <>
            Tokens, sessions, deliveries, faults and the clock go back to how the fixtures have
            them. Snapshots and the signing key stay.
            <ForgottenRequests />
          </>
        )}
      </Question>
    </Panel>
  )
}
