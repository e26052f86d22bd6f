import { useFirstStepsDismissed, useSingleKeys } from '../../../lib/browser-settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { notify } from '../../../ui/toast.tsx'

/** Settings of the dashboard that are no part of the sandbox. */
export function BrowserPanel() {
  const [singleKeys, setSingleKeys] = useSingleKeys()
  const [dismissed, setDismissed] = useFirstStepsDismissed()
  return (
    <Panel title="This browser" lead="Kept in this browser, not in the sandbox.">
      <div className="flex flex-col items-start gap-3">
        <div>
          <Switch checked={singleKeys} onChange={setSingleKeys}>
            Single-key shortcuts
          </Switch>
          <p className="text-xs text-muted">
            Keys such as t and j. Ctrl-K, arrows, Enter and Escape always work.
          </p>
        </div>
        {dismissed && (
          <Button
            onClick={() => {
              setDismissed(false)
              notify('First steps are on the Overview again')
            }}
          >
            Show first steps
          </Button>
        )}
      </div>
    </Panel>
  )
}
