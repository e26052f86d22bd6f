import type { Static } from 'typebox'
import type { NetworkSecurity } from '../../contract/network-security.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Organization } from '../../store/entities/account-entities.ts'
import type { Deps } from '../deps.ts'
import { recordAudit } from '../oauth/audit-log.ts'

type Settings = Static<typeof NetworkSecurity>

const usual: Settings = {
  enforceAuth: false,
  enforceIpRestriction: false,
  highRateLimits: false,
  ipRanges: [],
  blockedContents: [],
  allowedContents: [],
  keepReposMetadataVisible: false,
}

/** Settings with audit events of their own. */
const switches = [
  ['enforceAuth', 'org.settings.network.auth_enforcement', 'tokens for its networks'],
  ['enforceIpRestriction', 'org.settings.network.ip_restriction', 'access by its networks alone'],
] as const

/**
 * Returns the settings of an organization for networks.
 * @throws {Refusal} `plan_required` without the Enterprise plan
 */
export function networkSecurityOf({ name, plan, networkSecurity }: Organization): Settings {
  if (plan !== 'enterprise' && plan !== 'plus') {
    throw new Refusal('plan_required', `${name} needs an Enterprise plan for this`)
  }
  return { ...usual, ...networkSecurity }
}

/**
 * Changes the settings for networks, and records it in the audit log. The sandbox keeps and does not enforce them: all its
 * clients are on one machine.
 * @throws {Refusal} `plan_required` without the Enterprise plan
 */
export function changeNetworkSecurity(
  deps: Deps,
  {
    organization,
    actorId,
    changes,
  }: { organization: Organization; actorId: string; changes: Partial<Settings> },
): Settings {
  const before = networkSecurityOf(organization)
  const networkSecurity = { ...before, ...omitUndefined(changes) }
  deps.state.organizations.put({ ...organization, networkSecurity })
  const record = (type: string, message: string) =>
    recordAudit(deps, { organizationId: organization.id, type, message, authorId: actorId })
  let switched = 0
  for (const [member, type, what] of switches) {
    const isOn = networkSecurity[member]
    if (isOn === before[member]) continue
    switched += 1
    record(`${type}.${isOn ? 'enable' : 'disable'}`, `${isOn ? 'Enabled' : 'Disabled'} ${what}`)
  }
  if (Object.keys(changes).length > switched) {
    record('org.settings.network', 'Changed the settings for networks')
  }
  deps.bus.emit('account.changed', { kind: 'organization', id: organization.id })
  return networkSecurity
}
