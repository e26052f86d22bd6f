import type { FaultMatch, FaultItem } from '../../server/contract/control-faults.ts'

/** What a rule does, in a few words. */
export function describeFault(
  fault: Omit<FaultItem, 'id' | 'hits' | 'matches' | 'createdAt'>,
): string {
  const effects: string[] = []
  if (fault.delay) effects.push(`wait ${fault.delay}`)
  if (fault.break)
    effects.push(
      { reset: 'cut the connection', truncate: 'cut the body', html: 'answer a proxy’s page' }[
        fault.break
      ],
    )
  if (fault.oauthError) effects.push(`refuse with ${fault.oauthError}`)
  if (fault.status !== undefined) effects.push(`answer ${fault.status}`)
  if (fault.body !== undefined) effects.push('another body')
  if (fault.set || fault.remove) effects.push('change the JSON')
  if (fault.headers) effects.push('set headers')
  if (fault.idToken) effects.push('change the ID token')
  const window = [
    fault.skip ? `after ${fault.skip}` : '',
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
  if (webhookId)
    return webhookId === '*' ? 'deliveries of any webhook' : `deliveries of ${webhookId}`
  const parts = [method, route ?? 'any route', grantType && `grant ${grantType}`, clientId]
  return parts.filter(Boolean).join(' ')
}
