import type { FlowItem } from '../../../../server/contract/control-requests.ts'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** Second line of a row: app and user, and the reason of a refusal or of unknown parties. */
export function rowText({ app, user, outcome, explanation }: FlowItem): string {
  const parties = [app?.name, user?.username].filter((name) => name !== undefined)
  const needsReason = outcome === 'refused' || parties.length === 0
  return visibleControls([...parties, ...(needsReason ? [explanation] : [])].join(' · '))
}
