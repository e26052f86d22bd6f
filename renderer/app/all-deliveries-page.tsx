import { DeliveriesPage } from '../features/deliveries/page.tsx'
import { WebhookEditor } from './webhook-editor.tsx'

/** Deliveries of all webhooks, with the webhook editor. */
export function AllDeliveriesPage({ deliveryId }: { deliveryId: string | undefined }) {
  return (
    <>
      <DeliveriesPage deliveryId={deliveryId} />
      <WebhookEditor />
    </>
  )
}
