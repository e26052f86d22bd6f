import type { RequestRecord } from './request-log.ts'

/** Checks whether a fault rule changed the response. Logs of earlier versions do not list the changes. */
export function isTouched({ faultId, faultChanges }: RequestRecord): boolean {
  return faultId !== undefined && faultChanges?.length !== 0
}

/** Checks whether the response is an error because of a fault rule, rather than one that the rule only delayed. */
export function isRefusedByFault({ faultId, faultRefused }: RequestRecord): boolean {
  return faultId !== undefined && faultRefused !== false
}

/** Lists the changes to several responses, each once. */
export function changesOf(records: readonly RequestRecord[]): string[] {
  return [...new Set(records.flatMap(({ faultChanges = [] }) => faultChanges))]
}

/** Describes the changes: `A fault changed this response: delayed by 2s.` */
export function faultSentence(record: RequestRecord): string {
  const changes = changesOf([record])
  return `A fault changed this response${changes.length === 0 ? '' : `: ${changes.join('; ')}`}.`
}
