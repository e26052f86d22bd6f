import type { ReactNode } from 'react'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { SignInPanel } from './sign-in-panel.tsx'
import { WaitingPanel } from './waiting-panel.tsx'
import { WebhooksPanel } from './webhooks-panel.tsx'

interface StatusPanelsProps {
  data: Overview
  newestDeliveries: ReactNode
  newestTokens: ReactNode
}

const column = 'scroll-quiet min-w-0 xl:overflow-y-auto'

/** Shows the last sign-in, the newest deliveries and tokens, and above them everything that waits for a person. */
export function StatusPanels({ data, newestDeliveries, newestTokens }: StatusPanelsProps) {
  return (
    <>
      <WaitingPanel heldDeliveries={data.counts.heldDeliveries} />
      {/* In a wide window each column scrolls by itself, so that all of them stay in sight. */}
      <div className="grid gap-4 md:grid-cols-2 xl:min-h-72 xl:flex-1 xl:grid-cols-[1.1fr_1.1fr_1fr] xl:grid-rows-1">
        <div className={column}>
          <SignInPanel signIns={data.signIns} />
        </div>
        <div className={column}>
          <WebhooksPanel data={data} />
        </div>
        <div
          className={`flex flex-col gap-4 md:max-xl:col-span-2 md:max-xl:flex-row md:max-xl:*:flex-1 ${column}`}
        >
          {newestDeliveries}
          {newestTokens}
        </div>
      </div>
    </>
  )
}
