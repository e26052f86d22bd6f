import { omitUndefined } from '../../core/omit-undefined.ts'
import type {
  Delivery,
  DeliveryBody,
  Job,
  JobSpec,
  Webhook,
} from '../../state/entities/webhooks.ts'
import { hardwareEnvironment } from './hardware.ts'
import { isSetBySandbox } from './variable-names.ts'

/** What a webhook tells its job: the documented variables, all of them the sandbox's. */
const ofWebhook = new Set([
  'WEBHOOK_PAYLOAD',
  'WEBHOOK_REPO_ID',
  'WEBHOOK_REPO_TYPE',
  'WEBHOOK_ID',
  'WEBHOOK_SECRET',
])

type Variables = Record<string, string>

/** What a webhook's job is started with: the spec and, of the delivery, the documented variables. */
export function specForDelivery(
  spec: JobSpec,
  { webhook, delivery, body }: { webhook: Webhook; delivery: Delivery; body: DeliveryBody },
): JobSpec {
  return {
    ...spec,
    environment: {
      ...pick(spec.environment, (name) => !ofWebhook.has(name)),
      WEBHOOK_PAYLOAD: body.body,
      WEBHOOK_REPO_ID: delivery.repo,
      WEBHOOK_REPO_TYPE: delivery.repoType,
      WEBHOOK_ID: delivery.messageId,
    },
    secrets: {
      ...pick(spec.secrets, (name) => !ofWebhook.has(name)),
      ...omitUndefined({ WEBHOOK_SECRET: webhook.secret }),
    },
  }
}

export interface ProcessEnvironment {
  variables: Variables
  /** What the job's log should say of names that did not become variables. */
  remarks: string[]
}

/**
 * The environment of a job's process: what the sandbox tells it, and nothing of the sandbox's own. A shell, a loader or
 * an interpreter can be made to run something by variables that nobody can list, so of the names that an API call chose
 * only those become variables that whoever started the sandbox has allowed. All are in `JOB_ENVIRONMENT` and
 * `JOB_SECRETS`, as JSON.
 */
export function environmentOf(job: Job, allowed: readonly string[]): ProcessEnvironment {
  const { environment, secrets } = job.spec
  const isTold = (name: string) => job.ofWebhook === true && ofWebhook.has(name)
  const isOwn = (name: string) => !isTold(name)
  const isAllowed = (name: string) => allowed.includes(name)
  const [asked, askedSecrets] = [pick(environment, isOwn), pick(secrets, isOwn)]
  const leftOut = Object.keys({ ...asked, ...askedSecrets }).filter((name) => !isAllowed(name))
  return {
    variables: {
      ...pick(environment, isAllowed),
      ...pick(secrets, isAllowed),
      ...pick(environment, isTold),
      ...pick(secrets, isTold),
      ...hardwareEnvironment(job.spec.flavor),
      JOB_ID: job.id,
      JOB_COMMAND: JSON.stringify(job.spec.command),
      JOB_ARGUMENTS: JSON.stringify(job.spec.arguments),
      JOB_ENVIRONMENT: JSON.stringify(asked),
      JOB_SECRETS: JSON.stringify(askedSecrets),
    },
    remarks: remarksOn(leftOut),
  }
}

function remarksOn(leftOut: readonly string[]): string[] {
  if (leftOut.length === 0) return []
  const possible = leftOut.filter((name) => !isSetBySandbox(name))
  const advice =
    possible.length === 0
      ? 'Names of this kind are set by the sandbox alone.'
      : `Start the sandbox with --run-jobs-env ${possible.join(',')} to have them set.`
  return [
    `Not set as variables, but given as JSON in JOB_ENVIRONMENT and JOB_SECRETS: ${leftOut.join(', ')}. ${advice}`,
  ]
}

function pick(variables: Variables, isWanted: (name: string) => boolean): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isWanted(name)))
}
