import type { TriggerResult } from '../../server/contract/control-events.ts'
import { notify } from '../ui/toast.tsx'
import { describeDeliveries, linkToDeliveries } from './trigger-outcome.ts'

/** Says who received a triggered event, with a link to exactly these deliveries. */
export function notifyTrigger(
  title: string,
  result: TriggerResult,
  webhookName: (id: string) => string,
): void {
  notify(title, describeDeliveries(result, webhookName), linkToDeliveries(result))
}
