import { valueOfKey, withKey } from '../../../../server/contract/query/edit-query.ts'

const hasKey = (text: string, key: string) => valueOfKey('deliveries', text, key) !== ''

export function hasSpan(text: string): boolean {
  return hasKey(text, 'from') || hasKey(text, 'to')
}

/** Removes the time limits of a query. */
export function withoutSpan(text: string): string {
  return withKey('deliveries', withKey('deliveries', text, 'from', ''), 'to', '')
}

/** Replaces the time limits of a query; both are inclusive, in milliseconds since 1970. */
export function withSpan(text: string, from: number, to: number): string {
  const start = new Date(Math.floor(from)).toISOString()
  const end = new Date(Math.ceil(to)).toISOString()
  return withKey('deliveries', withKey('deliveries', withoutSpan(text), 'from', start), 'to', end)
}
