import { accountSteps } from './accounts.ts'
import { bucketSteps } from './buckets.ts'
import { clientSteps } from './clients.ts'
import { contentSteps } from './contents.ts'
import { damageSteps } from './damage.ts'
import { gitSteps } from './git.ts'
import { discussionSteps } from './discussions.ts'
import { exportSteps } from './exports.ts'
import { hubSteps } from './hub.ts'
import { jobSteps } from './jobs.ts'
import { oauthSteps } from './oauth.ts'
import { organizationSteps } from './organizations.ts'
import { processSteps } from './process.ts'
import { requestSteps } from './requests.ts'
import { rightSteps } from './rights.ts'
import { sandboxSteps } from './sandbox.ts'
import { scheduleSteps } from './schedules.ts'
import { secretSteps } from './secrets.ts'
import type { Steps } from './step.ts'
import { suspensionSteps } from './suspension.ts'
import { webhookSteps } from './webhooks.ts'
import { xetSteps } from './xet.ts'

/** Everything that a script can have. */
export const steps: Steps = {
  ...oauthSteps,
  ...clientSteps,
  ...hubSteps,
  ...gitSteps,
  ...contentSteps,
  ...accountSteps,
  ...organizationSteps,
  ...rightSteps,
  ...exportSteps,
  ...discussionSteps,
  ...webhookSteps,
  ...jobSteps,
  ...scheduleSteps,
  ...secretSteps,
  ...suspensionSteps,
  ...requestSteps,
  ...sandboxSteps,
  ...processSteps,
  ...damageSteps,
  ...xetSteps,
  ...bucketSteps,
}
