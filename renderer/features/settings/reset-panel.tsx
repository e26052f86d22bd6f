import { useState } from 'react'
import { Button, buttonClass } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Panel } from '../../components/page.tsx'
import { ForgottenRequests } from './forgotten-requests.tsx'
import { useReset } from './settings-requests.ts'

export function ResetPanel() {
  const [confirming, setConfirming] = useState(false)
  const reset = useReset()
  return (
    <Panel
      title="State"
      lead="What there is now, as a fixtures file; or back to the one it began with."
    >
      <div className="flex flex-wrap gap-2">
        <a
          href={`${import.meta.env.BASE_URL}api/export`}
          download="hub-sandbox.json"
          className={buttonClass()}
        >
          <Icon name="external" /> Export as fixtures
        </a>
        <Button look="danger" icon="retry" onClick={() => setConfirming(true)}>
          Reset to the fixtures
        </Button>
      </div>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title="Reset everything?"
        action="Reset"
        busy={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSuccess: () => setConfirming(false) })}
      >
        Tokens, sessions, deliveries, faults and the clock go back to how the fixtures have them.
        Snapshots stay.
        <ForgottenRequests />
      </Confirm>
    </Panel>
  )
}
