import { DeliveriesPage } from '../features/deliveries/page.tsx'
import { WebhookEditor } from './webhook-editor.tsx'

/** The deliveries of every webhook, each of which can be edited from what it was sent. */
export function AllDeliveriesPage({ deliveryId }: { deliveryId: string | undefined }) {
  return (
    <>
      <DeliveriesPage deliveryId={deliveryId} />
      <WebhookEditor />
    </>
  )
}
