import type { StartAuditRequest } from '../../../../server/contract/control-audits.ts'
import type { DeliveryProfileName } from '../../../../server/contract/words/webhook-words.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'

/** Plans of a receiver audit; the storm is a drill of its own. */
export const receiverPlans = ['core', 'full', 'storm'] as const

/** Fields of an audit of a receiver. */
export interface AuditForm {
  plan: (typeof receiverPlans)[number]
  event: string
  /** Empty: the one of the sandbox. */
  profile: DeliveryProfileName | ''
  effects: string
  orders: string
  events: string
  seed: string
}

export const emptyAuditForm: AuditForm = {
  plan: 'core',
  event: 'repo.content.update',
  profile: '',
  effects: '',
  orders: '',
  events: '',
  seed: '',
}

/** Fields that show their own errors. */
export const auditFieldPaths = ['effects', 'storm.orders', 'storm.events', 'storm.seed']

/** Empty fields keep their defaults. */
export function auditRequestOf(webhookId: string, form: AuditForm): StartAuditRequest {
  const { plan, event, profile, effects, orders, events, seed } = form
  return omitUndefined({
    kind: 'receiver' as const,
    webhookId,
    event,
    profile: profile === '' ? undefined : profile,
    effects: effects.trim() || undefined,
    ...(plan === 'storm'
      ? {
          storm: omitUndefined({
            orders: numberOf(orders),
            events: numberOf(events),
            seed: seed.trim() || undefined,
          }),
        }
      : { plan }),
  })
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}
