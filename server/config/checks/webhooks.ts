import { type Issue, joinPath } from '../issues.ts'
import type { Directory } from './directory.ts'
import { child, duplicates, type Entry, entries, texts, textOf } from './loose.ts'
import { unknownRepo } from './repos.ts'
import { own } from '../../core/own.ts'
import { findSecretProblem } from '../../webhooks/secret.ts'
import { findTargetProblem } from '../../webhooks/target.ts'

export function checkWebhooks(root: Entry, directory: Directory): Issue[] {
  const webhooks = entries(root, 'webhooks')
  return [
    ...duplicates(
      webhooks.flatMap((webhook) => texts(webhook, 'id')),
      'id',
    ),
    ...duplicates(
      webhooks
        .filter((webhook) => webhook.value['id'] === undefined)
        .filter((webhook) => webhook.value['name'] !== undefined)
        .map((webhook) => ({
          path: joinPath(webhook.path, 'name'),
          text: `${textOf(webhook, 'owner')}/${textOf(webhook, 'name')}`,
        })),
      'webhook (equal ones need an id each)',
    ),
    ...webhooks.flatMap((webhook) => [
      ...directory.users.unknown(texts(webhook, 'owner')),
      ...exactlyOne(webhook, ['url', 'job']),
      ...checkUrl(webhook),
      ...checkSecret(webhook),
      ...entries(webhook, 'watched').flatMap((watched) => checkWatched(watched, directory)),
      ...checkJobSpec(child(webhook, 'job'), directory),
    ]),
  ]
}

export function checkJobs(root: Entry, directory: Directory): Issue[] {
  const jobs = entries(root, 'jobs')
  return [
    ...duplicates(
      jobs.flatMap((job) => texts(job, 'id')),
      'id',
    ),
    ...jobs.flatMap((job) => [
      ...directory.namespaces.unknown(texts(job, 'namespace')),
      ...directory.users.unknown(texts(job, 'initiator')),
      ...checkStarter(job, directory),
      ...checkJobSpec(job, directory),
    ]),
  ]
}

/** An organization without members has nobody who could have started the job. */
function checkStarter(job: Entry, directory: Directory): Issue[] {
  const namespace = textOf(job, 'namespace') ?? ''
  const members = directory.members.get(namespace.toLowerCase())
  if (job.value['initiator'] !== undefined || members === undefined || members.size > 0) return []
  return [
    {
      path: joinPath(job.path, 'initiator'),
      message: `is missing, and ${namespace} has no member to take for it`,
    },
  ]
}

function exactlyOne({ path, value }: Entry, keys: readonly string[]): Issue[] {
  const given = keys.filter((key) => own(value, key) !== undefined)
  return given.length === 1
    ? []
    : [{ path, message: `needs exactly one of ${keys.join(' and ')}, and has ${given.length}` }]
}

function checkUrl(webhook: Entry): Issue[] {
  return texts(webhook, 'url').flatMap(({ path, text }) => {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      return [{ path, message: `must be an http or https address, not ${JSON.stringify(text)}` }]
    }
    const message = findTargetProblem(new URL(text), { ownPorts: unknownPorts })
    return message === undefined ? [] : [{ path, message }]
  })
}

/** The sandbox does not listen yet, and flags may choose another port than the file: this is told when it runs. */
const unknownPorts = () => []

/** What fits no profile. One that is changed makes no file wrong: what does not fit it is told when it runs. */
function checkSecret(webhook: Entry): Issue[] {
  return texts(webhook, 'secret').flatMap(({ path, text }) => {
    const message = findSecretProblem(text, { extraHeaders: 'none' })
    return message === undefined ? [] : [{ path, message }]
  })
}

function checkWatched(watched: Entry, directory: Directory): Issue[] {
  const type = textOf(watched, 'type') ?? ''
  switch (type) {
    case 'user':
      return directory.users.unknown(texts(watched, 'name'))
    case 'org':
      return directory.organizations.unknown(texts(watched, 'name'))
    case 'model':
    case 'dataset':
    case 'space':
      return unknownRepo(watched, 'name', type, directory.repos)
    default:
      return []
  }
}

function checkJobSpec(spec: Entry | undefined, { repos }: Directory): Issue[] {
  if (spec === undefined) return []
  return [
    ...exactlyOne(spec, ['dockerImage', 'spaceId']),
    ...unknownRepo(spec, 'spaceId', 'space', repos),
  ]
}
