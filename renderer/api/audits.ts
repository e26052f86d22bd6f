import type { AuditRunItem, StartAuditRequest } from '../../server/contract/control-audits.ts'
import type { ReportFormat } from '../../server/contract/words/advice-words.ts'
import { callApi } from './client.ts'
import { useRead, useWrite } from './query.ts'

/** Audits, the newest first; reloaded as they progress. */
export function useAudits() {
  return useRead('GET audits')
}

/** Checks whether an audit has not ended. */
export function isOpenAudit({ state }: AuditRunItem): boolean {
  return state === 'running' || state === 'waiting'
}

/** Verdicts of an audit as a file. */
export function readAuditReport(id: string, format: ReportFormat) {
  return callApi('GET audits/:id/report', { params: { id }, query: { format } })
}

export function useStartAudit() {
  return useWrite({
    call: (body: StartAuditRequest) => callApi('POST audits', { body }),
    changes: ['audits'],
  })
}

export function useContinueAudit(failed: string) {
  return useWrite({
    call: ({ id, skip }: { id: string; skip: boolean }) =>
      skip
        ? callApi('POST audits/:id/skip', { params: { id } })
        : callApi('POST audits/:id/continue', { params: { id }, body: {} }),
    changes: ['audits'],
    failed,
  })
}

export function useStopAudit(failed: string) {
  return useWrite({
    call: (id: string) => callApi('DELETE audits/:id', { params: { id } }),
    changes: ['audits'],
    failed,
  })
}
