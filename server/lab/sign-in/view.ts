import { isoTime } from '../../core/time.ts'
import type { DeviceItem, SessionItem } from '../../contract/control-sign-in.ts'
import type { Session } from '../../store/entities/account-entities.ts'
import type { DeviceAuthorization } from '../../store/entities/oauth-entities.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { appRef, organizationRef, userRef, type ViewDeps } from '../../hub/access/refs.ts'

export function describeSession(deps: ViewDeps, session: Session): SessionItem {
  return {
    id: session.id,
    user: userRef(deps, session.userId),
    createdAt: isoTime(session.createdAt),
    expiresAt: isoTime(session.expiresAt),
  }
}

/** Checks whether a user may still decide. */
export function isPendingDevice(
  { clock }: Pick<ViewDeps, 'clock'>,
  { status, expiresAt }: DeviceAuthorization,
): boolean {
  return status === 'pending' && expiresAt > clock.now()
}

export function describeDevice(
  deps: ViewDeps,
  device: DeviceAuthorization,
  flowId: string | undefined,
): DeviceItem {
  const hasExpired = device.expiresAt <= deps.clock.now()
  const isOpen = device.status === 'pending' || device.status === 'approved'
  return {
    userCode: device.userCode,
    app: appRef(deps, device.clientId),
    scopes: device.scopes,
    status: hasExpired && isOpen ? 'expired' : device.status,
    ...(device.userId === undefined ? {} : { user: userRef(deps, device.userId) }),
    organizations: device.organizationIds.map((id) => organizationRef(deps, id)),
    createdAt: isoTime(device.createdAt),
    expiresAt: isoTime(device.expiresAt),
    ...omitUndefined({ flowId }),
  }
}
