import { omitUndefined } from '../../core/omit-undefined.ts'
import type { JobSpecBody } from '../../contract/hub-webhooks.ts'
import type { Issue } from '../../core/config-error.ts'
import type { SpaceVolume } from '../../store/entities/hub-entities.ts'
import type { JobSpec } from '../../store/entities/webhook-entities.ts'
import { jobFlavors } from '../../contract/words/hub-words.ts'
import { defaultFlavor } from './hardware.ts'
import { findVolumeIssues } from './job-volumes.ts'
import { isVariableName } from './variable-names.ts'

/** Limit of a spec as JSON. A script of the Python client is part of it, as base64. */
const mostSpecBytes = 256 * 1024
/** Limit of labels that replace those of a job, as JSON. */
const mostLabelBytes = 64 * 1024

/** Finds the mistakes in a job's spec, each with its path below `at`. */
export function findSpecIssues(body: JobSpecBody, at = ''): Issue[] {
  const issues: Issue[] = []
  const path = (name: string) => (at === '' ? name : `${at}.${name}`)
  const { dockerImage = '', spaceId = '', flavor } = body
  if (dockerImage === '' && spaceId === '') {
    issues.push({ path: path('dockerImage'), message: 'Give a dockerImage or a spaceId.' })
  }
  if (dockerImage !== '' && spaceId !== '') {
    issues.push({ path: path('spaceId'), message: 'Give a dockerImage or a spaceId, not both.' })
  }
  if (flavor !== undefined && !jobFlavors.some((known) => known === flavor)) {
    issues.push({
      path: path('flavor'),
      message: `Unknown flavor ${flavor}: use one of ${jobFlavors.join(', ')}.`,
    })
  }
  issues.push(
    ...findPortIssues(path('expose'), body.expose),
    ...findLabelIssues(body.labels, path('labels')),
  )
  const bytes = Buffer.byteLength(JSON.stringify(completeSpec(body)))
  if (bytes > mostSpecBytes) {
    const message = `A job is limited to ${mostSpecBytes} bytes; this one has ${bytes}.`
    issues.push({ path: at === '' ? 'job' : at, message })
  }
  for (const section of ['environment', 'secrets'] as const) {
    issues.push(...findVariableIssues(path(section), body[section]))
  }
  issues.push(...findVolumeIssues(path('volumes'), body.volumes))
  return issues
}

/** Finds labels that are too large for a job or have other characters. */
export function findLabelIssues(
  labels: Readonly<Record<string, string>> = {},
  path = 'labels',
): Issue[] {
  const isLabel = ([key, value]: [string, string]) =>
    /^[\w.-]{1,100}$/.test(key) && /^[\w.-]{0,100}$/.test(value)
  const strange = Object.entries(labels).find((label) => !isLabel(label))
  if (strange !== undefined) {
    const [key] = strange
    const message = `Invalid label ${key}: key and value have at most 100 letters, digits, dots, dashes and underscores.`
    return [{ path: `${path}.${key}`, message }]
  }
  const bytes = Buffer.byteLength(JSON.stringify(labels))
  if (bytes <= mostLabelBytes) return []
  const message = `The labels of a job are limited to ${mostLabelBytes} bytes; these have ${bytes}.`
  return [{ path, message }]
}

/** Finds a public port that is not exposed. */
export function findPortIssues(path: string, expose: JobSpecBody['expose']): Issue[] {
  const foreign = expose?.portsPublic?.find((port) => !expose.ports.includes(port))
  if (foreign === undefined) return []
  return [{ path: `${path}.portsPublic`, message: `Add ${foreign} to the ports, too.` }]
}

/** Finds invalid names of variables, each with its path below `at`. */
export function findVariableIssues(
  at: string,
  variables: Readonly<Record<string, string>> = {},
): Issue[] {
  const strange = Object.keys(variables).filter((name) => !isVariableName(name))
  return strange.map((name) => ({
    path: `${at}.${name}`,
    message: 'A variable has letters, digits and underscores, and does not begin with a digit.',
  }))
}

/** Adds the defaults to a spec without issues. */
export function completeSpec(body: JobSpecBody): JobSpec {
  const { dockerImage = '', spaceId = '', arch, volumes, attempts, expose } = body
  return {
    ...(dockerImage !== '' && { dockerImage }),
    ...(spaceId !== '' && { spaceId }),
    command: body.command ?? [],
    arguments: body.arguments ?? [],
    environment: body.environment ?? {},
    secrets: body.secrets ?? {},
    flavor: body.flavor ?? defaultFlavor,
    timeoutSeconds: body.timeoutSeconds ?? null,
    labels: body.labels ?? {},
    ...omitUndefined({ arch, volumes, attempts }),
    // The case of its digits means nothing, and ids are stored in lower case.
    ...omitUndefined({ resourceGroupId: body.resourceGroupId?.toLowerCase() }),
    ...(expose !== undefined && { expose: omitUndefined(expose) }),
    ...(body.ssh?.enabled === true && { ssh: true }),
  }
}

/** Describes a spec for responses: secrets by name only. */
export function describeSpec(stored: JobSpec) {
  const { secrets, volumes, attempts, ssh: _ssh, ...spec } = stored
  // They were checked when they were stored.
  const checked = volumes as unknown as SpaceVolume[] | undefined
  return {
    ...spec,
    ...omitUndefined({ volumes: checked }),
    ...(attempts !== undefined && { retry: attempts - 1 }),
    secrets: Object.keys(secrets),
  }
}
