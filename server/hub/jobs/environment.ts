import { clientVariables } from '../../contract/client-settings.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Settings } from '../../core/settings.ts'
import type {
  Delivery,
  DeliveryBody,
  Job,
  JobSpec,
  Webhook,
} from '../../store/entities/webhook-entities.ts'
import { hardwareEnvironment } from './hardware.ts'
import { isSetBySandbox } from './variable-names.ts'

/** Documented variables of a webhook's job; the sandbox sets them all. */
const ofWebhook = new Set([
  'WEBHOOK_PAYLOAD',
  'WEBHOOK_REPO_ID',
  'WEBHOOK_REPO_TYPE',
  'WEBHOOK_ID',
  'WEBHOOK_SECRET',
])

type Variables = Record<string, string>

/** Builds the spec of a webhook's job: its own spec and the documented variables of the delivery. */
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
  /** Lines for the job's log about names that did not become variables. */
  remarks: string[]
}

type ClientRelevant = Pick<Settings, 'baseUrl' | 'largeFiles'>

/**
 * Builds the environment of a job's process; nothing of the sandbox's own environment is passed on. Variables can make a
 * shell, a loader or an interpreter run code, so a name from an API call becomes a variable only if the user who started
 * the sandbox has allowed it. All are in `JOB_ENVIRONMENT` and `JOB_SECRETS`, as JSON.
 * @param options.allowed names that a job may set
 * @param options.settings of the sandbox, so that the job's clients find it instead of the Hub
 */
export function environmentOf(
  job: Job,
  { allowed, settings }: { allowed: readonly string[]; settings: ClientRelevant },
): ProcessEnvironment {
  const { environment, secrets } = job.spec
  const ofDelivery = (name: string) => job.ofWebhook === true && ofWebhook.has(name)
  const isOwn = (name: string) => !ofDelivery(name)
  const isAllowed = (name: string) => allowed.includes(name)
  const [asked, askedSecrets] = [pick(environment, isOwn), pick(secrets, isOwn)]
  const leftOut = Object.keys({ ...asked, ...askedSecrets }).filter((name) => !isAllowed(name))
  return {
    variables: {
      ...hubVariables(settings),
      ...pick(environment, isAllowed),
      ...pick(secrets, isAllowed),
      ...pick(environment, ofDelivery),
      ...pick(secrets, ofDelivery),
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

/** Variables by which a Hub client finds the sandbox. */
function hubVariables({ baseUrl, largeFiles }: ClientRelevant): Variables {
  const { HF_ENDPOINT, HF_HUB_DISABLE_XET } = clientVariables({ url: baseUrl, largeFiles })
  return omitUndefined({ HF_ENDPOINT, HF_HUB_DISABLE_XET })
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
