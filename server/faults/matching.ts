import type { FaultMatch } from '../contract/control-faults.ts'

/** What a rule may concern: a request, or the delivery of a webhook. */
export type Subject =
  | {
      kind: 'request'
      path: string
      method: string
      clientId?: string | undefined
      grantType?: string | undefined
    }
  | { kind: 'delivery'; webhookId: string }

/** Whether a rule concerns this. A rule that names a webhook concerns deliveries only, any other requests only. */
export function matches(match: FaultMatch, subject: Subject): boolean {
  if (subject.kind === 'delivery') {
    return match.webhookId === '*' || match.webhookId === subject.webhookId
  }
  return (
    match.webhookId === undefined &&
    (match.route === undefined || fitsPattern(match.route, subject.path)) &&
    (match.method === undefined || match.method.toUpperCase() === subject.method) &&
    (match.clientId === undefined || match.clientId === subject.clientId) &&
    (match.grantType === undefined || match.grantType === subject.grantType)
  )
}

/** `*` stands for any text. */
export function fitsPattern(pattern: string, path: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return path === pattern
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  const end = path.length - last.length
  let position = first.length
  for (const part of parts) {
    const found = path.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return position <= end
}
