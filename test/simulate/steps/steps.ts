import { accountSteps } from './accounts.ts'
import { clientSteps } from './clients.ts'
import { contentSteps } from './contents.ts'
import { damageSteps } from './damage.ts'
import { gitSteps } from './git.ts'
import { hubSteps } from './hub.ts'
import { oauthSteps } from './oauth.ts'
import { processSteps } from './process.ts'
import { requestSteps } from './requests.ts'
import { sandboxSteps } from './sandbox.ts'
import type { Steps } from './step.ts'
import { webhookSteps } from './webhooks.ts'

/** Everything that a script can have. */
export const steps: Steps = {
  ...oauthSteps,
  ...clientSteps,
  ...hubSteps,
  ...gitSteps,
  ...contentSteps,
  ...accountSteps,
  ...webhookSteps,
  ...requestSteps,
  ...sandboxSteps,
  ...processSteps,
  ...damageSteps,
}
