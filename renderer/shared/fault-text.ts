import type { FaultMatch, FaultItem } from '../../server/contract/control-faults.ts'
import { ciDrillNames } from '../../server/contract/words/ci.ts'
import { words } from './words.ts'

/** Effect of a rule in a few words. */
export function describeFault(
  fault: Omit<FaultItem, 'id' | 'hits' | 'matches' | 'createdAt'>,
): string {
  const effects: string[] = []
  if (fault.delay) effects.push(words.delayBy(fault.delay))
  if (fault.break)
    effects.push(
      { reset: words.dropConnection, truncate: words.truncateBody, html: words.proxyErrorPage }[
        fault.break
      ],
    )
  if (fault.oauthError) effects.push(words.refuseWith(fault.oauthError))
  if (fault.status !== undefined) effects.push(words.respondWith(fault.status))
  if (fault.body !== undefined) effects.push(words.replaceBody)
  if (fault.set || fault.remove) effects.push(words.changeJson)
  if (fault.headers) effects.push(words.setHeaders)
  if (fault.lengthen) effects.push(words.lengthenTokens)
  if (fault.idToken) effects.push(words.changeIdToken)
  if (fault.redirect) effects.push(words.changeRedirect)
  if (fault.ciDrill) effects.push(words.drillIdToken(ciDrillNames[fault.ciDrill]))
  const window = [
    fault.skip ? words.skipFirst(fault.skip) : '',
    fault.times === undefined ? '' : `${fault.times}×`,
  ].filter(Boolean)
  return `${effects.join(', ') || 'nothing'}${window.length > 0 ? ` (${window.join(', ')})` : ''}`
}

export function describeMatch({
  route,
  method,
  grantType,
  clientId,
  webhookId,
}: FaultMatch): string {
  if (webhookId) return webhookId === '*' ? words.anyWebhook : words.deliveriesOf(webhookId)
  const parts = [method, route ?? words.anyRoute, grantType && words.grantOf(grantType), clientId]
  return parts.filter(Boolean).join(' ')
}
