import { useFirstStepsDismissed, useSingleKeys } from '../../../lib/browser-settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { notify } from '../../../ui/toast.tsx'
import { words } from '../words.ts'

/** Settings of the dashboard that are no part of the sandbox. */
export function BrowserPanel() {
  const [singleKeys, setSingleKeys] = useSingleKeys()
  const [dismissed, setDismissed] = useFirstStepsDismissed()
  return (
    <Panel title={words.browser} lead={words.browserLead}>
      <div className="flex flex-col items-start gap-3">
        <div>
          <Switch checked={singleKeys} onChange={setSingleKeys}>
            {words.singleKeys}
          </Switch>
          <p className="text-xs text-muted">{words.singleKeysHint}</p>
        </div>
        {dismissed && (
          <Button
            onClick={() => {
              setDismissed(false)
              notify(words.firstStepsBack)
            }}
          >
            {words.showFirstSteps}
          </Button>
        )}
      </div>
    </Panel>
  )
}
