import type { Delivery, DeliveryBody, Job, JobSpec, Webhook } from '../state/entities/webhooks.ts'
import { hardwareEnvironment } from './hardware.ts'

// Variables by which the loader, a shell or an interpreter is made to run something else than the
// configured command. What an API call says is never itself executed.
const steering =
  /^(PATH|PATHEXT|HOME|SHELL|IFS|ENV|BASH_.*|LD_.*|DYLD_.*|NODE_.*|NPM_.*|PERL.*|RUBY.*|GEM_.*|PHP.*|LUA_.*|GIT_.*|SSH_.*|COMSPEC|SYSTEMROOT|WINDIR|TMPDIR|TEMP|TMP|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|EDITOR|VISUAL|PAGER|BROWSER)$/i
const python = /^PYTHON(?!(UNBUFFERED|IOENCODING|DONTWRITEBYTECODE|HASHSEED|UTF8)$)/i

/** What a webhook's job is started with: the spec and, of the delivery, the documented variables. */
export function specForDelivery(
  spec: JobSpec,
  { webhook, delivery, body }: { webhook: Webhook; delivery: Delivery; body: DeliveryBody },
): JobSpec {
  return {
    ...spec,
    environment: {
      ...spec.environment,
      WEBHOOK_PAYLOAD: body.body,
      WEBHOOK_REPO_ID: delivery.repoId,
      WEBHOOK_REPO_TYPE: delivery.repoType,
      WEBHOOK_ID: delivery.messageId,
    },
    secrets: {
      ...spec.secrets,
      ...(webhook.secret !== undefined && { WEBHOOK_SECRET: webhook.secret }),
    },
  }
}

export interface ProcessEnvironment {
  variables: Record<string, string>
  /** Names that the job asked for and does not get. */
  leftOut: string[]
}

/** The environment of a job's process: its own variables, its hardware's, and nothing of the sandbox's. */
export function environmentOf(job: Job): ProcessEnvironment {
  const asked = Object.entries({ ...job.spec.environment, ...job.spec.secrets })
  const isRefused = (name: string) => steering.test(name) || python.test(name)
  return {
    variables: {
      ...Object.fromEntries(asked.filter(([name]) => !isRefused(name))),
      ...hardwareEnvironment(job.spec.flavor),
      JOB_ID: job.id,
      JOB_COMMAND: JSON.stringify(job.spec.command),
      JOB_ARGUMENTS: JSON.stringify(job.spec.arguments),
    },
    leftOut: asked.map(([name]) => name).filter(isRefused),
  }
}
