import type { TriggerRequest } from '../../../../server/contract/control-events.ts'

const storageKey = 'hub-sandbox-last-triggers'
const kept = 5

function isRequestList(value: unknown): value is TriggerRequest[] {
  return (
    Array.isArray(value) &&
    value.every(
      (item: unknown) =>
        typeof item === 'object' && item !== null && 'event' in item && 'repo' in item,
    )
  )
}

export function readLastTriggers(): TriggerRequest[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return isRequestList(value) ? value : []
  } catch (error) {
    // Ignores invalid stored data.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

export function rememberTrigger(request: TriggerRequest): void {
  const text = JSON.stringify(request)
  const others = readLastTriggers().filter((known) => JSON.stringify(known) !== text)
  localStorage.setItem(storageKey, JSON.stringify([request, ...others].slice(0, kept)))
}
