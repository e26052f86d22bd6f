import type { Overview } from '../../../../server/contract/control-health.ts'
import { SignInPanel } from './sign-in-panel.tsx'
import { WaitingPanel } from './waiting-panel.tsx'
import { WebhooksPanel } from './webhooks-panel.tsx'

/** Answer to "is my app all right?". */
export function StatusPanels({ data }: { data: Overview }) {
  return (
    <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      <SignInPanel signIns={data.signIns} />
      <WebhooksPanel data={data} />
      <div className="grid min-w-0 md:max-xl:col-span-2">
        <WaitingPanel heldDeliveries={data.counts.heldDeliveries} />
      </div>
    </div>
  )
}
