import type { FaultMatch, FaultItem } from '../../server/contract/control-faults.ts'
import { ciDrillNames } from '../../server/contract/words/ci-words.ts'

/** Effect of a rule in a few words. */
export function describeFault(
  fault: Omit<FaultItem, 'id' | 'hits' | 'matches' | 'createdAt'>,
): string {
  const effects: string[] = []
  if (fault.delay) effects.push(`delay by ${fault.delay}`)
  if (fault.break)
    effects.push(
      {
        reset: 'drop the connection',
        truncate: 'truncate the body',
        html: 'respond with a proxy error page',
      }[fault.break],
    )
  if (fault.oauthError) effects.push(`refuse with ${fault.oauthError}`)
  if (fault.status !== undefined) effects.push(`respond with ${fault.status}`)
  if (fault.body !== undefined) effects.push('replace the body')
  if (fault.set || fault.remove) effects.push('change the JSON')
  if (fault.headers) effects.push('set headers')
  if (fault.lengthen) effects.push('lengthen the tokens')
  if (fault.idToken) effects.push('change the ID token')
  if (fault.redirect) effects.push('change the redirect to the app')
  if (fault.ciDrill) effects.push(`ID token of the CI job: ${ciDrillNames[fault.ciDrill]}`)
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
