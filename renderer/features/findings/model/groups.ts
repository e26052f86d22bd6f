import { nameOfWebhook } from '../../../../server/contract/webhook-name.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'
import type { AdviceFinding } from '../../../../server/contract/control-advice.ts'

type WebhookName = (id: string, otherwise: string) => string

/** Findings of one app or webhook. */
export interface FindingGroup {
  /** Client id, webhook id, or an empty text. */
  key: string
  name: string
  /** Page of the app or webhook. */
  path?: string
  certain: AdviceFinding[]
  likely: AdviceFinding[]
}

/**
 * Groups findings by app and webhook, in their order.
 * @param webhookName name of a webhook among all, which tells apart those of one host
 */
export function groupFindings(
  findings: readonly AdviceFinding[],
  webhookName?: WebhookName,
): FindingGroup[] {
  const groups = new Map<string, FindingGroup>()
  for (const finding of findings) {
    const head = subjectOf(finding, webhookName)
    const group = groups.get(head.key) ?? { ...head, certain: [], likely: [] }
    groups.set(head.key, group)
    group[finding.certainty].push(finding)
  }
  return [...groups.values()]
}

/** App or webhook that a finding is about. */
export function subjectOf(
  { app, webhook }: AdviceFinding,
  webhookName: WebhookName = (_, otherwise) => visibleControls(otherwise),
) {
  if (app !== undefined) {
    const path = `/apps/${encodeURIComponent(app.clientId)}`
    return { key: app.clientId, name: visibleControls(app.name ?? app.clientId), path }
  }
  if (webhook !== undefined) {
    const { id, name: given, url } = webhook
    const name = webhookName(id, nameOfWebhook({ name: given, target: url ?? id }))
    return { key: webhook.id, name, path: `/webhooks/${webhook.id}/activity` }
  }
  return { key: '', name: 'Clients without an app' }
}
