import { permit } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { findNamedOrganization } from './named-organization.ts'
import { isoTime } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { avatarUrl } from '../access/account-facts.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Organization } from '../../store/entities/account-entities.ts'
import type { AuditRow } from '../../store/entities/oauth-entities.ts'

/** Origin of a request, as recorded in an audit log. */
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
  const stored = state.auditRows.put({
    ...row,
    id: ids.of('audit row').objectId(),
    createdAt: clock.now(),
  })
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

/** Row of the export. */
export interface AuditEntry {
  _id: string
  createdAt: string
  type: string
  message: string
  author: {
    type: 'user' | 'system'
    /** All zeros for the system. */
    _id: string
    /** `system` for the system; `deleted` for a deleted user, whose name is not stored. */
    user: string
    avatarUrl: string
    deleted?: true
  }
  data?: Record<string, unknown>
  ip?: string
  userAgent?: string
  token?: { type: 'access_token'; id: string; role?: string; last4?: string; deleted: boolean }
  oauth?: { clientId: string; name?: string }
}

const exportLimit = 100_000

interface ExportRequest {
  principal: Principal
  /** Name of the organization. */
  name: string
  /** Filters for {@link exportAuditLog}, not yet validated. */
  query: unknown
  /** Root of the avatar URLs. */
  root: string
}

/**
 * Returns the audit log of an organization to a user with access to it.
 * @throws {Refusal} `not_found`; as {@link permit}; `invalid` for invalid filters
 */
export function requestAuditLog(deps: Deps, request: ExportRequest): AuditEntry[] {
  const { principal, name, query, root } = request
  const organization = findNamedOrganization(deps, name)
  permit(deps, principal, { action: 'audit-log.read', ownerId: organization.id })
  if (typeof query !== 'string') throw new Refusal('invalid', 'Send all filters in a single q.')
  return exportAuditLog(deps, { organization, query, root })
}

/**
 * Returns the audit log of an organization, newest first.
 * @param query `author:alice ip:127.0.0.1 type:oauth.token`; all filters must match; a filter may be repeated
 * @param root root of the avatar URLs
 * @throws {Refusal} `invalid` for an unknown filter
 */
export function exportAuditLog(
  deps: Pick<Deps, 'state'>,
  { organization, query, root }: { organization: Organization; query: string; root: string },
): AuditEntry[] {
  const filters = readFilters(query)
  return deps.state.auditRows
    .group('organization', organization.id)
    .toReversed()
    .map((row) => describeAuditRow(deps, row, root))
    .filter(
      (entry) =>
        matches(filters.get('author'), entry.author.user) &&
        matches(filters.get('ip'), entry.ip) &&
        matches(filters.get('type'), entry.type),
    )
    .slice(0, exportLimit)
}

function readFilters(query: string): Map<string, Set<string>> {
  const filters = new Map<string, Set<string>>()
  for (const part of query.split(/\s+/).filter((text) => text !== '')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(colon, 0))
    if (!['author', 'ip', 'type'].includes(name)) {
      throw new Refusal(
        'invalid',
        `Unknown filter ${JSON.stringify(part)}; use author:, ip: and type:.`,
      )
    }
    filters.set(name, (filters.get(name) ?? new Set()).add(part.slice(colon + 1)))
  }
  return filters
}

function matches(wanted: ReadonlySet<string> | undefined, value: string | undefined): boolean {
  return wanted === undefined || (value !== undefined && wanted.has(value))
}

function describeAuditRow(deps: Pick<Deps, 'state'>, row: AuditRow, root: string): AuditEntry {
  const token = row.tokenId === undefined ? undefined : deps.state.tokens.get(row.tokenId)
  const app = row.clientId === undefined ? undefined : deps.state.apps.get(row.clientId)
  return {
    _id: row.id,
    createdAt: isoTime(row.createdAt),
    type: row.type,
    message: row.message,
    author: describeAuthor(deps, row.authorId, root),
    ...omitUndefined({ data: row.data, ip: row.ip, userAgent: row.userAgent }),
    ...(row.tokenId === undefined
      ? {}
      : {
          token: {
            type: 'access_token' as const,
            id: row.tokenId,
            deleted: token === undefined || token.revokedAt !== undefined,
            ...(token?.role === undefined ? {} : { role: token.role }),
            ...(token === undefined ? {} : { last4: token.token.slice(-4) }),
          },
        }),
    ...(row.clientId === undefined
      ? {}
      : {
          oauth: {
            clientId: row.clientId,
            ...(app === undefined ? {} : { name: app.name }),
          },
        }),
  }
}

function describeAuthor(
  deps: Pick<Deps, 'state'>,
  id: string | undefined,
  root: string,
): AuditEntry['author'] {
  const named = (user: string, own?: string) => ({ user, avatarUrl: avatarUrl(root, user, own) })
  if (id === undefined) return { type: 'system', _id: '0'.repeat(24), ...named('system') }
  const user = deps.state.users.get(id)
  return user === undefined
    ? { type: 'user', _id: id, ...named('deleted'), deleted: true }
    : { type: 'user', _id: id, ...named(user.username, user.avatarUrl) }
}
