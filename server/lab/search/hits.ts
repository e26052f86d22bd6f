import { encodeText } from '../../core/encode-text.ts'
import { isoTime } from '../../core/time.ts'
import { pathOf } from '../../core/request-target.ts'
import type { SearchHit } from '../../contract/control-search.ts'
import { maskText } from '../../core/mask.ts'
import { maskSecret } from '../../core/secrets.ts'
import type { FaultItem } from '../../contract/control-faults.ts'
import type { Flow } from '../../inspect/flows/flows.ts'
import type { RequestRecord } from '../../inspect/log/request-log.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import { ownerName } from '../../hub/collections/collections.ts'
import type { HubCollection, Repo } from '../../store/entities/hub-entities.ts'
import type { AccessToken, App, DeviceAuthorization } from '../../store/entities/oauth-entities.ts'
import type { InferenceEndpoint } from '../../store/entities/endpoint-entities.ts'
import type { Delivery, Job, ScheduledJob, Webhook } from '../../store/entities/webhook-entities.ts'
import { accountName, appRef, type ViewDeps } from '../../hub/access/refs.ts'
import { nameOfWebhook } from '../../contract/webhook-name.ts'
import { describeTarget } from '../../hub/webhooks/control-view.ts'

// Search hits and their pages in the dashboard. No path and no label contains a token or a code.

const part = encodeText

export function tokenHit(deps: ViewDeps, token: AccessToken): SearchHit {
  const note = accountName(deps, token.userId)
  return {
    kind: 'token',
    id: token.id,
    label: maskSecret(token.token),
    note,
    path: `/tokens/${part(token.id)}`,
  }
}

export function flowHit({ id, kind, records }: Flow): SearchHit {
  const note = isoTime(records[0]?.at ?? 0)
  return { kind: 'sign-in', id, label: `Sign-in by ${kind}`, note, path: `/sign-ins/${part(id)}` }
}

export function requestHit({ id, method, url, status }: RequestRecord): SearchHit {
  const label = `${method} ${maskText(pathOf(url))}`
  return { kind: 'request', id, label, note: String(status), path: `/requests/${part(id)}` }
}

export function deviceHit(
  deps: ViewDeps,
  { userCode, clientId, status }: DeviceAuthorization,
): SearchHit {
  const label = `${appRef(deps, clientId).name}, ${userCode}`
  return { kind: 'device', id: userCode, label, note: status, path: '/devices' }
}

export function userHit({ id, username, fullname }: User): SearchHit {
  return {
    kind: 'user',
    id,
    label: username,
    note: fullname,
    path: `/people/${part(username)}`,
  }
}

export function organizationHit({ id, name, fullname }: Organization): SearchHit {
  return {
    kind: 'organization',
    id,
    label: name,
    note: fullname,
    path: '/people?view=organizations',
  }
}

export function appHit({ id, name }: App): SearchHit {
  return { kind: 'app', id, label: name, note: id, path: `/apps/${part(id)}` }
}

export function repoHit({ id, type, name }: Repo): SearchHit {
  const path = `/repos/${type}/${name.split('/').map(part).join('/')}`
  return { kind: 'repo', id, label: name, note: type, path }
}

export function webhookHit(webhook: Webhook): SearchHit {
  const { id, name } = webhook
  const target = describeTarget(webhook)
  return {
    kind: 'webhook',
    id,
    label: nameOfWebhook({ name, target }),
    note: target,
    path: `/webhooks/${part(id)}/activity`,
  }
}

export function deliveryHit({ id, state }: Delivery): SearchHit {
  return {
    kind: 'delivery',
    id,
    label: `Delivery ${id}`,
    note: state,
    path: `/deliveries/${part(id)}`,
  }
}

export function jobHit({ id, stage }: Job): SearchHit {
  return { kind: 'job', id, label: `Job ${id}`, note: stage, path: `/jobs/${part(id)}` }
}

export function scheduledJobHit({ id, spec, schedule }: ScheduledJob): SearchHit {
  const label = spec.dockerImage ?? spec.spaceId ?? id
  return { kind: 'scheduled-job', id, label, note: schedule, path: '/scheduled-jobs' }
}

export function collectionHit({ state }: ViewDeps, collection: HubCollection): SearchHit {
  const { id, ownerId, title } = collection
  const note = ownerName(state, ownerId)
  return { kind: 'collection', id, label: title, note, path: `/collections/${part(id)}` }
}

export function endpointHit(deps: ViewDeps, endpoint: InferenceEndpoint): SearchHit {
  const { id, ownerId, name, model } = endpoint
  const label = `${accountName(deps, ownerId)}/${name}`
  return { kind: 'endpoint', id, label, note: model.repository, path: `/endpoints/${part(id)}` }
}

export function faultHit({ id, match }: FaultItem): SearchHit {
  const note = match.route ?? match.webhookId ?? 'any route'
  return { kind: 'fault', id, label: `Fault rule ${id}`, note, path: '/faults' }
}

export function snapshotHit(name: string): SearchHit {
  return { kind: 'snapshot', id: name, label: name, path: '/settings' }
}
