import type { Deps } from '../core/deps.ts'
import type { AuditRow } from '../state/entities/oauth.ts'

/** Where a request came from, as far as an audit log tells. */
export interface RequestOrigin {
  ip?: string
  userAgent?: string
}

/** Adds a row to an organization's audit log and drops the oldest beyond the cap. */
export function recordAudit(
  deps: Pick<Deps, 'state' | 'clock' | 'ids' | 'bus' | 'settings'>,
  row: Omit<AuditRow, 'id' | 'createdAt'>,
): AuditRow {
  const { state, clock, ids, bus, settings } = deps
  const stored = state.auditRows.put({ ...row, id: ids.objectId(), createdAt: clock.now() })
  while (state.auditRows.size > settings.caps.auditRows) {
    const oldest = state.auditRows.first()
    if (oldest === undefined) break
    state.auditRows.delete(oldest.id)
  }
  bus.emit('audit.recorded', {
    organizationId: stored.organizationId,
    auditId: stored.id,
    type: stored.type,
  })
  return stored
}
