import { useEffect, useEffectEvent } from 'react'
import { apiAddress } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { ExportLink } from '../../../shared/export-link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { useFlag } from '../../../lib/parameters.ts'
import { ForgottenRequests } from '../detail/forgotten-requests.tsx'
import { ResetEffects } from '../detail/reset-effects.tsx'
import { useReset } from '../model/requests.ts'
import { words } from '../words.ts'

export function ResetPanel() {
  const resetting = useQuestion(useReset())
  const [isAsked, setAsked] = useFlag('reset')
  const ask = useEffectEvent(() => {
    setAsked(false)
    resetting.ask()
  })
  useEffect(() => {
    if (isAsked) ask()
  }, [isAsked])
  return (
    <Panel title="State" lead={words.stateLead}>
      <div className="flex flex-wrap gap-2">
        <ExportLink href={apiAddress('GET export')} name="hub-sandbox.json">
          <Icon name="external" /> Export as fixtures
        </ExportLink>
        <ExportLink href={apiAddress('GET export', { query: { log: '1' } })} name="run.hubsandbox">
          <Icon name="external" /> Export with log
        </ExportLink>
        <Button look="danger" icon="retry" onClick={() => resetting.ask()}>
          Reset to the fixtures
        </Button>
      </div>
      <Question of={resetting} title={() => 'Reset everything?'} action="Reset">
        {() => (
          <>
            {words.resetConsequence}
            <ResetEffects />
            <ForgottenRequests />
          </>
        )}
      </Question>
    </Panel>
  )
}
